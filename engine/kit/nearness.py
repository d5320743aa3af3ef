"""Which of many orders is nearest to what somebody wrote: words put right, and the likest orders tried.

All work is bounded by counts, never by time, so that the same line is always answered alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import nsmallest
from operator import itemgetter
from typing import TypeVar

from engine.chance import Blind, Chance, Unknown
from engine.errors import OrderRefused
from engine.kit.words import kebab, near

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

MOST = 3
"""Orders that are suggested at most."""
JUDGED, RIVAL = 60, 0.25
"""Orders that are tried at most, the likest first; and how like each must be, beside the likest of them."""

_LONG, _LETTERS = re.compile(r"[^\W\d_]{3,}"), 4
"""Words in which a slip can be told, where they stand alone; and the letters that one among others must have."""
_FEW, _SLIPPED = 2, 0.74
"""How many of them there may be, and how alike one must be to a word of a position to be taken for it."""


def right(line: str, is_known: Callable[[str], bool], here: Callable[[], Collection[str]]) -> str:
    """The line with each word that is not known turned into the one, of `here`, that it is likely a slip of; as it is
    where these are more than a few: prose is not mistyped."""
    words = [found for found in _LONG.finditer(line) if len(found[0]) >= _LETTERS or found[0] == line]
    strange = [found for found in words if not is_known(kebab(found[0]))]
    for found in reversed(strange if len(strange) <= _FEW else []):
        meant = next(iter(near(found[0], here(), 1, _SLIPPED)), found[0])
        line = line[: found.start()] + meant + line[found.end() :]
    return line


def likest(orders: Iterable[O], like: Callable[[O], float], plays: Callable[[O], bool]) -> Iterator[O]:
    """The legal ones of some orders, the likest first; of equally like ones the first, so that the better ones may come
    first. None that has nothing in common with what is wanted, or much less than the likest."""
    rows = [(-like(order), nth, order) for nth, order in enumerate(orders)]
    enough = 0.0
    for less, _, order in nsmallest(JUDGED, rows, key=itemgetter(0, 1)):
        if -less <= enough:
            return
        if plays(order):
            enough = max(enough, -less * RIVAL)
            yield order


def playable(apply: Callable[[S, str, O, Chance], object], state: S, seat: str, order: O) -> bool:
    """Whether an order is legal now, as far as can be known before it is played: up to what is rolled."""
    try:
        apply(state, seat, order, Blind())
    except OrderRefused:
        return False
    except Unknown:
        return True
    return True
