"""Writes plain data as TOML that a person can read, edit and compare, and reads it back equal, in the same order.

TOML wants the plain values of a table before its sub-tables. So only the last items of a table get sections of their
own; a large table before a plain value is written with dotted keys. Short lists and tables stay on one line. In a list
of tables each stands on its own line, or in its own section when it is long.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from engine.errors import PositionError
from engine.event_log import Data

LINE_WIDTH = 96
"""The most characters of a value on one line."""
ROW_WIDTH = 140
"""The most characters of a table, within a list of tables, on one line."""

SHORT_LIST = 40
"""The most characters of a list of tables on one line."""

_WORDS = {True: "true", False: "false"}

_TABLE, _LIST = (dict, Mapping), (list, tuple)
"""The types written as a table or a list; dict stands first because its check is fast."""

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def parse_toml(raw: bytes, path: str) -> Data:
    """The data of a TOML file; `path` names it in errors. Raises PositionError for anything but TOML."""
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise PositionError(f"is not UTF-8 text: {error.reason} at byte {error.start}", path) from None
    except tomllib.TOMLDecodeError as error:
        raise PositionError(f"is not TOML: {error}", path) from None
    except RecursionError:
        raise PositionError("is nested too deeply", path) from None


def toml_bytes(data: Mapping[str, Any], path: str = "") -> bytes:
    """The TOML text of a table. Raises PositionError with the path of a value that TOML has not, such as None."""
    lines: list[str] = []
    try:
        _section(lines, data, "", "")
        return ("\n".join(lines) + "\n" if lines else "").encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise PositionError("has no place in TOML", path + _culprit(data).removeprefix(".")) from error


def _section(lines: list[str], table: Mapping[str, Any], name: str, head: str) -> None:
    items = list(table.items())
    cut = len(items)
    while cut and (isinstance(items[cut - 1][1], _TABLE) or _rows(items[cut - 1][1])):
        cut -= 1
    while cut < len(items) and _fits(items[cut][1]):
        cut += 1
    if head and (cut or not items or head.startswith("[[")):
        lines += ["", head] if lines else [head]
    for key, value in items[:cut]:
        _lines(lines, _key(key), value)
    for key, value in items[cut:]:
        path = f"{name}.{_key(key)}" if name else _key(key)
        if isinstance(value, Mapping):
            _section(lines, value, path, f"[{path}]")
        else:
            for item in value:
                _section(lines, item, path, f"[[{path}]]")


def _rows(value: Any) -> bool:
    return isinstance(value, _LIST) and bool(value) and all(isinstance(item, _TABLE) for item in value)


def _fits(value: Any) -> bool:
    if isinstance(value, Mapping):
        return _short(value, LINE_WIDTH) is not None
    return all(_short(item, ROW_WIDTH) is not None for item in value)


def _lines(lines: list[str], key: str, value: Any) -> None:
    text = _short(value, LINE_WIDTH)
    if text is not None and (len(text) <= SHORT_LIST or not _rows(value)):
        lines.append(f"{key} = {text}")
    elif isinstance(value, Mapping):
        for inner, part in value.items():
            _lines(lines, f"{key}.{_key(inner)}", part)
    elif isinstance(value, list | tuple):
        lines.append(f"{key} = [")
        row = ""
        for item in value:
            text = _inline(item)
            if row and (isinstance(item, Mapping) or len(row) + len(text) > LINE_WIDTH):
                lines.append(f"    {row}")
                row = ""
            row += f" {text}," if row else f"{text},"
        lines += [f"    {row}", "]"]
    else:
        lines.append(f"{key} = {_inline(value)}")


def _short(value: Any, room: int) -> str | None:
    """The value on one line, or None as soon as it needs more than `room` characters."""
    if (write := _SCALARS.get(value.__class__)) is not None:
        text = write(value)
        return text if len(text) <= room else None
    parts = []
    if isinstance(value, _LIST):
        for item in value:
            if (part := _short(item, room - 2)) is None:
                return None
            parts.append(part)
            room -= len(part) + 2
        return f"[{', '.join(parts)}]"
    if isinstance(value, _TABLE):
        for key, item in value.items():
            name = f"{_key(key)} = "
            room -= len(name) + 2
            if (part := _short(item, room)) is None:
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
"""Writers of the plain types, which most values have. Subclasses, such as enumerations, are tried last."""


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError
    return _named(key)


@lru_cache(4096)
def _named(key: str) -> str:
    return key if key and _BARE.issuperset(key) else _quoted(key)


def _culprit(value: Any) -> str:
    """The path of the first value that cannot be written."""
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
