"""Orders as values: what a seat may send, parsed.

A choice of a bonus is a word: a colour (`yellow`) or a building (`counts_palace 3`, its column counted from the left).
"""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, TypeAlias

from engine.kit.codec import OPTIONAL
from engine.values import fixed


@fixed
class HalfDay:
    """One half day: the die at `slot` (0 to 3), made into `colour` and `value`, and its use.

    `use` is `resources`, or the row of the building drawn in `column` (0 for resources). `pay` names the resource that
    pays a cost of any kind. `bonus` are the choices in the order in which they are asked; fewer than needed leave a
    question open.
    """

    slot: int
    colour: str
    value: int
    use: str
    column: int = 0
    pay: str = ""
    bonus: tuple[str, ...] = ()


@fixed
class Fallback:
    """What happens to a seat that can pay for no die: one of each resource. Nobody sends it."""

    bonus: tuple[str, ...] = ()


@fixed
class Bonus:
    """The choices that were still open in the seat's sealed answer."""

    choices: tuple[str, ...]


@fixed
class Numbering:
    """The numbers of the columns from the left; `way` is `up` or `down` if the first number was rolled."""

    numbers: tuple[int, ...]
    way: str = ""


@fixed
class Goal:
    """What is wanted of a half day whose dice are not known yet.

    `use` is a resource, `resources` (any), or the row of a building; `at` the column of a building (0: any that is
    open), or the least amount of resources. `colour`, `value` and `higher` describe the die as it lies; empty or 0 if
    not said. `most` is what may be spent in all, on its price, value and colour; -1 means the die is used as it lies.
    `pay` names the resource that pays a price of any kind.
    """

    use: str
    at: int = 0
    colour: str = ""
    value: int = 0
    higher: bool = False
    most: int = -1
    pay: str = ""


@fixed
class LaterGoals:
    """A standing order for the next half day: the first of these goals that can be reached."""

    goals: tuple[Goal, ...]
    always: ClassVar[bool] = False


@fixed
class AutoGoals:
    """A standing order for every half day of this day, or of every day (`always`): the first of these goals that can be
    reached."""

    goals: tuple[Goal, ...]
    always: bool = False


@fixed
class AutoBonus:
    """A standing order for the choices of bonuses: the first of these that is open. A building without its column is
    the first open one of its row."""

    choices: tuple[str, ...]
    always: bool = False


@fixed
class TakeBack:
    """Takes standing orders back: those of one kind (`later`, `auto`, `bonus`), or all."""

    what: str = ""


RESOURCES_USE = "resources"

Answer: TypeAlias = HalfDay | Fallback
Kept: TypeAlias = LaterGoals | AutoGoals | AutoBonus
"""Standing orders that are kept as plans."""
Standing: TypeAlias = LaterGoals | AutoGoals | AutoBonus | TakeBack
"""Orders that answer no decision and may be given whoever is asked."""
Order: TypeAlias = HalfDay | Fallback | Bonus | Numbering | Standing


@fixed
class SealedAnswer:
    """An answer to a half day, kept until the last one is in; `open` while a choice is missing.

    `unknown` marks the blank in a redacted position, whether there is an answer or not.
    """

    order: Answer
    open: bool = False
    unknown: bool = field(default=False, metadata=OPTIONAL)
