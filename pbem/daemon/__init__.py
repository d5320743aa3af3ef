"""The process that watches a mailbox: its loop, its parts put together, signs of life, housekeeping."""
