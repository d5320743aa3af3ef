"""What one reader may see of a position."""
