"""What lies on the board and how it moves: influence, deniers, dice groups, buildings, cathedral, events, losses."""
