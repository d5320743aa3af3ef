"""The log of a game: its events in order as plain data, each with who may see it.

A state is what its entries fold to; no rule and no die is needed to rebuild it. `data` holds what everybody may see,
`only` what a single seat may see (its character), `hidden` what nobody may see before the end (the order of a deck).
Values are text, whole numbers, booleans, lists and tables of these, never None, so that an entry can be written as TOML
and read by a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from engine.values import fixed

Data = dict[str, Any]
"""Plain data as TOML holds it."""


def plain_copy(value: Any) -> Any:
    """Return a deep copy of plain data; a tuple becomes a list, as in a file."""
    if isinstance(value, dict):
        return {key: plain_copy(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_copy(part) for part in value]
    return value


@fixed
class LogEntry:
    """One recorded event. `kind` names the class that folds it; kinds are never renamed once released.

    An entry copies its tables, so that later changes to them cannot change the record.
    """

    kind: str
    data: Data = field(default_factory=dict)
    only: dict[str, Data] = field(default_factory=dict)
    hidden: Data = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("data", "only", "hidden"):
            object.__setattr__(self, name, plain_copy(getattr(self, name)))

    @classmethod
    def owning(cls, kind: str, data: Data, only: dict[str, Data], hidden: Data) -> LogEntry:
        """Make an entry of tables that nobody else holds. A copy would take a fifth of the time of an order."""
        made = cls.__new__(cls)
        made.kind, made.data, made.only, made.hidden = kind, data, only, hidden  # type: ignore[misc]
        return made

    def public(self) -> Data:
        """The part that the whole table sees, as one table with its kind."""
        return {"kind": self.kind, **self.data}

    def secret(self) -> Data:
        """The part that the table does not see: `only` by seat and `hidden`; empty if all is public."""
        parts: Data = {"only": self.only, "hidden": self.hidden}
        return {name: part for name, part in parts.items() if part}

    def seen_by(self, seat: str | None) -> Data:
        """The data that `seat` may see; a spectator (None) sees the public part."""
        return {**self.data, **self.only.get(seat, {})} if seat else dict(self.data)


def read_log_entry(public: Mapping[str, Any], secret: Mapping[str, Any] | None = None) -> LogEntry:
    """Read an entry from the two tables that `public()` and `secret()` wrote. Raises KeyError without a kind."""
    data = dict(public)
    kind = str(data.pop("kind"))
    secret = secret or {}
    return LogEntry(kind, data, dict(secret.get("only", {})), dict(secret.get("hidden", {})))
