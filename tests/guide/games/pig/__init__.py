"""Pig, for two to four: roll a die as often as you dare; a 1 loses what you rolled this turn, `hold` keeps it.

This is all that a new game writes. It lies where a game lies, in a package under `engine/` that offers a `GAME`; here
the folder `tests/guide/games` stands in for `engine/` (tests/guide/test_new_game.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.catalog import Msg, T
from engine.chance import Draw
from engine.event_log import LogEntry
from engine.kit.events import Event
from engine.kit.rolls import Rolled, next_draw
from engine.table_options import Option
from engine.turn_game import TurnGame, TurnState, TurnTransaction


# 1. The state: plain values, beside the seats and the turn that every such game has.
@dataclass(slots=True)
class PigState(TurnState):
    """Points kept by seat, those of this turn, and how many win."""

    points: dict[str, int] = field(default_factory=dict)
    pot: int = 0


# 2. What happens: a class for each kind of entry, the only thing that changes a state. It needs no rule and no die.
@dataclass(frozen=True, slots=True)
class RollsPig(Event[PigState]):
    """A 1 loses the pot; anything else goes into it. The draw is in the entry, so that `verify` can check it."""

    kind = "rolled"
    draws_for = ("pig",)
    seat: str
    rolled: Rolled

    def draw(self, state: PigState, past: Sequence[LogEntry]) -> Draw:
        return Draw(next_draw(state, "pig", state.turn))

    def apply(self, state: PigState) -> None:
        (number,) = self.rolled.numbers
        state.pot = 0 if number == 1 else state.pot + number


@dataclass(frozen=True, slots=True)
class HoldsPig(Event[PigState]):
    """The pot is kept."""

    kind = "held"
    seat: str
    points: int

    def apply(self, state: PigState) -> None:
        state.points[self.seat] = self.points
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
    facts = (RollsPig, HoldsPig)

    def choices(self, state: PigState, seat: str) -> Iterator[tuple[str, Msg]]:
        """The last one is the default: what is given where nobody answers."""
        yield "roll", T("a die into your pot of {n}; a 1 loses it", n=state.pot)
        yield "hold", T("keep {n} and end your turn", n=state.pot)

    def play(self, run: TurnTransaction[PigState], seat: str, order: str) -> bool:
        """Record what happens. True: it is still the seat's turn."""
        if order == "hold":
            run.record(HoldsPig(seat, run.state.points.get(seat, 0) + run.state.pot))
            return False
        die = run.rolls("pig", seat)
        run.record(RollsPig(seat, die))
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

    def says(self, state: PigState, fact: Event[PigState]) -> Msg | None:
        """The news."""
        match fact:
            case RollsPig(seat, rolled):
                return T("{name} rolls a {n}.", name=state.names[seat], n=rolled.numbers[0])
            case HoldsPig(seat, points):
                return T("{name} holds and has {n} points.", name=state.names[seat], n=points)
        return None


GAME = Pig()
