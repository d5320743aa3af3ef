"""What each position promised each seat, and which turns cost most: for an export that may show all.

The estimate (`Game.estimate`) of a seat looks at nothing that the seat may not see. But beside each other, and beside
what somebody could have done instead, estimates tell of hands: they stand in the full view alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.chance import Derived
from engine.chronicle import Data, Entry
from engine.errors import OrderRefused
from engine.game import AnyGame, Seat
from pbem.export.course import Chapter, ReplayStep

ANY = Derived(b"", (), "any")
"""Dice and cards for an order that is only tried: what it is does not hang on them."""

Place = tuple[int, int]
"""A chapter and a step of it."""


@dataclass(slots=True)
class Turn:
    """What one seat made of its turn: of one decision, or of several of a kind in which it goes on at once, such as a
    flip and what follows it. What stands here is of the last one, from where it was asked, by the step it acted in."""

    number: int
    kind: str
    asked: Any
    ranked: Sequence[tuple[Any, float]] = ()
    """What it could have done, the best first; read when it is needed."""
    entries: list[Entry] = field(default_factory=list)
    """What happened since; the first entry of its order holds the order."""
    orders: tuple[str, ...] = ()
    """What was written, where a letter of its own says so."""
    gained: float = 0.0
    place: Place | None = None
    told: bool = False
    """Whether the table has seen it act: what happens to its seat after that it did not do, such as a denier for having
    passed."""
    cost: float = 0.0
    """Of the decisions before the last one."""
    worst: tuple[float, str, float] = (0.0, "", 0.0)
    """Of them all the one that cost most: how much, what would have been best, and what that promised."""


@dataclass(slots=True)
class Worths:
    """A game walked once. `worth` tells by place what has changed for each seat, `turns` what turns cost."""

    game: AnyGame
    seats: Sequence[str]
    language: str = "en"
    worth: dict[Place, dict[str, float]] = field(default_factory=dict)
    turns: dict[Place, Data] = field(default_factory=dict)
    _open: dict[str, Turn] = field(default_factory=dict)

    def walk(self, chapters: Sequence[Chapter]) -> Worths:
        """Read the whole course of a game, as everybody's secrets tell it."""
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
        """What a document tells of a step; nothing where nothing is known."""
        worth, turn = self.worth.get(place), self.turns.get(place)
        return ({"worth": worth} if worth else {}) | ({"turn": turn} if turn else {})

    def _ask(self, step: ReplayStep) -> None:
        """Whoever is asked anew has ended a turn and begins another."""
        for one in self.game.waiting(step.state):
            if one.answered:
                continue
            turn = self._open.get(one.seat)
            if turn is None or turn.number != one.number:
                self._open[one.seat] = fresh = Turn(one.number, one.kind, step.state)
                if turn is None:
                    continue
                if one.seat != step.seat:
                    self._close(one.seat, turn)
                    continue
                # Who goes on at once has what that promises as well.
                self._cost(one.seat, turn, max(0.0, self._best(fresh, one.seat)))
                if one.kind == turn.kind and turn.place is not None:
                    fresh.cost, fresh.worst = turn.cost, turn.worst
                else:
                    self._tell(turn)
            elif turn.place is None:
                turn.asked = step.state

    def _best(self, turn: Turn, seat: str) -> float:
        """What the best choice of a turn promised."""
        turn.ranked = turn.ranked or self.game.thinking.ranked(turn.asked, seat)
        return turn.ranked[0][1] if turn.ranked else 0.0

    def _close(self, seat: str, turn: Turn) -> None:
        self._cost(seat, turn)
        self._tell(turn)

    def _cost(self, seat: str, turn: Turn, goes_on: float | None = None) -> None:
        """Count what the last decision of a turn cost. A choice of the list is held against what it promised itself,
        whatever the dice did then; any other order against what it brought, and what it let the seat do next. Who goes
        on is not charged for what the next choice still brings."""
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

    def _tell(self, turn: Turn) -> None:
        """What a turn cost, where anything."""
        cost, (_, name, best) = round(turn.cost, 1), turn.worst
        if turn.place is not None and cost > 0:
            self.turns[turn.place] = {"cost": cost, "promised": round(best, 1), "best": name}

    def _was(self, turn: Turn, seat: Seat, order: Any) -> bool:
        """Whether a turn began with this order."""
        if turn.orders and self.game.write(turn.asked, seat, order, "en") not in turn.orders:
            return False
        try:
            begins = self.game.apply(turn.asked, seat, order, ANY).entries[0]
        except OrderRefused:
            return False
        return any((one.kind, one.data, one.only) == (begins.kind, begins.data, begins.only) for one in turn.entries)


def steps_of(chapters: Sequence[Chapter]) -> Iterator[tuple[Place, Chapter, ReplayStep]]:
    """Every step with its place."""
    for at, chapter in enumerate(chapters):
        for nth, step in enumerate(chapter.steps):
            yield (at, nth), chapter, step
