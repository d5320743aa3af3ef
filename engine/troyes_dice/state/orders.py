"""Orders as values: what a seat may send, already understood.

A choice of a bonus is a word: a colour (`yellow`) or a building (`counts_palace 3`, its column counted from the left).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.chronicle import Data
from engine.kit.plain import Form


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

Order: TypeAlias = HalfDay | Fallback | Bonus | Numbering


ACT, FALLBACK = Form(HalfDay), Form(Fallback)
BESIDES = ("open", "unknown")
"""What is kept with an answer and is no part of it."""


def sealed(order: HalfDay | Fallback) -> Data:
    """An answer as plain data, to be kept among the secrets."""
    return ACT.write(order) if isinstance(order, HalfDay) else FALLBACK.write(order)


def unsealed(data: Data, path: str = "") -> HalfDay | Fallback:
    """The answer that `sealed` wrote. Raises PositionError when it is damaged."""
    answer = {name: value for name, value in data.items() if name not in BESIDES}
    return ACT.read(answer, path) if "slot" in answer else FALLBACK.read(answer, path)
