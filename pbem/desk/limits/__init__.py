"""Limits: how many answers a person or a stranger gets, and what is told instead."""
