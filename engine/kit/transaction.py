"""A run of the rules on one position, and the position that log entries fold to.

`Transaction.record` applies an event to the state at once; its entry is written from the event. Folding reads the entry
back into the event and applies it. So a state is what its entries fold to by construction. An event holds exact numbers
(losses after clamping, what a die showed), so folding needs no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from engine import data_paths
from engine.chance import Chance, Draw, Purpose
from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.game import Step
from engine.kit import rolls
from engine.kit.events import Beginning, Event, EventTypes
from engine.kit.rolls import Rolled

S = TypeVar("S")


@dataclass(slots=True)
class Transaction(Generic[S]):
    """A state that the rules work on, the events recorded so far, the source of numbers, and whether anything was
    shown."""

    state: S
    chance: Chance
    facts: list[Event[S]] = field(default_factory=list)
    reveals: bool = False
    drawn: list[Rolled] = field(default_factory=list)
    """Draws that no event tells of yet."""

    kinds: ClassVar[EventTypes[Any]]

    def record(self, fact: Event[S]) -> None:
        """Record one event, with the draw it tells of, and apply it."""
        fact.apply(self.state)
        self.facts.append(fact)
        if type(fact) in self.kinds.telling:
            self._told(fact)

    def _told(self, fact: Event[S]) -> None:
        """Note what an event shows."""
        self.reveals = self.reveals or fact.shows
        if (rolled := self.kinds.rolled(fact)) is not None:
            self.drawn.remove(rolled)
            self.counts(self.state, rolled)

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> Rolled:
        """Roll dice, to be recorded with what they did."""
        return self._drawn(Rolled(purpose, self.chance.roll(purpose, dice, sides), sides))

    def shuffle(self, purpose: Purpose, count: int) -> Rolled:
        """Return the numbers 0 to `count` - 1 in a random order, to be recorded with what they did."""
        return self._drawn(rolls.shuffle(self.chance, purpose, count))

    def _drawn(self, rolled: Rolled) -> Rolled:
        self.reveals = True
        self.drawn.append(rolled)
        return rolled

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The recorded events as log entries, written anew each time."""
        return tuple(map(self.kinds.entry, self.facts))

    def step(self) -> Step[S]:
        """Return what the run has led to; its entries are written when they are read.

        Raises PositionError for a draw that no entry tells of: `verify` could not check it.
        """
        if self.drawn:
            raise PositionError(f"{self.drawn[0].purpose} was drawn and is in no entry", "entries")
        kinds, facts = self.kinds, tuple(self.facts)
        return Step(self.state, lambda: tuple(map(kinds.entry, facts)), self.reveals)

    @staticmethod
    def counts(state: S, rolled: Rolled) -> None:
        """Keep count of draws in the state, where a game does so."""

    @classmethod
    def due(cls, state: S, past: Sequence[LogEntry], entry: LogEntry) -> tuple[Draw, ...]:
        """Return what the rules draw for an entry after the first, on the position before it (`engine.game.Game.due`).
        """
        fact = cls.kinds.fact(entry)
        if entry.kind == data_paths.EDIT_KIND and str(entry.data["path"]).partition(".")[0] == rolls.DRAW_COUNTS:
            raise PositionError("how often was drawn is changed by hand, so that other dice come")
        cls.follows(state, past, fact)
        return (fact.draw(state, past),) if type(fact) in cls.kinds.drawn else ()

    @classmethod
    def follows(cls, state: S, past: Sequence[LogEntry], fact: Event[S]) -> None:
        """Raise PositionError if the rules draw before this event and no entry tells of that draw."""

    @classmethod
    def fold(cls, state: S | None, entries: Sequence[LogEntry]) -> S:
        """Return the state after `entries`; the first of them begins a game if `state` is None.

        `state` itself is changed. Raises PositionError that names the entry which does not fit.
        """
        for number, entry in enumerate(entries):
            try:
                fact = cls.kinds.fact(entry)
                if isinstance(fact, Beginning) is not (state is None):
                    raise PositionError("a chronicle begins with `begins`, once")
                if state is None:
                    state = fact.begun()  # type: ignore[attr-defined]
                else:
                    fact.apply(state)
                    if (rolled := cls.kinds.rolled(fact)) is not None:
                        cls.counts(state, rolled)
            except PositionError as wrong:
                if entry.kind == data_paths.EDIT_KIND:
                    raise  # It says which value of the position cannot be so.
                raise PositionError(str(wrong), f"entry {number} ({entry.kind})") from wrong
            except (LookupError, ValueError, TypeError, AttributeError) as error:
                raise PositionError("does not hold together", f"entry {number} ({entry.kind})") from error
        if state is None:
            raise PositionError("there are no entries")
        return state
