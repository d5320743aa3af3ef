"""The moderator's actions, each declared once for the command line and for mail."""
