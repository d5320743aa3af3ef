"""What a line of a letter says, once all is taken off that says nothing: one reader for whoever reads lines."""
