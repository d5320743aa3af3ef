"""Games out of the house and back: machine-readable, readable, playable pages, mails, repositories; and figures.

Nothing is imported here: each format costs only the command that asks for it.
"""
