"""What a seat can do. Each action is checked and carried out on a copy of the state, and may refuse at any point."""
