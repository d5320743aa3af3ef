"""What a fact names, in the state it happens to. Raises PositionError where it is not in play.

A card, event or tile is put there anew to be changed: the one that lay there may lie in other positions too
(`TroyesState.fork`).
"""

from __future__ import annotations

from typing import TypeVar

from engine.errors import PositionError
from engine.troyes.state.state import Card, QueuedEvent, Tile, TroyesState

F = TypeVar("F", Card, QueuedEvent, Tile)
C = TypeVar("C")


def card(state: TroyesState, id: str) -> Card:
    """The Activity card, to be changed."""
    return _anew(state.cards, id)


def tile(state: TroyesState, id: str) -> Tile:
    """The outdoor tile, to be changed."""
    return _anew(state.tiles, id)


def event(state: TroyesState, id: str) -> QueuedEvent:
    """The event in the queue, to be changed."""
    return _anew(state.queue, id)


def _anew(there: list[F], id: str) -> F:
    for at, one in enumerate(there):
        if one.id == id:
            there[at] = found = one.copy()
            return found
    raise PositionError("is not in play", id)


def without(things: list[C], *gone: C) -> list[C]:
    """A list without these, each taken once. Raises ValueError for one that is not there."""
    left = things.copy()
    for one in gone:
        left.remove(one)
    return left


def count(there: Card | Tile, seat: str, by: int) -> None:
    """Cubes of a seat that come onto a card or tile, or leave it."""
    left = there.cubes.get(seat, 0) + by
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", there.id)
    there.cubes[seat] = left
    if not left:
        del there.cubes[seat]
