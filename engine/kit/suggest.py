"""Suggestions: words of a line put right, and the orders nearest to it.

All work is bounded by counts, never by time, so that the same line always gets the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import nsmallest
from operator import itemgetter
from typing import TypeVar

from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import OrderRefused
from engine.kit.words import close_matches, kebab

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

MAX_SUGGESTED = 3
"""Most orders that are suggested."""
JUDGED, RIVAL = 60, 0.25
"""Most orders that are tried, the likest first; and how like each must be, as a share of the likest."""

_LONG, _LETTERS = re.compile(r"[^\W\d_]{3,}"), 4
"""Words in which a slip can be told if they stand alone; and the letters that one among others must have."""
_FEW, _SLIPPED = 2, 0.74
"""Most strange words in a line, and how like one must be to a known word to be replaced."""


def correct_spelling(line: str, is_known: Callable[[str], bool], here: Callable[[], Collection[str]]) -> str:
    """Replace each unknown word of a line by the word of `here` that it is likely a slip of.

    The line stays as it is if it has more than a few unknown words: prose is not mistyped.
    """
    words = [found for found in _LONG.finditer(line) if len(found[0]) >= _LETTERS or found[0] == line]
    strange = [found for found in words if not is_known(kebab(found[0]))]
    for found in reversed(strange if len(strange) <= _FEW else []):
        meant = next(iter(close_matches(found[0], here(), 1, _SLIPPED)), found[0])
        line = line[: found.start()] + meant + line[found.end() :]
    return line


def rank_legal(orders: Iterable[O], like: Callable[[O], float], plays: Callable[[O], bool]) -> Iterator[O]:
    """Yield the legal ones of some orders, the likest first; of equally like ones the first given.

    Orders with nothing in common with what is wanted, or much less than the likest, are left out.
    """
    rows = [(-like(order), nth, order) for nth, order in enumerate(orders)]
    enough = 0.0
    for less, _, order in nsmallest(JUDGED, rows, key=itemgetter(0, 1)):
        if -less <= enough:
            return
        if plays(order):
            enough = max(enough, -less * RIVAL)
            yield order


def is_playable(apply: Callable[[S, str, O, Chance], object], state: S, seat: str, order: O) -> bool:
    """True if an order is legal now, as far as can be known before a roll."""
    try:
        apply(state, seat, order, BlindChance())
    except OrderRefused:
        return False
    except UnknownDraw:
        return True
    return True
