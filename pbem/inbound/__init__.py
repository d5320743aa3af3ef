"""Letters in: the mailbox, the guarded door that opens a letter, and what is left of it to be read."""
