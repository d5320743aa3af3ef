"""The course of a game: set-up, rounds and their phases, events, answers given for a seat, invariants."""
