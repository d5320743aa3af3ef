"""A short ranked list of good, complete, legal orders for a seat, covering every kind of thing it can do.

Options are ranked by the points they promise (`estimate`). Every offer was walked on a copy of the state before it is
shown.
"""
