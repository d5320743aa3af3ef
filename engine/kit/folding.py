"""A run of the rules on one position, and the position that entries fold to: the same thing.

`Run.record` lets a fact happen to the state at once, and its entry is written from the fact; folding reads the entry
back into the fact and lets it happen. So a state is what its entries fold to by construction. A fact holds exact
numbers (what was lost after clamping, what a die showed), so that folding needs no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from engine.chance import Chance, Purpose
from engine.chronicle import Data, Entry
from engine.errors import PositionError
from engine.game import Step
from engine.kit import rolls
from engine.kit.facts import Beginning, Fact, Kinds
from engine.kit.rolls import Rolled

S = TypeVar("S")


@dataclass(slots=True)
class Run(Generic[S]):
    """What was recorded on one state, where numbers come from, and whether anything was shown."""

    state: S
    chance: Chance
    facts: list[Fact[S]] = field(default_factory=list)
    reveals: bool = False
    drawn: list[Rolled] = field(default_factory=list)
    """Draws that no fact has told yet."""

    kinds: ClassVar[Kinds[Any]]

    def record(self, fact: Fact[S]) -> None:
        """Record one fact, with the roll it tells of, and let it happen."""
        rolled = self.kinds.rolled(fact)
        if rolled is not None:
            self.drawn.remove(rolled)
        self.happen(self.state, fact)
        if fact.shows:
            self.reveals = True
        self.facts.append(fact)

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> Rolled:
        """Dice, to be recorded with what they did."""
        return self._drawn(rolls.roll(self.chance, purpose, dice, sides))

    def shuffle(self, purpose: Purpose, count: int) -> Rolled:
        """The numbers 0 to `count` - 1 in a random order, to be recorded with what they did."""
        return self._drawn(rolls.shuffle(self.chance, purpose, count))

    def _drawn(self, rolled: Rolled) -> Rolled:
        self.reveals = True
        self.drawn.append(rolled)
        return rolled

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was recorded, as entries: written anew each time."""
        return tuple(map(self.kinds.entry, self.facts))

    def step(self) -> Step[S]:
        """What the run has led to. Raises PositionError for a draw that no entry tells: `verify` could not check it."""
        if self.drawn:
            raise PositionError(f"{self.drawn[0].purpose} was drawn and is in no entry", "entries")
        return Step(self.state, self.entries, self.reveals)

    @classmethod
    def happen(cls, state: S, fact: Fact[S]) -> None:
        """Let one fact happen."""
        fact.apply(state)

    @classmethod
    def fold(cls, state: S | None, entries: Sequence[Entry]) -> S:
        """The state after `entries`, the first of which begins a game if there is none yet.

        `state` itself is changed. Raises PositionError, which says the entry, where one does not fit.
        """
        for number, entry in enumerate(entries):
            try:
                fact = cls.kinds.fact(entry)
                if isinstance(fact, Beginning) is not (state is None):
                    raise PositionError("a chronicle begins with `begins`, once")
                if state is None:
                    state = fact.begun()  # type: ignore[attr-defined]
                else:
                    cls.happen(state, fact)
            except PositionError as wrong:
                raise PositionError(str(wrong), f"entry {number} ({entry.kind})") from wrong
            except (LookupError, ValueError, TypeError, AttributeError) as error:
                raise PositionError("does not hold together", f"entry {number} ({entry.kind})") from error
        if state is None:
            raise PositionError("there are no entries")
        return state


# For a game whose entries are not typed yet.

Fold = Callable[[S, Data, Entry], None]
"""What one kind of entry does to a state. Raises PositionError, LookupError or ValueError where it does not fit."""


@dataclass(slots=True)
class Untyped(Generic[S]):
    """As `Run`, of entries made by their kind and data, which `folds` lets happen."""

    state: S
    chance: Chance
    entries: list[Entry] = field(default_factory=list)
    reveals: bool = False
    drawn: list[Rolled] = field(default_factory=list)

    folds: ClassVar[Mapping[str, Fold[Any]]] = {}
    shows: ClassVar[frozenset[str]] = frozenset()

    def record(
        self,
        kind: str,
        /,
        *rolled: Rolled,
        only: dict[str, Data] | None = None,
        hidden: Data | None = None,
        **data: Any,
    ) -> None:
        """Record one fact, with the roll it tells of, and let it happen."""
        for one in rolled:
            data |= one.data
            self.drawn.remove(one)
        made = Entry(kind, data, only or {}, hidden or {})
        self.happen(self.state, made)
        if kind in self.shows:
            self.reveals = True
        self.entries.append(made)

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> Rolled:
        """Dice, to be recorded with what they did."""
        return self._drawn(rolls.roll(self.chance, purpose, dice, sides))

    def shuffle(self, purpose: Purpose, count: int) -> Rolled:
        """The numbers 0 to `count` - 1 in a random order, to be recorded with what they did."""
        return self._drawn(rolls.shuffle(self.chance, purpose, count))

    def _drawn(self, rolled: Rolled) -> Rolled:
        self.reveals = True
        self.drawn.append(rolled)
        return rolled

    def step(self) -> Step[S]:
        """What the run has led to. Raises PositionError for a draw that no entry tells: `verify` could not check it."""
        if self.drawn:
            raise PositionError(f"{self.drawn[0].purpose} was drawn and is in no entry", "entries")
        return Step(self.state, tuple(self.entries), self.reveals)

    @classmethod
    def happen(cls, state: S, entry: Entry) -> None:
        """Let one entry happen."""
        cls.folds[entry.kind](state, entry.data, entry)

    @classmethod
    def fold(cls, state: S | None, entries: Sequence[Entry], begun: Callable[[Entry], S]) -> S:
        """The state after `entries`, the first of which begins a game if there is none yet."""
        for number, entry in enumerate(entries):
            try:
                if (entry.kind == "begins") is not (state is None):
                    raise PositionError("a chronicle begins with `begins`, once")
                if state is None:
                    state = begun(entry)
                else:
                    cls.happen(state, entry)
            except PositionError:
                raise
            except (LookupError, ValueError, TypeError, AttributeError) as error:
                raise PositionError(_unfit(error), f"entry {number} ({entry.kind})") from error
        if state is None:
            raise PositionError("there are no entries")
        return state


def _unfit(error: Exception) -> str:
    """Why an entry does not fit, in words."""
    return f"«{error.args[0]}» is missing" if isinstance(error, KeyError) else "does not hold together"


def heading(state: object, data: Data, entry: Entry) -> None:
    """Nothing changes: the entry says what the following ones belong to."""
