"""Single values of a position by their paths, and the log entries that say what a repair changed.

A path is words joined by dots. A word is the key of a table; in a list of tables it is the `seat` or `id` of one of
them (`seats.anna.deniers`, `cards.merchant.spaces.1`), in any other list a number counted from 1. Games use this for
`settable` and `change`, and to fold the entry `edited`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, PositionError
from engine.event_log import Data, LogEntry

EDIT_KIND = "edited"
_NAMES = ("seat", "id")
NOTHING: Any = object()
"""Stands for a missing value."""


def scalars(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every single value of some tables with its path."""
    for word, value in _parts(data):
        below = f"{path}.{word}" if path else word
        if isinstance(value, dict | list):
            yield from scalars(value, below)
        else:
            yield below, value


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (path, before, after) of every value that differs, as deep as both sides have the same shape.

    A missing value is given as `NOTHING`.
    """
    one, other = dict(_parts(before)), dict(_parts(after))
    alike = type(before) is type(after) and isinstance(before, dict | list)
    if alike and isinstance(before, list) and list(one) != list(other):
        alike = False
    if alike and isinstance(before, dict) and (len(one) != len(before) or len(other) != len(after)):
        alike = False
    if not alike:
        if type(before) is not type(after) or before != after:
            yield path, before, after
        return
    for word in dict.fromkeys((*one, *other)):
        below = f"{path}.{word}" if path else word
        yield from differences(one.get(word, NOTHING), other.get(word, NOTHING), below)


def edit_entry(
    public: Data, secret: Data, path: str, value: Any, reason: str = "", *, hidden: bool = False
) -> LogEntry:
    """Return the entry that puts `value` at `path` of the public tables, or of the secret ones (`hidden`).

    Raises NotAllowed if there is no such path, or if the value is of another kind than the present one.
    """
    tables = secret if hidden else public
    before = value_at(tables, path)
    if before is NOTHING:
        _check_place(tables, path)
    elif value is not NOTHING and type(value) is not type(before):
        kind = _kind(before)
        raise NotAllowed(T("{path} holds {kind}, and «{value}» is not.", path=path, kind=kind, value=str(value)))
    sides: Data = {}
    if before is not NOTHING:
        sides["before"] = before
    if value is not NOTHING:
        sides["after"] = value
    data: Data = {"path": path} | ({"reason": reason} if reason else {})
    return LogEntry(EDIT_KIND, data, hidden={"sides": sides}) if hidden else LogEntry(EDIT_KIND, data | sides)


def put_value(tables: Data, path: str, before: Any, after: Any) -> None:
    """Put `after` at a path that holds `before`; either may be NOTHING. Raises PositionError if it holds another."""
    there = value_at(tables, path)
    if type(there) is not type(before) or there != before:
        raise PositionError("is not what the repair found there", path)
    *above, last = path.split(".")
    holder: Any = value_at(tables, ".".join(above)) if above else tables
    if isinstance(holder, dict):
        if after is NOTHING:
            del holder[last]
        else:
            holder[last] = after
    elif isinstance(holder, list) and after is not NOTHING:
        names = [word for word, _ in _parts(holder)]
        holder[names.index(last)] = after
    else:
        raise PositionError("has no place for a repair", path)


def value_at(tables: Any, path: str) -> Any:
    """Return the value at a path, or NOTHING."""
    value = tables
    for word in path.split("."):
        value = dict(_parts(value)).get(word, NOTHING)
    return value


def parse_value(text: str, present: Any) -> Any:
    """Parse what a person typed for a value of the kind of `present`: a number, yes or no, a text; `+2` and `-2` add.

    Raises NotAllowed.
    """
    word = text.strip()
    if isinstance(present, bool):
        if word.casefold() not in ("yes", "no", "true", "false"):
            raise NotAllowed(T("«{value}» is neither yes nor no.", value=word))
        return word.casefold() in ("yes", "true")
    if isinstance(present, int):
        sign, digits = (word[0], word[1:]) if word[:1] in ("+", "-") else ("", word)
        if not digits.isdecimal() or len(digits) > 9:
            raise NotAllowed(T("«{value}» is no whole number.", value=word))
        number = int(digits)
        return present + number if sign == "+" else present - number if sign == "-" else number
    return word


def edit_sides(data: Data, empty: Msg) -> tuple[Msg | str | int, Msg | str | int] | None:
    """Return the values before and after a public repair, as a person reads them; `empty` stands for an empty text.

    None if only the path may be told: a change of secret tables, or of a table with totals.
    """
    if "before" not in data and "after" not in data:
        return None
    found = [_spoken(data[side], empty) if side in data else T("nothing") for side in ("before", "after")]
    before, after = found
    return None if before is None or after is None else (before, after)


def correction_text(what: Msg | str, found: tuple[Msg | str | int, Msg | str | int] | None) -> Msg:
    """Return the sentence about a repair of `what` (a path, or its words), with both values where they may be told."""
    if found is None:
        return T("The moderator has corrected {what}.", what=what)
    before, after = found
    return T("The moderator has corrected {what}: {after}, was {before}.", what=what, after=after, before=before)


def _spoken(value: Any, empty: Msg) -> Msg | str | int | None:
    """A value in words: a list with commas, a list of lists with strokes between them, a table word by word."""
    if isinstance(value, bool):
        return T("yes") if value else T("no")
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return value or empty
    if isinstance(value, dict):
        plain = all(isinstance(part, int) and not isinstance(part, bool) for part in value.values())
        told = [f"{word} {part}" for word, part in value.items()] if plain and "vp" not in value else None
    elif any(isinstance(part, list) for part in value):
        rows = [_row(part) for part in value]
        told = None if None in rows else [" / ".join(str(row) for row in rows)]
    else:
        row = _row(value)
        told = None if row is None else [row] if value else []
    return None if told is None else ", ".join(told) or T("nothing")


def _row(value: Any) -> str | None:
    if not isinstance(value, list) or not all(isinstance(part, str | int) for part in value):
        return None
    return ", ".join(str(part) or "–" for part in value)


def _check_place(tables: Any, path: str) -> None:
    """Refuse a path whose last table does not exist. Raises NotAllowed."""
    *above, last = path.split(".")
    holder = value_at(tables, ".".join(above)) if above else tables
    if not isinstance(holder, dict) or not last:
        raise NotAllowed(T("There is no {path} in this position.", path=path))


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the words below a value with what they name; a key with a dot cannot be named."""
    if isinstance(value, dict):
        yield from ((key, part) for key, part in value.items() if key and "." not in key)
    elif isinstance(value, list):
        yield from zip(_words(value), value, strict=True)


def _words(items: list[Any]) -> Collection[str]:
    for name in _NAMES:
        words = [str(item[name]) for item in items if isinstance(item, dict) and name in item]
        if items and len(words) == len(items) == len(set(words)) and not any("." in word for word in words):
            return words
    return [str(number) for number in range(1, len(items) + 1)]


def _kind(value: Any) -> str:
    kinds = {bool: "yes or no", int: "a whole number", str: "text", list: "a list", dict: "a table"}
    return kinds.get(type(value), "something else")
