"""Write mails, keep them in the outbox, and send them."""
