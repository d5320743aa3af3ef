"""Orders that are open to a seat: all of them, lazily, or some picked by a stream of numbers.

Whatever comes out of here is accepted by `read` and `apply`: each candidate is walked on a copy of the state before it
is offered, with a chance that refuses to roll, so nothing can be learnt from looking.
"""

from __future__ import annotations

from engine.troyes.options.legal.action_orders import (
    ACTIONS,
    action_candidates,
    activations,
    freeings,
    legal_actions,
    payable_times,
    tiles_before,
    with_colour,
    with_tile,
    worker_sources,
)
from engine.troyes.options.legal.legal_orders import asked_kind, counter_orders, every_order, simple_orders
from engine.troyes.options.legal.payable_groups import cube_uses, cubes_of, group_if_legal, pickable_dice
from engine.troyes.options.legal.random_orders import random_order
from engine.troyes.options.legal.trial import is_legal, try_order

__all__ = [
    "ACTIONS",
    "action_candidates",
    "activations",
    "asked_kind",
    "counter_orders",
    "cube_uses",
    "cubes_of",
    "every_order",
    "freeings",
    "group_if_legal",
    "is_legal",
    "legal_actions",
    "payable_times",
    "pickable_dice",
    "random_order",
    "simple_orders",
    "tiles_before",
    "try_order",
    "with_colour",
    "with_tile",
    "worker_sources",
]
