"""The rules of the games. Standard library only: no mail, no files but the card tables, no clock, no `random`."""
