"""Entries: the facts of a game, in order, each saying who may see it.

A state is what its entries fold to; no rule and no die is needed to rebuild it. What everybody may see stands
in `data`; `only` adds what a single seat may see (its character), `hidden` what nobody may see before the end
(the order of a deck). Values are plain: text, whole numbers, booleans, lists and tables of these, never None,
so that an entry can be written as TOML and read by a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from engine.values import fixed

Data = dict[str, Any]
"""Plain data as TOML holds it."""


def copied(value: Any) -> Any:
    """A deep copy of plain data; a tuple comes back as the list that a file would hold."""
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [copied(part) for part in value]
    return value


@fixed
class Entry:
    """One recorded fact. `kind` names the verb that folds it; kinds are never renamed once released.

    An entry holds a copy of what it is made of: a list that somebody goes on working with cannot change what was said.
    """

    kind: str
    data: Data = field(default_factory=dict)
    only: dict[str, Data] = field(default_factory=dict)
    hidden: Data = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("data", "only", "hidden"):
            object.__setattr__(self, name, copied(getattr(self, name)))

    def public(self) -> Data:
        """What the table sees of it, as one table with its kind."""
        return {"kind": self.kind, **self.data}

    def secret(self) -> Data:
        """What the table does not see: `only` by seat and `hidden`; empty when all is public."""
        parts: Data = {"only": self.only, "hidden": self.hidden}
        return {name: part for name, part in parts.items() if part}

    def seen_by(self, seat: str | None) -> Data:
        """The facts that `seat` may see; a spectator (None) sees the public ones."""
        return {**self.data, **self.only.get(seat, {})} if seat else dict(self.data)


def entry(public: Mapping[str, Any], secret: Mapping[str, Any] | None = None) -> Entry:
    """Read an entry back from the two tables that `public()` and `secret()` wrote. Raises KeyError without kind."""
    data = dict(public)
    kind = str(data.pop("kind"))
    secret = secret or {}
    return Entry(kind, data, dict(secret.get("only", {})), dict(secret.get("hidden", {})))
