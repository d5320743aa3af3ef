"""Turns plain data into dataclasses and back, through msgspec, and names each wrong value by its path in the file.

The types of the fields say what may stand there, `Meta(description=…)` says it in words where the type does not. An
unknown key is an error. Only this module reads the messages of msgspec.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from engine.errors import PositionError
from engine.event_log import Data

T = TypeVar("T")

Step = Callable[[Data], Data]
"""Brings the tables of one schema to the next; a pure function."""

Hook = Callable[[type, Any], Any]
"""Makes a value of a type that msgspec does not know."""

Count: TypeAlias = Annotated[int, Meta(ge=0, description="a whole number, 0 or more,")]
Moment: TypeAlias = Annotated[datetime, Meta(tz=True, description="a date and time with its zone, Z for UTC,")]

_PATH = re.compile(r" - at `\$(.*)`$")
_PART = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_LACKS = re.compile(r"missing required field `(.*?)`")
_CALLED = {str: "text", int: "a whole number", bool: "true or false", datetime: "a date and time"}
_GONE = object()
_PLAIN = frozenset({str, int, bool})


@dataclass(frozen=True, slots=True)
class InvalidValue:
    """A value that cannot be read: its path of keys and numbers, what stands there, and what is needed there."""

    path: tuple[str | int, ...]
    value: Any
    needed: str


def convert_data(kind: type[T], data: Any, hook: Hook | None = None) -> T | InvalidValue:
    """The value of a type from plain data, or the first wrong value."""
    try:
        found = msgspec.convert(data, kind, builtin_types=(datetime,), dec_hook=hook)
    except msgspec.ValidationError as odd:
        return _wrong(kind, data, str(odd), hook)
    strange = next(_strange(found, data, ()), None)
    return found if strange is None else strange


def from_data(kind: type[T], data: Any, where: str) -> T:
    """The value of a type from plain data; `where` is the path of the data, from the file on. Raises PositionError."""
    found = convert_data(kind, data)
    if not isinstance(found, InvalidValue):
        return found
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in found.path)
    where = where + (place.removeprefix(".") if where.endswith(": ") else place)
    if not found.needed:
        raise PositionError("is not known here; a misspelt name?", where)
    says = "missing" if found.value is _GONE else describe_value(found.value)
    raise PositionError(f"is {says}; {found.needed} is needed", where)


def to_data(value: Any) -> Any:
    """A dataclass as plain data for TOML or JSON, without the fields that have their default."""
    if value.__class__ in _PLAIN:
        return value
    if is_dataclass(value):
        parts = ((name, getattr(value, name), default) for name, default in _defaults(value.__class__))
        return {name: to_data(part) for name, part, default in parts if part != default}
    if isinstance(value, dict):
        return {key: to_data(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_data(part) for part in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return value.value if isinstance(value, Enum) else value


@cache
def _defaults(kind: Hashable) -> tuple[tuple[str, Any], ...]:
    made = ((field, field.default_factory) for field in fields(kind))  # type: ignore[arg-type]
    return tuple((field.name, field.default if make is MISSING else make()) for field, make in made)


def upgrade_schema(data: Data, current: int, steps: Mapping[int, Step], path: str) -> Data:
    """Bring a file's table to the `current` schema, and take the number off it.

    `steps[n]` turns schema n into n + 1. Raises PositionError for a file of a newer program, without a schema,
    or that is not what its schema says.
    """
    schema = data.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        says = f"is {describe_value(schema)}; a whole number from 1 to {current} is needed"
        raise PositionError(says, f"{path}: schema")
    if schema > current:
        raise PositionError(f"is {schema}, of a newer version; this one reads up to {current}", f"{path}: schema")
    data = {key: value for key, value in data.items() if key != "schema"}
    for number in range(schema, current):
        try:
            data = steps[number](data)
        except (LookupError, TypeError, ValueError, AttributeError) as odd:
            says = f"is {number}, but the file does not hold what that schema does ({type(odd).__name__}: {odd})"
            raise PositionError(says, f"{path}: schema") from None
    return data


def describe_value(value: Any) -> str:
    """A value in words, for an error."""
    called = {NoneType: "nothing", dict: "a table", list: "a list", datetime: str(value)}
    return called.get(type(value)) or repr(value)


def _wrong(kind: Any, data: Any, said: str, hook: Hook | None) -> InvalidValue:
    match = _PATH.search(said)
    parts: list[str] = [name or number for name, number in _PART.findall(match[1])] if match else []
    if lacking := _LACKS.search(said):
        parts.append(lacking[1])
    path: list[str | int] = []
    asked = ""
    for part in parts:
        # A list with a description is asked for as a whole.
        asked = asked or (_described(kind) if part.isdecimal() else "")
        kind = _bare(kind)
        if isinstance(data, dict):
            # msgspec does not say which key of a free table is wrong.
            of = get_args(kind)[1] if part == "..." else get_type_hints(kind, include_extras=True)[part]
            key = next(key for key in data if isinstance(_try(of, data[key], hook), str)) if part == "..." else part
            path.append(key)
            data, kind = data.get(key, _GONE), of
        else:
            path.append(int(part))
            data, kind = data[int(part)], get_args(kind)[0]
    return InvalidValue(tuple(path), data, asked or describe_type(kind))


def _try(kind: Any, value: Any, hook: Hook | None) -> Any:
    try:
        msgspec.convert(value, kind, builtin_types=(datetime,), dec_hook=hook)
    except msgspec.ValidationError as odd:
        return str(odd)
    return None


def _strange(found: Any, data: Any, path: tuple[str | int, ...]) -> Iterator[InvalidValue]:
    """The keys of the data that no dataclass of the value knows."""
    if is_dataclass(found):
        names = [field.name for field in fields(found)]
        yield from (InvalidValue((*path, key), data[key], "") for key in data if key not in names)
        for name in names:
            if name in data:
                yield from _strange(getattr(found, name), data[name], (*path, name))
    elif isinstance(found, dict):
        for key, part in found.items():
            if is_dataclass(part) or isinstance(part, tuple):
                yield from _strange(part, data[key], (*path, key))
    elif isinstance(found, tuple) and isinstance(data, list):
        for number, part in enumerate(found):
            if is_dataclass(part):
                yield from _strange(part, data[number], (*path, number))


def _bare(kind: Any) -> Any:
    """The type without its description, and without «or None»."""
    while get_origin(kind) in (Annotated, Union, UnionType):
        kind = next(one for one in get_args(kind) if one is not NoneType)
    return kind


def _described(kind: Any) -> str:
    told = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((one.description for one in told if isinstance(one, Meta) and one.description), "")


def describe_type(kind: Any) -> str:
    """What a type needs, in words, for an error."""
    if said := _described(kind):
        return said
    kind = _bare(kind)
    of = get_args(kind)
    if get_origin(kind) is Literal:
        *first, last = (f'"{word}"' for word in of)
        return f"{', '.join(first)} or {last}"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"one of {', '.join(str(one.value) for one in kind)}"
    if get_origin(kind) in (tuple, list):
        return f"a list of {'texts' if of[0] is str else 'tables'}"
    return _CALLED.get(kind, "a table")
