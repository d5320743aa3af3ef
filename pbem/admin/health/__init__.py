"""What is wrong with a game or a host, and how it is mended."""
