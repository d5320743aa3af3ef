"""Before the game: invitations and their answers."""
