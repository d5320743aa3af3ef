"""Find what an event names, ready to be changed. Raises PositionError where it is not in play.

A family, card, event or tile is copied, and the list that holds it too, because other positions may share them
(`TroyesState.fork`).
"""

from __future__ import annotations

from typing import TypeVar

from engine.errors import PositionError
from engine.troyes.state.troyes_state import Card, House, QueuedEvent, Tile, TroyesState

F = TypeVar("F", Card, QueuedEvent, Tile)
C = TypeVar("C")


def house_of(state: TroyesState, seat: str) -> House:
    """The family, to be changed. Raises KeyError for an unknown seat."""
    found = state.houses[seat].copy()
    state.houses = {**state.houses, seat: found}
    return found


def card_of(state: TroyesState, id: str) -> Card:
    """The Activity card, to be changed."""
    state.cards, found = _anew(state.cards, id)
    return found


def tile_in_play(state: TroyesState, id: str) -> Tile:
    """The outdoor tile, to be changed."""
    state.tiles, found = _anew(state.tiles, id)
    return found


def queued_event(state: TroyesState, id: str) -> QueuedEvent:
    """The event in the queue, to be changed."""
    state.queue, found = _anew(state.queue, id)
    return found


def _anew(there: list[F], id: str) -> tuple[list[F], F]:
    for at, one in enumerate(there):
        if one.id == id:
            changed = there.copy()
            changed[at] = found = one.copy()
            return changed, found
    raise PositionError("is not in play", id)


def list_without(things: list[C], *gone: C) -> list[C]:
    """The list without these things, each taken out once. Raises ValueError for one that is not there."""
    left = things.copy()
    for one in gone:
        left.remove(one)
    return left


def change_count(there: Card | Tile, seat: str, by: int) -> None:
    """Add cubes of a seat to a card or tile, or take them off."""
    left = there.cubes.get(seat, 0) + by
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", there.id)
    there.cubes[seat] = left
    if not left:
        del there.cubes[seat]
