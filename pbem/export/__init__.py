"""Export games as data, text, replay pages, mails and repositories; import and verify them; count statistics."""
