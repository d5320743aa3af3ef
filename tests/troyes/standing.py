"""Positions in which somebody has said something for later, and what comes of them."""

from __future__ import annotations

from typing import Any

from engine.chance import BlindChance
from engine.game import Seat, Step
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.play import read_entries
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes import games

GAME = games.GAME
PUBLIC = ("only", "dice")


def ordered(step: Step[TroyesState]) -> list[Ordered]:
    """The orders of a step that somebody gave, by hand or beforehand."""
    return [fact for fact in read_entries(step.entries) if isinstance(fact, Ordered) and fact.given not in PUBLIC]


def middle(kind: str, seed: int, good: Any = lambda state, seat: True) -> tuple[TroyesState, Seat]:
    """A position of a three-player game in which a seat is asked a kind of thing."""
    for at in range(seed, seed + 40):
        for state, seat, *_ in games.random_game(3, at):
            if state.asked and state.asked[0].kind == kind and good(state, seat):
                return state, seat
    raise AssertionError(f"no game asks {kind} so")


def say(state: TroyesState, seat: str, line: str) -> TroyesState:
    """The position once a seat has said something for later."""
    return GAME.apply(state, Seat(seat), GAME.read(state, Seat(seat), line).order, BlindChance()).state


def hears(step: Step[TroyesState], seat: str) -> str:
    """What a seat is told of a step."""
    return " ".join(str(line.says) for line in GAME.tell(step.state, step.entries, Seat(seat)))


def without_dice(state: TroyesState, seat: str) -> TroyesState:
    """The position with nothing in a district, and money to buy with."""
    found = state.copy()
    found.dice[seat], found.houses[seat].deniers = [], 9
    return found


def turn(seed: int = 1) -> tuple[TroyesState, Seat, str]:
    """A turn early in a round in which everybody may still act, with whose it is and who comes next."""
    state, seat = middle("turn", seed, lambda at, _: all(len(at.dice[one]) > 1 and not at.houses[one].passed for one in at.seats))
    return state, seat, state.after(seat)


def black(dice: list[str], influence: int, line: str) -> Step[TroyesState]:
    """What follows when black dice come to a seat with these dice and influence, who has said something before."""
    state, seat = middle("counter", 3, lambda at, _: len(at.black) > 1)
    next_ = state.after(seat)
    state.black, state.dice[seat], state.dice[next_] = [5, 4], ["R3"], dice
    state.houses[next_].influence = influence
    return GAME.apply(say(state, next_, line), seat, orders.Counter((5,), ("R3",)), games.chance_of(3))


def holding(state: TroyesState, seat: str) -> set[str]:
    """Which kinds of standing orders of a seat hold."""
    return {plan.kind for plan in state.plans.get(seat, ()) if plan.holds(state.round, state.houses[seat].passed)}
