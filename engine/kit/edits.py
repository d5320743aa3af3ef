"""Repairs of a position by a moderator, by the paths of `dump`'s tables; paths of a seat are shortened.

`anna.deniers` is short for `seats.anna.deniers`; other paths are as in the tables: `palace.6`,
`cards.merchant.spaces.1`. Secret values can be changed too; such a change stays hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, ClassVar, TypeVar

from engine import data_paths
from engine.catalog import T
from engine.errors import NotAllowed
from engine.event_log import Data, LogEntry
from engine.kit.events import HIDDEN, Event
from engine.kit.rolls import DRAW_COUNTS
from engine.state_repair import StateRepair
from engine.values import fixed

S = TypeVar("S")


@fixed
class StateEdits(StateRepair[S]):
    """The repairs of one game. `kept` names tables that hang together with others: not offered singly, though an edit
    of the whole position may change them. `secret` names the tables in the second part of `dump`."""

    dump: Callable[[S], tuple[Data, Data]]
    load: Callable[[Data, Data], S]
    kept: frozenset[str]
    secret: frozenset[str]

    def settable(self, state: S) -> dict[str, Any]:
        public, _ = self.dump(state)
        named = data_paths.scalars({name: part for name, part in public.items() if name not in self.kept})
        return {_short(public, path): value for path, value in named if path.rpartition(".")[2] not in ("seat", "id")}

    def change(self, state: S, path: str, value: Any, reason: str = "") -> LogEntry:
        public, secret = self.dump(state)
        whole = _whole(public, path)
        head, _, rest = whole.partition(".")
        if head in ("schema", DRAW_COUNTS) or (head == "seats" and rest.endswith(".seat")):
            raise NotAllowed(T("{path} cannot be changed.", path=path))
        found = data_paths.edit_entry(public, secret, whole, value, reason, hidden=head in self.secret)
        return LogEntry(found.kind, {**found.data, "path": _short(public, whole)}, found.only, found.hidden)

    def fold(self, state: S, edited: Edited) -> None:
        """Apply a repair. Raises PositionError if the position is not as the repair found it."""
        public, secret = self.dump(state)
        hidden = edited.sides
        if hidden:
            sides = [hidden.get(side, data_paths.NOTHING) for side in ("before", "after")]
            data_paths.put_value(secret, edited.path, *sides)
        else:
            data_paths.put_value(public, _whole(public, edited.path), edited.before, edited.after)
        changed = self.load(public, secret)
        for part in fields(changed):  # type: ignore[arg-type]
            setattr(state, part.name, getattr(changed, part.name))


@fixed
class Edited(Event[Any]):
    """A moderator's repair, as `engine.data_paths.edit_entry` words it; a game sets `repairs`.

    `sides` holds what was changed in secret tables.
    """

    kind = data_paths.EDIT_KIND
    repairs: ClassVar[StateEdits[Any]]

    path: str
    reason: str = ""
    before: Any = data_paths.NOTHING
    after: Any = data_paths.NOTHING
    sides: dict[str, Any] = field(default_factory=dict, metadata=HIDDEN)

    def apply(self, state: Any) -> None:
        self.repairs.fold(state, self)


def _seats(public: Data) -> set[str]:
    return {row["seat"] for row in public["seats"]}


def _whole(public: Data, path: str) -> str:
    return f"seats.{path}" if path.partition(".")[0] in _seats(public) else path


def _short(public: Data, path: str) -> str:
    head, _, rest = path.partition(".")
    return rest if head == "seats" and rest.partition(".")[0] in _seats(public) else path
