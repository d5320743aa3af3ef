"""Le Roy, the opponent of the solo game: his turn, and how a game against him ends."""
