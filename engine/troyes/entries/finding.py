"""What a fact names, in the state it happens to. Raises PositionError where it is not in play."""

from __future__ import annotations

from typing import TypeVar

from engine.errors import PositionError
from engine.troyes.state.state import Card, QueuedEvent, Tile, TroyesState

F = TypeVar("F")


def card(state: TroyesState, id: str) -> Card:
    """The Activity card."""
    return _there(state.card(id), id)


def tile(state: TroyesState, id: str) -> Tile:
    """The outdoor tile."""
    return _there(state.tile(id), id)


def event(state: TroyesState, id: str) -> QueuedEvent:
    """The event in the queue."""
    return _there(state.threat(id), id)


def _there(found: F | None, id: str) -> F:
    if found is None:
        raise PositionError("is not in play", id)
    return found


def count(there: Card | Tile, seat: str, by: int) -> None:
    """Cubes of a seat that come onto a card or tile, or leave it."""
    left = there.cubes.get(seat, 0) + by
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", there.id)
    there.cubes[seat] = left
    if not left:
        del there.cubes[seat]
