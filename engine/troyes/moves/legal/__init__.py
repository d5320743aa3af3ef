"""Orders that are open to a seat: all of them, lazily, or some picked by a stream of numbers.

Whatever comes out of here is accepted by `read` and `apply`: each candidate is walked on a copy of the state before it
is offered, with a chance that refuses to roll, so nothing can be learnt from looking.
"""

from __future__ import annotations

from engine.troyes.moves.legal.acting import (
    ACTIONS,
    actions,
    activations,
    affordable,
    candidates,
    coloured,
    freeings,
    sources,
    tiles_before,
    with_tile,
)
from engine.troyes.moves.legal.answering import asked_kind, counters, every, plain
from engine.troyes.moves.legal.grouping import cubes_of, formed, picks, usings
from engine.troyes.moves.legal.sampling import some
from engine.troyes.moves.legal.walking import legal, walk

__all__ = [
    "ACTIONS",
    "actions",
    "activations",
    "affordable",
    "asked_kind",
    "candidates",
    "coloured",
    "counters",
    "cubes_of",
    "every",
    "formed",
    "freeings",
    "legal",
    "picks",
    "plain",
    "some",
    "sources",
    "tiles_before",
    "usings",
    "walk",
    "with_tile",
]
