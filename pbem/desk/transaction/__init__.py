"""What one commit changes, its mails, and the commit itself."""
