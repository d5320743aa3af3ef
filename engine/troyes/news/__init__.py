"""What is told of events: sentences for one reader."""
