"""A short ranked list of good, complete, legal orders for a seat, covering every kind of thing it can do.

Options are ranked by the points they promise (`estimate`). Every offer was walked on a copy of the state before it is
shown.
"""

from __future__ import annotations

from engine.troyes.options.ranked.offers import (
    example_orders,
    later_orders,
    likely_order,
    offered_orders,
    order_groups,
    order_kind,
    ranked_orders,
)
from engine.troyes.options.ranked.position_value import expected_points

__all__ = [
    "example_orders",
    "expected_points",
    "later_orders",
    "likely_order",
    "offered_orders",
    "order_groups",
    "order_kind",
    "ranked_orders",
]
