"""Orders as values: what a seat may send, already understood.

A choice of a bonus is a word: a colour (`yellow`) or a building (`counts_palace 3`, its column counted from the left).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from engine.kit.plain import OPTIONAL


@dataclass(frozen=True, slots=True)
class HalfDay:
    """One half day: the die at `slot` (0 to 3), made into `colour` and `value`, and what it is used for.

    `use` is `resources`, or the row of the building drawn in `column` (0 for resources). `pay` names the resource
    that pays a cost of any kind. `bonus` are the choices in the order in which they are asked; fewer than needed
    leave a question open.
    """

    slot: int
    colour: str
    value: int
    use: str
    column: int = 0
    pay: str = ""
    bonus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fallback:
    """What happens to a seat that can pay for no die: one of each resource. Never sent by anybody."""

    bonus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bonus:
    """The choices that were still open in one's sealed answer."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of the columns from the left; `way` is `up` or `down` where the first number was rolled."""

    numbers: tuple[int, ...]
    way: str = ""


RESOURCES_USE = "resources"

Answer: TypeAlias = HalfDay | Fallback
Order: TypeAlias = HalfDay | Fallback | Bonus | Numbering


@dataclass(frozen=True, slots=True)
class SealedAnswer:
    """An answer to a half day, kept until the last one is in; `open` while a choice is missing.

    `unknown` is the blank that stands in a redacted position, whether there is an answer or not.
    """

    order: Answer
    open: bool = False
    unknown: bool = field(default=False, metadata=OPTIONAL)
