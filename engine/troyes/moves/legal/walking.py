"""Orders walked on a copy of the state, with a chance that refuses to roll: nothing can be learnt from looking."""

from __future__ import annotations

from engine.chance import Blind, Unknown
from engine.errors import NotAllowed, Unclear
from engine.troyes.actions import turns
from engine.troyes.entries import Play
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState


def act(play: Play, seat: str, order: Order) -> None:
    """Walk one action on the state of `play`. Raises NotAllowed, Unclear."""
    turns.perform(play, seat, order)


def walk(state: TroyesState, seat: str, order: Order) -> Play:
    """One action walked on a copy, up to the first roll. Raises NotAllowed, Unclear."""
    play = Play(state.copy(), Blind())
    act(play, seat, order)
    return play


def legal(state: TroyesState, seat: str, order: Order) -> bool:
    """Whether the rules allow this action now, as it stands."""
    try:
        walk(state, seat, order)
    except (NotAllowed, Unclear):
        return False
    except Unknown:
        return True
    return True
