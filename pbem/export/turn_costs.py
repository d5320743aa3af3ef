"""Estimate each position for each seat, and find the turns that cost most points.

Each estimate (`Game.estimate`) uses only what its seat may see. But estimates of several seats, and those of a turn's
choices, reveal hands, so they are in the full view only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.chance import SeededChance
from engine.errors import OrderRefused
from engine.event_log import Data, LogEntry
from engine.game import AnyGame, Seat
from pbem.export.replay_steps import Chapter, ReplayStep

ANY_CHANCE = SeededChance(b"", (), "any")
"""Dice and cards for an order that is only tried."""

Place = tuple[int, int]
"""Indices of a chapter and of a step in it."""


@dataclass(slots=True)
class OpenTurn:
    """The turn of one seat: one decision, or several of a kind in a row, such as a flip and what follows it. The fields
    are those of the last decision."""

    number: int
    kind: str
    asked: Any
    ranked: Sequence[tuple[Any, float]] = ()
    """Its choices with their estimates, best first; filled when needed."""
    entries: list[LogEntry] = field(default_factory=list)
    """Entries since it was asked."""
    orders: tuple[str, ...] = ()
    """The orders of its letters."""
    gained: float = 0.0
    place: Place | None = None
    told: bool = False
    """Whether the table has seen it act; later gains, such as a denier for passing, do not count."""
    cost: float = 0.0
    """The cost so far."""
    worst: tuple[float, str, float] = (0.0, "", 0.0)
    """The costliest decision: its cost, the best order, and what that promised."""


@dataclass(slots=True)
class TurnCosts:
    """The estimates of a game: `worth` by place the changes of each seat, `turns` the costs of turns."""

    game: AnyGame
    seats: Sequence[str]
    language: str = "en"
    worth: dict[Place, dict[str, float]] = field(default_factory=dict)
    turns: dict[Place, Data] = field(default_factory=dict)
    _open: dict[str, OpenTurn] = field(default_factory=dict)

    def walk(self, chapters: Sequence[Chapter]) -> TurnCosts:
        """Walk through the whole game."""
        known: dict[str, float] = {}
        last: dict[str, float] = {}
        for place, chapter, step in steps_of(chapters):
            if step.state is None:
                continue
            found = {seat: self.game.estimate(step.state, seat) for seat in self.seats}
            told = {seat: round(value, 1) for seat, value in found.items()}
            self.worth[place] = {seat: value for seat, value in told.items() if last.get(seat) != value}
            for one in self._open.values():
                one.entries += step.entries
            turn = self._open.get(step.seat)
            if turn is not None and not turn.told and not chapter.undone:
                turn.gained += found[step.seat] - known[step.seat]
                turn.orders += tuple(chapter.record.private.get("orders", ())) * (chapter.record.seat == step.seat)
                turn.place, turn.told = place, bool(step.lines.get(None))
            self._ask(step)
            known, last = found, told
        for seat, turn in self._open.items():
            self._close(seat, turn)
        return self

    def told(self, place: Place) -> Data:
        """The fields of a step in the document."""
        worth, turn = self.worth.get(place), self.turns.get(place)
        return ({"worth": worth} if worth else {}) | ({"turn": turn} if turn else {})

    def _ask(self, step: ReplayStep) -> None:
        """End the turn of each seat that is asked anew, and begin its next one."""
        for one in self.game.waiting(step.state):
            if one.answered:
                continue
            turn = self._open.get(one.seat)
            if turn is None or turn.number != one.number:
                self._open[one.seat] = fresh = OpenTurn(one.number, one.kind, step.state)
                if turn is None:
                    continue
                if one.seat != step.seat:
                    self._close(one.seat, turn)
                    continue
                # A seat that goes on at once also has what its next choice promises.
                self._cost(one.seat, turn, max(0.0, self._best(fresh, one.seat)))
                if one.kind == turn.kind and turn.place is not None:
                    fresh.cost, fresh.worst = turn.cost, turn.worst
                else:
                    self._tell(turn)
            elif turn.place is None:
                turn.asked = step.state

    def _best(self, turn: OpenTurn, seat: str) -> float:
        """The estimate of the best choice of a turn."""
        turn.ranked = turn.ranked or self.game.thinking.ranked(turn.asked, seat)
        return turn.ranked[0][1] if turn.ranked else 0.0

    def _close(self, seat: str, turn: OpenTurn) -> None:
        self._cost(seat, turn)
        self._tell(turn)

    def _cost(self, seat: str, turn: OpenTurn, goes_on: float | None = None) -> None:
        """Add the cost of the last decision: the best estimate less that of the chosen order, whatever the dice did.

        An order that is not among the choices counts by what it brought. `goes_on` is what the seat's next choice
        promises, which is not charged.
        """
        best = self._best(turn, seat)
        if turn.place is None or len(turn.ranked) < 2:
            return
        brought = turn.gained + (goes_on or 0.0)
        listed = next((worth for order, worth in turn.ranked if self._was(turn, Seat(seat), order)), None)
        made = brought if listed is None else listed if goes_on is None else max(listed, brought)
        cost = max(0.0, best - made)
        turn.cost += cost
        if cost > turn.worst[0]:
            turn.worst = cost, self.game.write(turn.asked, Seat(seat), turn.ranked[0][0], self.language), best

    def _tell(self, turn: OpenTurn) -> None:
        """Note the cost of a turn, if any."""
        cost, (_, name, best) = round(turn.cost, 1), turn.worst
        if turn.place is not None and cost > 0:
            self.turns[turn.place] = {"cost": cost, "promised": round(best, 1), "best": name}

    def _was(self, turn: OpenTurn, seat: Seat, order: Any) -> bool:
        """Whether this order was chosen."""
        if turn.orders and self.game.write(turn.asked, seat, order, "en") not in turn.orders:
            return False
        try:
            begins = self.game.apply(turn.asked, seat, order, ANY_CHANCE).entries[0]
        except OrderRefused:
            return False
        return any((one.kind, one.data, one.only) == (begins.kind, begins.data, begins.only) for one in turn.entries)


def steps_of(chapters: Sequence[Chapter]) -> Iterator[tuple[Place, Chapter, ReplayStep]]:
    """Every step with its place and chapter."""
    for at, chapter in enumerate(chapters):
        for nth, step in enumerate(chapter.steps):
            yield (at, nth), chapter, step
