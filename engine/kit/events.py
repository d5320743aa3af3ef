"""Events as values: one frozen dataclass for each kind, with how it is written as a log entry and read back.

An event says what happened in exact numbers and changes a state (`apply`). Its fields stand in the entry's `data`,
except those marked `ONLY` (a table by seat: each seat sees its own) and `HIDDEN` (nobody sees it before the end). A
field with its default is left out. The field `rolled` holds the draw that the event tells of; it is written in the
words that `verify` looks for, so that no game can forget it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

from engine.chance import Draw
from engine.errors import PositionError
from engine.event_log import Data, LogEntry
from engine.kit.codec import Codec
from engine.kit.rolls import Rolled

S = TypeVar("S")
ONLY = {"seen": "only"}
"""Metadata of a field that is a table by seat; each seat sees its own part."""
HIDDEN = {"seen": "hidden"}
"""Metadata of a field that nobody sees."""
ROLLED = "rolled"
"""The field that holds a draw (`Rolled`, or None if nothing was drawn)."""


class Event(Generic[S]):
    """What one log entry says of a state. Fields are plain, never changed, and not shared."""

    __slots__ = ()
    kind: ClassVar[str]
    """The kind of its entries; never renamed once released."""
    shows: ClassVar[bool] = False
    """True if it shows what was hidden. An event with a draw always does."""
    draws_for: ClassVar[tuple[str, ...]] = ()
    """The kinds of the draws that it may tell of."""

    def apply(self, state: S) -> None:
        """Change the state. Raises PositionError, LookupError or ValueError if the event does not fit.

        Nothing changes if the event only announces the following ones.
        """

    def draw(self, state: S, past: Sequence[LogEntry]) -> Draw:
        """Return what the rules draw for this event, on the position before it and after the valid entries `past`.

        It is worked out without what the event says of its draw. Raises PositionError if nothing calls for a draw, or
        if the event does not follow from its numbers.
        """
        raise PositionError("nobody knows what is drawn for it")


class Beginning(Event[S]):
    """The first event of a game."""

    __slots__ = ()
    kind = "begins"

    def begun(self) -> S:
        """Return the state before anything else happened."""
        raise NotImplementedError


class EventTypes(Generic[S]):
    """All kinds of events of a game: those that some modules declare, and `others`."""

    def __init__(self, *modules: ModuleType, others: Iterable[type[Event[Any]]] = ()) -> None:
        declared = [fact for module in modules for fact in _declared(module)]
        self.facts: dict[str, type[Event[S]]] = {fact.kind: fact for fact in (*declared, *others)}
        self._written = {fact: _Written(fact) for fact in self.facts.values()}
        self.drawn = frozenset(fact for fact, written in self._written.items() if written.drawn)
        """Those that may tell of a draw."""
        self.telling = self.drawn | {fact for fact in self._written if fact.shows}
        """Those and the ones that show what was hidden."""

    @property
    def draws(self) -> Mapping[str, tuple[str, ...]]:
        """Kinds of events that may tell of a draw, to the kinds of their draws."""
        return {fact.kind: fact.draws_for for fact in self.drawn}

    def rolled(self, fact: Event[S]) -> Rolled | None:
        """Return the draw that an event tells of."""
        return getattr(fact, ROLLED) if type(fact) in self.drawn else None

    def entry(self, fact: Event[S]) -> LogEntry:
        """Write an event as a log entry."""
        return self._written[type(fact)].entry(fact)

    def fact(self, entry: LogEntry) -> Event[S]:
        """Read the event of a log entry. Raises PositionError."""
        found = self.facts.get(entry.kind)
        if found is None:
            raise PositionError(f"«{entry.kind}» is no kind of entry here")
        return self._written[found].fact(entry)

    def read(self, entries: Iterable[LogEntry]) -> Iterator[Event[S]]:
        """Read the events of log entries. Raises PositionError."""
        return map(self.fact, entries)


class _Written:
    """How the events of one kind are written and read."""

    def __init__(self, fact: type[Event[Any]]) -> None:
        self.make: Any = fact
        named = {field.name: field for field in fields(fact)}  # type: ignore[arg-type]
        draw = named.pop(ROLLED, None)
        self.drawn, self.must_draw = draw is not None, draw is not None and draw.default is MISSING
        parts = [
            " ".join(name for name, field in named.items() if field.metadata.get("seen", "") == seen)
            for seen in ("", "only", "hidden")
        ]
        self.data, self.only, self.hidden = (Codec(self.make, part, sparse=True) for part in parts)
        self.private = any(parts[1:])

    def entry(self, fact: Event[Any]) -> LogEntry:
        data = self.data.write(fact)
        rolled: Rolled | None = getattr(fact, ROLLED) if self.drawn else None
        if rolled is not None:
            data |= rolled.data
        if not self.private:
            return LogEntry.owning(fact.kind, data, {}, {})
        return LogEntry.owning(fact.kind, data, _turned(self.only.write(fact)), self.hidden.write(fact))

    def fact(self, entry: LogEntry) -> Event[Any]:
        if self.must_draw or (self.drawn and "draw" in entry.data):
            data = dict(entry.data)
            try:
                rolled = Rolled.told(data)
            except (LookupError, TypeError, ValueError):
                raise PositionError("does not tell what was drawn", "draw") from None
            found = self.data.values(data)
            found[ROLLED] = rolled
        else:
            found = self.data.values(entry.data)
        if self.private:
            found |= self.only.values(_turned(entry.only)) | self.hidden.values(entry.hidden)
        made: Event[Any] = self.make(**found)
        return made


def _turned(table: dict[str, Data]) -> dict[str, Data]:
    """Swap the two keys of a table of tables: fields by seat, seats by field."""
    found: dict[str, Data] = {}
    for outer, inner in table.items():
        for key, value in inner.items():
            found.setdefault(key, {})[outer] = value
    return found


def _declared(module: ModuleType) -> Iterator[type[Event[Any]]]:
    for value in vars(module).values():
        here = isinstance(value, type) and issubclass(value, Event) and value.__module__ == module.__name__
        if here and hasattr(value, "kind"):
            yield value
