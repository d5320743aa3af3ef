"""Orders walked on a copy of the town, with a chance that refuses to roll: nothing can be learnt from looking."""

from __future__ import annotations

from engine.chance import Blind
from engine.chance import Unknown
from engine.errors import NotAllowed
from engine.errors import Unclear
from engine.troyes import turns
from engine.troyes.orders import Order
from engine.troyes.state import Town
from engine.troyes.verbs import Play


def act(play: Play, seat: str, order: Order) -> None:
    """Walk one action on the town of `play`. Raises NotAllowed, Unclear."""
    turns.perform(play, seat, order)


def walk(town: Town, seat: str, order: Order) -> Play:
    """One action walked on a copy, up to the first roll. Raises NotAllowed, Unclear."""
    play = Play(town.copy(), Blind())
    act(play, seat, order)
    return play


def legal(town: Town, seat: str, order: Order) -> bool:
    """Whether the rules allow this action now, as it stands."""
    try:
        walk(town, seat, order)
    except (NotAllowed, Unclear):
        return False
    except Unknown:
        return True
    return True
