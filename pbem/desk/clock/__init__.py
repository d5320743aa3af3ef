"""Clocks: who has time until when, and what happens when it is over."""
