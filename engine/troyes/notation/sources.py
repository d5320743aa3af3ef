"""Where a citizen is taken from: what the words say, or what is assumed when they do not."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import Msg, T
from engine.errors import Unclear
from engine.troyes import box
from engine.troyes.board.words import spelled
from engine.troyes.notation.cursor import Wording
from engine.troyes.state import places


def hiring(cursor: Wording) -> str:
    """After `hiring`: a place, with or without `from`."""
    if cursor.clause() == "from":
        cursor.words.pop(0)
        return cursor.place(own=True)
    if cursor.words and box.place_of(cursor.folded()) is not None:
        return cursor.place(own=True)
    return assumed(cursor, lambda place: T("hiring from {place}", place=place))


def assumed(cursor: Wording, says: Callable[[Msg], Msg]) -> str:
    """The supply if somebody is there; else the place must be named (contract). Raises Unclear."""
    if cursor.state.houses[cursor.seat].supply:
        cursor.assumed.append(T("from supply"))
        return places.SUPPLY
    there = list(dict.fromkeys(cursor.state.whereabouts(cursor.seat)))
    raise Unclear(
        T("You have no citizen in hand: say where the citizen comes from, or recruit one first."),
        possible=tuple(says(spelled(str(place))) for place in there[:8]),
    )
