"""A simulated year of one host: how much room its games, its mail and its daemon take."""
