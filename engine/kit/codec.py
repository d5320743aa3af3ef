"""Dataclasses as plain data and back: text, whole numbers, booleans, lists and tables of these, as TOML holds them.

A `Codec` is made once for a dataclass, from the types of its fields: `int`, `str`, `bool`, lists, tuples of any length,
tables by text, other dataclasses, values that are a word (`parse` and `str`), `X | None`, one of several dataclasses
(with its name under `verb`), and `Any` for plain data. Written data shares nothing with the value, nor does the value
with data it is read from. Everything read is checked: a damaged table is a PositionError with the path of what is
wrong, in the words of `engine.data_paths` (`seats.anna.deniers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, partial
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from engine.errors import PositionError
from engine.event_log import Data, plain_copy

V = TypeVar("V")
Read = Callable[[Any], Any]
"""Checks and copies a value. Raises _Wrong."""
Migrations = Mapping[int, Callable[[Data, Data], None]]
"""Schema number to the step that brings public and secret tables of it, in place, to the next one."""

OPTIONAL = {"optional": True}
"""Metadata of a field that is left out if it has its default, and may be missing."""
VERB = "verb"
"""The key of the name of a dataclass that is one of several."""

_SCALARS = (int, str, bool)
_CALLED = {int: "a whole number", str: "text", bool: "true or false", list: "a list", dict: "a table"}
"""Types in words. A bare list or dict is returned unchecked and not copied: the caller validates it."""


class _Wrong(Exception):  # noqa: N818 - on its way to become a PositionError, once the whole path is known
    def __init__(self, message: str, *path: str) -> None:
        super().__init__(message)
        self.message, self.path = message, path

    def below(self, word: str) -> _Wrong:
        return _Wrong(self.message, word, *self.path)


class Codec(Generic[V]):
    """How a dataclass is written and read: the fields in `only` (names with blanks between), or all.

    With `sparse` every field with its default is left out, in the dataclasses within too.
    """

    def __init__(self, kind: type[V], only: str | None = None, *, sparse: bool = False) -> None:
        hints, known = get_type_hints(kind), {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
        names = tuple(known) if only is None else tuple(only.split())
        self.kind = kind
        self._get: Callable[[V], tuple[Any, ...]] = attrgetter(*names, names[0]) if names else lambda _: ()
        self._names = names  # what is got has one more, so that it is a tuple always
        self._optional = {
            name: _default(known[name])
            for name in names
            if "optional" in known[name].metadata or (sparse and _default(known[name]) is not MISSING)
        }
        self._writers = [(name, write) for name in names if (write := _writer(hints[name], sparse)) is not None]
        self._readers = [(name, hints[name], _reader(hints[name], sparse)) for name in names]

    def write(self, value: V) -> Data:
        """Return the fields as a table."""
        found: Data = dict(zip(self._names, self._get(value), strict=False))
        for name, default in self._optional.items():
            if found[name] == default:
                del found[name]
        for name, write in self._writers:
            if name in found:
                found[name] = write(found[name])
        return found

    def read(self, data: Any, path: str = "") -> V:
        """Return the value that `write` wrote. Raises PositionError."""
        return self.kind(**self.values(data, path))

    def values(self, data: Any, path: str = "") -> dict[str, Any]:
        """Return the fields alone, checked. Raises PositionError."""
        try:
            return self.checked(data)
        except _Wrong as wrong:
            where = [path] if path else []
            raise PositionError(wrong.message, ".".join([*where, *wrong.path])) from None

    def checked(self, data: Any) -> dict[str, Any]:
        """As `values`, for another codec. Raises _Wrong."""
        _checked(dict, data)
        found: dict[str, Any] = {}
        for name, kind, read in self._readers:
            if name in data:
                value = data[name]
                found[name] = value if kind in _SCALARS and type(value) is kind else _within(name, read, value)
            elif name not in self._optional:
                raise _Wrong("is missing", name)
        if len(data) != len(found) and (strange := data.keys() - found.keys()):
            raise _Wrong("is not known here", min(strange))
        return found

    def part(self, data: Any) -> V:
        """As `read`, for another codec. Raises _Wrong."""
        return self.kind(**self.checked(data))


def write_seats(names: Mapping[str, str], held: Mapping[str, V], form: Codec[V]) -> list[Data]:
    """Return rows `{seat, name, …}` in order, with what each seat holds."""
    return [{"seat": seat, "name": name, **form.write(held[seat])} for seat, name in names.items()]


def take_seats(data: Data, form: Codec[V]) -> tuple[dict[str, str], dict[str, V]]:
    """Read and remove `seats` of a table: names and holdings by seat. Raises PositionError."""
    names: dict[str, str] = {}
    held: dict[str, V] = {}
    for at, found in enumerate(take_value(list, data, "seats"), 1):
        row = dict(read_value(dict, found, f"seats.{at}"))
        seat = take_value(str, row, "seat", f"seats.{at}")
        names[seat] = take_value(str, row, "name", f"seats.{seat}")
        held[seat] = form.read(row, f"seats.{seat}")
    return names, held


def read_value(kind: Any, value: Any, path: str) -> Any:
    """Read a single value of some type, checked and copied. Raises PositionError."""
    try:
        return _reader(kind)(value)
    except _Wrong as wrong:
        raise PositionError(wrong.message, ".".join((path, *wrong.path))) from None


def take_value(kind: Any, data: Data, key: str, path: str = "") -> Any:
    """As `read_value`, and remove it from a table. Raises PositionError if it is missing too."""
    where = f"{path}.{key}" if path else key
    if key not in data:
        raise PositionError("is missing", where)
    return read_value(kind, data.pop(key), where)


def require_values(rows: list[Data], path: str, **kinds: type) -> None:
    """Check that plain rows hold at least these keys, of these types. Raises PositionError."""
    for at, row in enumerate(rows, 1):
        for word, kind in kinds.items():
            read_value(kind, row.get(word), f"{path}.{_word(row, at)}.{word}")


def migrate(public: Data, secret: Data, schema: int, steps: Migrations) -> None:
    """Bring tables of an older schema, in place, to `schema`. Raises PositionError for one that no step knows."""
    found = read_value(int, public.get("schema", 0), "schema")
    while found != schema:
        step = steps.get(found)
        if step is None:
            raise PositionError(f"schema {found} is not known here; this engine reads up to {schema}", "schema")
        step(public, secret)
        found = public["schema"] = found + 1


def _default(field: Field[Any]) -> Any:
    """The default of a field, or MISSING."""
    return field.default if field.default_factory is MISSING else field.default_factory()


@cache
def _writer(kind: Any, sparse: bool = False) -> Callable[[Any], Any] | None:
    """Return what makes a value of that type plain; None if it is already."""
    if kind in _SCALARS:
        return None
    if hasattr(kind, "parse"):
        return str
    if is_dataclass(kind):
        return Codec(kind, sparse=sparse).write  # type: ignore[arg-type]
    if kind is Any:
        return plain_copy
    if isinstance(kind, UnionType):
        return _union_writer(kind, sparse)
    of = _writer(get_args(kind)[-1 if get_origin(kind) is dict else 0], sparse)
    if get_origin(kind) is dict:
        return dict if of is None else lambda value: {key: of(part) for key, part in value.items()}
    return list if of is None else lambda value: [of(part) for part in value]


def _union_writer(kind: UnionType, sparse: bool) -> Callable[[Any], Any] | None:
    """None is never written: it is the default of an optional field."""
    one = _one(kind)
    if one is not None:
        return _writer(one, sparse)
    forms = {of: (_verb(of), Codec(of, sparse=sparse)) for of in get_args(kind)}

    def write(value: Any) -> Data:
        verb, form = forms[type(value)]
        return {VERB: verb, **form.write(value)}

    return write


def _one(kind: UnionType) -> Any:
    """X of `X | None`; None if there are several."""
    of = [part for part in get_args(kind) if part is not NoneType]
    return of[0] if len(of) == 1 else None


def _verb(kind: type) -> str:
    return kind.__name__.lower()


@cache
def _reader(kind: Any, sparse: bool = False) -> Read:
    """Return what checks and copies a value of that type."""
    if kind in _CALLED:
        return partial(_checked, kind)
    if kind is Any:
        return plain_copy
    if hasattr(kind, "parse"):
        return _parsed(kind)
    if is_dataclass(kind):
        return Codec(kind, sparse=sparse).part  # type: ignore[arg-type]
    if isinstance(kind, UnionType):
        one = _one(kind)
        return _union(kind, sparse) if one is None else _reader(one, sparse)
    origin, of = get_origin(kind), get_args(kind)
    if origin is dict and of[0] is str:
        return _table(of[1], _reader(of[1], sparse))
    if origin is list or (origin is tuple and of[1:] == (...,)):
        return _list(origin, of[0], _reader(of[0], sparse))
    raise TypeError(f"{kind} has no plain form")


def _parsed(kind: Any) -> Read:
    def read(value: Any) -> Any:
        try:
            return kind.parse(_checked(str, value))
        except ValueError:
            raise _Wrong(f"{value!r} cannot be read") from None

    return read


def _union(kind: UnionType, sparse: bool) -> Read:
    parts = {_verb(of): Codec(of, sparse=sparse).part for of in get_args(kind)}

    def read(value: Any) -> Any:
        verb = value.get(VERB) if type(value) is dict else None
        if type(verb) is not str or verb not in parts:
            raise _Wrong(f"{value!r} is none of {', '.join(parts)}")
        return parts[verb]({key: part for key, part in value.items() if key != VERB})

    return read


def _checked(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise _Wrong(f"{value!r} is not {_CALLED[kind]}")
    return value


def _table(of: Any, part: Read) -> Read:
    def read(value: Any) -> Any:
        _checked(dict, value)
        if {of}.issuperset(map(type, value.values())):
            return dict(value)
        return {key: _within(key, part, one) for key, one in value.items()}

    return read


def _list(made: type, of: Any, part: Read) -> Read:
    def read(value: Any) -> Any:
        _checked(list, value)
        if {of}.issuperset(map(type, value)):
            return made(value)
        return made([_within(_word(one, at), part, one) for at, one in enumerate(value, 1)])

    return read


def _within(word: str, read: Read, value: Any) -> Any:
    try:
        return read(value)
    except _Wrong as wrong:
        raise wrong.below(word) from None


def _word(row: Any, at: int) -> str:
    """The name of a list's item in a path: its `seat` or `id` if it is a table that has one, else its number."""
    return str(row.get("seat", row.get("id", at))) if type(row) is dict else str(at)
