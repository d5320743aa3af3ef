"""Orders walked on a copy of the town, with a chance that refuses to roll: nothing can be learnt from looking."""

from __future__ import annotations

from engine.chance import Purpose
from engine.errors import NotAllowed
from engine.errors import Unclear
from engine.troyes import turns
from engine.troyes.orders import Order
from engine.troyes.state import Town
from engine.troyes.verbs import Play


class Unseen(Exception):  # noqa: N818 - no error: what follows may not be known
    """A walk came to a roll."""


class NoChance:
    """A chance that never rolls."""

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        raise Unseen(str(purpose))

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        raise Unseen(str(purpose))


def act(play: Play, seat: str, order: Order) -> None:
    """Walk one action on the town of `play`. Raises NotAllowed, Unclear."""
    turns.perform(play, seat, order)


def walk(town: Town, seat: str, order: Order) -> Play:
    """One action walked on a copy, up to the first roll. Raises NotAllowed, Unclear."""
    play = Play(town.copy(), NoChance())
    act(play, seat, order)
    return play


def legal(town: Town, seat: str, order: Order) -> bool:
    """Whether the rules allow this action now, as it stands."""
    try:
        walk(town, seat, order)
    except (NotAllowed, Unclear):
        return False
    return True
