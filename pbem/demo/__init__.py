"""A whole game by real mail on this machine: an embedded post office, the daemon, and computer seats.

The computers know nothing but the mails in their mailboxes; stop the post office and the game stops.
"""
