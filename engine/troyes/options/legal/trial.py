"""Orders walked on a copy of the state, with a chance that refuses to roll: nothing can be learnt from looking."""

from __future__ import annotations

from engine.chance import Blind, Chance, Unknown
from engine.errors import NotAllowed, Unclear
from engine.troyes.actions.carry_out_order import carry_out
from engine.troyes.events import Play
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState

BLIND = Blind()


def try_order(state: TroyesState, seat: str, order: Order, chance: Chance = BLIND) -> Play:
    """One order walked on a copy, up to the first roll that `chance` does not know. Raises NotAllowed, Unclear."""
    play = Play(state.fork(), chance)
    carry_out(play, play.state.agenda[-1], seat, order)
    return play


def is_legal(state: TroyesState, seat: str, order: Order) -> bool:
    """Whether the rules allow this action now, as it stands."""
    try:
        try_order(state, seat, order)
    except (NotAllowed, Unclear):
        return False
    except Unknown:
        return True
    return True
