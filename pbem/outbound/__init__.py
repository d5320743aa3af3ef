"""Mails out: what a mail says, how it looks, the outbox, and the server that mail leaves by."""
