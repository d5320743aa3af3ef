"""The shape of plain data, checked to the last value: what a person has typed may be anything that TOML can hold.

A shape is a type (`int`, `str`, `bool`), a list of one shape (`[str]`: any number of texts), or a table of one shape
(`{str: int}`: a number by any word).
"""

from __future__ import annotations

from typing import Any

from engine.errors import PositionError

Shape = Any

_CALLED = {int: "a whole number", str: "text", bool: "true or false", list: "a list", dict: "a table"}


def checked(value: Any, shape: Shape, path: str) -> Any:
    """The value, if it has the shape. Raises PositionError with the path of the part that has not."""
    kind: type[Any] = shape if isinstance(shape, type) else type(shape)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise PositionError(f"{value!r} is not {_CALLED[kind]}", path)
    found: Any = value
    if isinstance(shape, list):
        for number, part in enumerate(found, 1):
            checked(part, shape[0], f"{path}.{number}")
    elif isinstance(shape, dict):
        for word, part in found.items():
            checked(part, shape[str], f"{path}.{word}")
    return found


def unfit(error: Exception, path: str) -> PositionError:
    """What reading plain data has run into, in words: what is missing, or that the parts do not fit each other."""
    if isinstance(error, KeyError):
        return PositionError(f"«{error.args[0]}» is missing", path)
    return PositionError("does not hold together", path)
