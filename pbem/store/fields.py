"""Typed reading of plain data: every wrong value is named by its path in the file.

`Fields` wraps one table; each method takes one key off it, and `done` refuses what is left over, so that a key
misspelt by hand is met as an error and not lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from engine.chronicle import Data
from engine.errors import PositionError

T = TypeVar("T")
_NEEDED: Any = object()

Step = Callable[[Data], Data]
"""Brings the tables of one schema to the next; pure."""


class StoredTable:
    """One table being read. `where` is its path, beginning with the file's name."""

    def __init__(self, data: Data, where: str) -> None:
        self._left = dict(data)
        self._where = where

    def where(self, key: str) -> str:
        """The path of a key: `state.toml: table.seats[1].told`."""
        return f"{self._where}{'' if self._where.endswith(': ') else '.'}{key}"

    def _take(self, key: str, kind: type[T] | tuple[type[T], ...], says: str, default: Any) -> T:
        value = self._left.pop(key, _NEEDED)
        if value is _NEEDED:
            if default is _NEEDED:
                raise PositionError(f"is missing; {says} is needed", self.where(key))
            found: T = default
            return found
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise PositionError(f"is {_what(value)}; {says} is needed", self.where(key))
        return value

    def text(self, key: str, default: str = _NEEDED) -> str:
        return self._take(key, str, "text", default)

    def number(self, key: str, default: int = _NEEDED) -> int:
        """A whole number of 0 or more."""
        value = self._take(key, int, "a whole number", default)
        if value < 0:
            raise PositionError(f"is {value}; 0 or more is needed", self.where(key))
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        return self._take(key, bool, "true or false", default)

    def moment(self, key: str) -> datetime:
        """A date and time with its zone, given back in UTC."""
        value = self._take(key, datetime, "a date and time", _NEEDED)
        if value.tzinfo is None:
            raise PositionError(f"{value} lacks a time zone; end it with Z for UTC", self.where(key))
        return value.astimezone(UTC)

    def texts(self, key: str) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", [])
        for number, value in enumerate(values):
            if not isinstance(value, str):
                raise PositionError(f"is {_what(value)}; text is needed", self.where(f"{key}[{number}]"))
        return tuple(values)

    def data(self, key: str) -> Data:
        """A table of anything; empty if it is not there."""
        return self._take(key, dict, "a table", {})

    def words(self, key: str) -> dict[str, str]:
        """A table of texts; empty if it is not there."""
        found = self.data(key)
        for inner, value in found.items():
            if not isinstance(value, str):
                raise PositionError(f"is {_what(value)}; text is needed", self.where(f"{key}.{inner}"))
        return found

    def sub(self, key: str) -> StoredTable:
        """A table that must be there."""
        return StoredTable(self._take(key, dict, "a table", _NEEDED), self.where(key))

    def maybe(self, key: str) -> StoredTable | None:
        return self.sub(key) if key in self._left else None

    def subs(self, key: str) -> tuple[StoredTable, ...]:
        """A list of tables; empty if it is not there."""
        found = []
        for number, value in enumerate(self._take(key, list, "a list of tables", [])):
            where = self.where(f"{key}[{number}]")
            if not isinstance(value, dict):
                raise PositionError(f"is {_what(value)}; a table is needed", where)
            found.append(StoredTable(value, where))
        return tuple(found)

    def tables(self, key: str) -> tuple[Data, ...]:
        """A list of tables as they are; empty if it is not there."""
        return tuple(item._left for item in self.subs(key))

    def named(self, key: str) -> dict[str, StoredTable]:
        """A table of tables; empty if it is not there."""
        found = {}
        for inner, value in self.data(key).items():
            where = self.where(f"{key}.{inner}")
            if not isinstance(value, dict):
                raise PositionError(f"is {_what(value)}; a table is needed", where)
            found[inner] = StoredTable(value, where)
        return found

    def done(self) -> None:
        """Raises PositionError when keys are left that nobody asked for."""
        for key in self._left:
            raise PositionError("is not known here; a misspelt name?", self.where(key))


def upgraded(data: Data, current: int, steps: Mapping[int, Step], path: str) -> tuple[Data, bool]:
    """Bring a file's table to the `current` schema; also whether it was older.

    `steps[n]` turns schema n into n + 1. Raises PositionError for a file of a newer program, or without a schema.
    """
    schema = data.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise PositionError(f"is {_what(schema)}; a whole number from 1 to {current} is needed", f"{path}: schema")
    if schema > current:
        raise PositionError(f"is {schema}, of a newer version; this one reads up to {current}", f"{path}: schema")
    for number in range(schema, current):
        data = {**steps[number](data), "schema": number + 1}
    return data, schema < current


def _what(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return repr(value)
