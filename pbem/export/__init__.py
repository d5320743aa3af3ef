"""Games out of the house and back: machine-readable, readable, playable pages, mails, repositories; and figures."""
