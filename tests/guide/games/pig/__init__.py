"""Pig, for two to four: roll a die as often as you dare; a 1 loses what you rolled this turn, `hold` keeps it.

This is all that a new game writes. It lies where a game lies, in a package under `engine/` that offers a `GAME`; here
the folder `tests/guide/games` stands in for `engine/` (tests/guide/test_new_game.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from engine.catalog import Msg, T
from engine.chronicle import Data, Entry
from engine.game import Option
from engine.turns import TurnGame, TurnRun, TurnState


# 1. The state: plain values, beside the seats and the turn that every such game has.
@dataclass(slots=True)
class PigState(TurnState):
    """Points kept by seat, those of this turn, and how many win."""

    points: dict[str, int] = field(default_factory=dict)
    pot: int = 0


# 2. What happens: a function for each kind of entry, the only thing that changes a state. It needs no rule and no die.
def rolled(state: PigState, data: Data, entry: Entry) -> None:
    """A 1 loses the pot; anything else goes into it."""
    (number,) = data["shown"]
    state.pot = 0 if number == 1 else state.pot + number


def held(state: PigState, data: Data, entry: Entry) -> None:
    """The pot is kept."""
    state.points[data["seat"]] = data["points"]
    state.pot = 0


# 3. The game.
class Pig(TurnGame[PigState]):
    """Words, rules, and what is said of them."""

    kind = "pig"
    title = "Pig"
    seats = range(2, 5)
    options = (Option("target", ("10", "20", "50"), "20", T("how many points win")),)
    state = PigState
    verbs: ClassVar = {"roll": "roll", "lancer": "roll", "hold": "hold", "garder": "hold"}
    written: ClassVar = {"fr": {"roll": "lancer", "hold": "garder"}}
    happens: ClassVar = {"rolled": rolled, "held": held}
    draws = frozenset({"rolled"})

    def choices(self, state: PigState, seat: str) -> Iterator[tuple[str, Msg]]:
        """The last one is the default: what is given where nobody answers."""
        yield "roll", T("a die into your pot of {n}; a 1 loses it", n=state.pot)
        yield "hold", T("keep {n} and end your turn", n=state.pot)

    def play(self, run: TurnRun[PigState], seat: str, order: str) -> bool:
        """A roll is recorded with what it did, so that `verify` can check it. True: it is still the seat's turn."""
        if order == "hold":
            run.record("held", seat=seat, points=run.state.points.get(seat, 0) + run.state.pot)
            return False
        die = run.rolls("pig", seat)
        run.record("rolled", die, seat=seat)
        return die.numbers != (1,)

    def scores(self, state: PigState) -> Mapping[str, Mapping[str, int]]:
        """Over as soon as somebody has enough."""
        over = max(state.points.values(), default=0) >= int(state.options["target"])
        return {seat: {"points": state.points.get(seat, 0)} for seat in state.names} if over else {}

    def lines(self, state: PigState) -> Iterator[Msg]:
        """The position, in every mail."""
        for seat, name in state.names.items():
            yield T("{name}: {n} points", name=name, n=state.points.get(seat, 0))
        yield T("In the pot: {n}", n=state.pot)

    def says(self, state: PigState, entry: Entry) -> Msg | None:
        """The news."""
        name = state.names.get(str(entry.data.get("seat", "")), "")
        match entry.kind:
            case "rolled":
                return T("{name} rolls a {n}.", name=name, n=entry.data["shown"][0])
            case "held":
                return T("{name} holds and has {n} points.", name=name, n=entry.data["points"])
        return None


GAME = Pig()
