"""Mail programs as people use them, by key presses in a terminal."""
