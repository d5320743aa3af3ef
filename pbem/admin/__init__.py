"""The moderator's desk: repairs of tables and positions, each one record, one commit, one line in everybody's mail.

Nothing is imported here: a command loads what it needs.
"""
