"""What a moderator may put right in a position, and how: by the paths of `dump`'s tables, a seat's own ones shortened.

`anna.deniers` is short for `seats.anna.deniers`; other paths are as they stand in the tables: `palace.6`,
`cards.merchant.spaces.1`. What is secret can be changed too; what is changed there stays hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from engine import editing
from engine.catalog import T
from engine.chronicle import Data, Entry
from engine.errors import NotAllowed

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Repairs(Generic[S]):
    """The repairs of one game. `kept` names tables that hang together with others: not offered singly, though an edit
    of the whole may change them; `secret` those that `dump` gives as its second part."""

    dump: Callable[[S], tuple[Data, Data]]
    load: Callable[[Data, Data], S]
    kept: frozenset[str]
    secret: frozenset[str]

    def settable(self, state: S) -> dict[str, Any]:
        """Every single public value that can be put right alone, by its path."""
        public, _ = self.dump(state)
        named = editing.scalars({name: part for name, part in public.items() if name not in self.kept})
        return {_short(public, path): value for path, value in named if path.rpartition(".")[2] not in ("seat", "id")}

    def change(self, state: S, path: str, value: Any, reason: str = "") -> Entry:
        """The entry of one repair. Raises NotAllowed."""
        public, secret = self.dump(state)
        whole = _whole(public, path)
        head, _, rest = whole.partition(".")
        if head == "schema" or (head == "seats" and rest.endswith(".seat")):
            raise NotAllowed(T("{path} cannot be changed.", path=path))
        found = editing.change(public, secret, whole, value, reason, hidden=head in self.secret)
        return Entry(found.kind, {**found.data, "path": _short(public, whole)}, found.only, found.hidden)

    def fold(self, state: S, entry: Entry) -> None:
        """Let a repair happen. Raises PositionError when the position is not as the repair found it."""
        public, secret = self.dump(state)
        path = _whole(public, str(entry.data["path"]))
        editing.apply(public, secret, Entry(entry.kind, {**entry.data, "path": path}, entry.only, entry.hidden))
        changed = self.load(public, secret)
        for field in fields(changed):  # type: ignore[arg-type]
            setattr(state, field.name, getattr(changed, field.name))


def _seats(public: Data) -> set[str]:
    return {row["seat"] for row in public["seats"]}


def _whole(public: Data, path: str) -> str:
    return f"seats.{path}" if path.partition(".")[0] in _seats(public) else path


def _short(public: Data, path: str) -> str:
    head, _, rest = path.partition(".")
    return rest if head == "seats" and rest.partition(".")[0] in _seats(public) else path
