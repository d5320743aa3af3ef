"""Plain data as TOML that a person can read, edit and compare, and back.

What is written reads back equal, and in the same order: the seats of a table stand clockwise in their file. TOML
wants the plain values of a table before its sub-tables, so only the last items of a table get sections of their
own; a large table that stands before a plain value is written with dotted keys. Short lists and tables stay on one
line; of a list of tables each stands on its own line, or in its own section when it is long.
"""

from __future__ import annotations

import marshal
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from engine.chronicle import Data
from engine.errors import PositionError
from pbem.store.recent import Recent

LINE = 96
"""How many characters a value may take to stay on one line."""
ROW = 140
"""The same for one table in a list of tables."""

SMALL = 40
"""The same for a whole list of tables."""

WRITTEN = 1024
"""Sections that stay written, such as what the table sees of a seat: some hundred bytes, the box of a game 5,000."""

_WORDS = {True: "true", False: "false"}

_TABLE, _LIST = (dict, Mapping), (list, tuple)
"""What is written as either; a dict is known by its class, any other mapping has to be asked."""

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def parse(raw: bytes, path: str) -> Data:
    """Read a TOML file; `path` names it in errors. Raises PositionError for anything that is not TOML."""
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise PositionError(f"is not UTF-8 text: {error.reason} at byte {error.start}", path) from None
    except tomllib.TOMLDecodeError as error:
        raise PositionError(f"is not TOML: {error}", path) from None
    except RecursionError:
        raise PositionError("is nested too deeply", path) from None


def write(data: Mapping[str, Any], path: str = "") -> bytes:
    """The TOML text of a table. Raises PositionError naming a value that TOML does not have (None, a set, …)."""
    lines: list[str] = []
    try:
        _section(lines, data, "", "")
        return ("\n".join(lines) + "\n" if lines else "").encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise PositionError("has no place in TOML", path + _culprit(data).removeprefix(".")) from error


def _section(lines: list[str], table: Mapping[str, Any], name: str, head: str) -> None:
    items = list(table.items())
    cut = len(items)
    while cut and _tabular(items[cut - 1][1]):
        cut -= 1
    while cut < len(items) and _fits(items[cut][1]):
        cut += 1
    if head and (cut or not items or head.startswith("[[")):
        lines += ["", head] if lines else [head]
    for key, value in items[:cut]:
        _lines(lines, _key(key), value)
    for key, value in items[cut:]:
        path = f"{name}.{_key(key)}" if name else _key(key)
        if name and "." not in name and isinstance(value, dict):
            _again(lines, value, path)
        elif isinstance(value, Mapping):
            _section(lines, value, path, f"[{path}]")
        else:
            for item in value:
                _section(lines, item, path, f"[[{path}]]")


def _again(lines: list[str], table: Data, path: str) -> None:
    """A section, as it was written of late where that is kept: next to nothing of a position changes from one commit
    to the next, and the facts of its box never do."""
    try:
        # Version 2 gives equal bytes for equal tables, however their parts are shared.
        key = path, marshal.dumps(table, 2)
    except ValueError:
        key = None
    text: str | None = _written.get(key)
    if text is None:
        found: list[str] = []
        _section(found, table, path, f"[{path}]")
        text = "\n".join(found)
        if key:
            _written.put(key, text)
    lines += ["", text] if lines else [text]


_written = Recent(WRITTEN)


def _tabular(value: Any) -> bool:
    return value.__class__ not in _SCALARS and (isinstance(value, _TABLE) or _rows(value))


def _rows(value: Any) -> bool:
    return isinstance(value, _LIST) and bool(value) and all(isinstance(item, _TABLE) for item in value)


def _fits(value: Any) -> bool:
    if isinstance(value, Mapping):
        return _short(value, LINE) is not None
    return all(_short(item, ROW) is not None for item in value)


def _lines(lines: list[str], key: str, value: Any) -> None:
    text = _short(value, LINE)
    if text is not None and (len(text) <= SMALL or not _rows(value)):
        lines.append(f"{key} = {text}")
    elif isinstance(value, Mapping):
        for inner, part in value.items():
            _lines(lines, f"{key}.{_key(inner)}", part)
    elif isinstance(value, list | tuple):
        lines.append(f"{key} = [")
        row = ""
        for item in value:
            text = _inline(item)
            if row and (isinstance(item, Mapping) or len(row) + len(text) > LINE):
                lines.append(f"    {row}")
                row = ""
            row += f" {text}," if row else f"{text},"
        lines += [f"    {row}", "]"]
    else:
        lines.append(f"{key} = {_inline(value)}")


def _short(value: Any, room: int) -> str | None:
    """The value on one line, or None as soon as it is clear that it needs more room."""
    if (write := _SCALARS.get(value.__class__)) is not None:
        text = write(value)
        return text if len(text) <= room else None
    parts = []
    if isinstance(value, _LIST):
        for item in value:
            part = _short(item, room - 2)
            if part is None:
                return None
            parts.append(part)
            room -= len(part) + 2
        return f"[{', '.join(parts)}]"
    if isinstance(value, _TABLE):
        for key, item in value.items():
            name = f"{_key(key)} = "
            room -= len(name) + 2
            part = _short(item, room)
            if part is None:
                return None
            parts.append(name + part)
            room -= len(part)
        return f"{{{', '.join(parts)}}}"
    text = _inline(value)
    return text if len(text) <= room else None


def _inline(value: Any) -> str:
    if (write := _SCALARS.get(value.__class__)) is not None:
        return write(value)
    if isinstance(value, _LIST):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, _TABLE):
        return "{" + ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, datetime):
        text = value.isoformat()
        return text.removesuffix("+00:00") + "Z" if value.tzinfo == UTC else text
    if isinstance(value, date | time):
        return value.isoformat()
    for kind in (str, int, float):
        if isinstance(value, kind):
            return _SCALARS[kind](value)
    raise TypeError


def _quoted(text: str) -> str:
    return encode_basestring(text).replace("\x7f", "\\u007f")


_SCALARS: dict[type, Callable[[Any], str]] = {str: _quoted, int: str, bool: _WORDS.__getitem__, float: repr}
"""How the plainest values are written, which are most; their own kinds (an enumeration's) after everything else."""


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError
    return _named(key)


@lru_cache(4096)
def _named(key: str) -> str:
    return key if key and _BARE.issuperset(key) else _quoted(key)


def _culprit(value: Any) -> str:
    """The path of the first value that cannot be written; only looked for once it is known that there is one."""
    inner: Iterable[tuple[str, Any]] = ()
    if isinstance(value, Mapping):
        inner = ((f".{key}", item) for key, item in value.items())
    elif isinstance(value, list | tuple):
        inner = ((f"[{number}]", item) for number, item in enumerate(value))
    for name, item in inner:
        try:
            _inline(item).encode()
        except (TypeError, UnicodeEncodeError):
            return name + _culprit(item)
    return ""
