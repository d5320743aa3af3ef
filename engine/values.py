"""Value classes: dataclasses that nobody changes once they are made.

To the type checker `@fixed` is `@dataclass(frozen=True, slots=True)`, so it refuses every assignment to a field. At run
time nothing checks, since that would make a new value several times as slow, and a game makes thousands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform, overload

C = TypeVar("C")


@overload
def fixed(kind: type[C], /) -> type[C]: ...
@overload
def fixed(*, kw_only: bool = False, eq: bool = True, order: bool = False) -> Callable[[type[C]], type[C]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def fixed(kind: Any = None, /, *, kw_only: bool = False, eq: bool = True, order: bool = False) -> Any:
    """Make a class a value: compared and hashed by its fields, or as itself with `eq=False`."""
    made = dataclass(slots=True, unsafe_hash=eq, eq=eq, order=order, kw_only=kw_only)
    return made if kind is None else made(kind)
