"""Orders that are open to a seat: all of them, lazily, or some picked by a stream of numbers.

Whatever comes out of here is accepted by `read` and `apply`: each candidate is walked on a copy of the town before it
is offered, with a chance that refuses to roll, so nothing can be learnt from looking.
"""

from __future__ import annotations

from engine.troyes.possible.acting import actions
from engine.troyes.possible.acting import coloured
from engine.troyes.possible.acting import freeings
from engine.troyes.possible.acting import sources
from engine.troyes.possible.acting import tiles_before
from engine.troyes.possible.acting import with_tile
from engine.troyes.possible.answering import counters
from engine.troyes.possible.answering import every
from engine.troyes.possible.grouping import cubes_of
from engine.troyes.possible.grouping import picks
from engine.troyes.possible.grouping import usings
from engine.troyes.possible.sampling import some
from engine.troyes.possible.walking import act

__all__ = [
    "act",
    "actions",
    "coloured",
    "counters",
    "cubes_of",
    "every",
    "freeings",
    "picks",
    "some",
    "sources",
    "tiles_before",
    "usings",
    "with_tile",
]
