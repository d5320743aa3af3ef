"""What a line says of a half day: the die, what it becomes, its use, what pays. Nothing is known of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.catalog import Msg
from engine.troyes_dice.notation.terms import Typed

Choice = tuple[str, int | None]
"""A choice of a bonus: a colour, or a building with its column, None where it is not said."""


@dataclass(slots=True)
class Wish:
    """What is said; what is not is empty or None. Numbers are as typed."""

    colour: str = ""
    value: int | None = None
    either: int | None = None
    """The value of the die or its plaza: `die 2`."""
    one: bool = False
    """Whether its value is the word «one», which may also stand for the die."""
    plaza: int | None = None
    black: bool = False
    price: str = ""
    """`free`, `cheap`, `dear`, or `any` for one that any resource pays."""
    nth: int | None = None
    """The how manyth of its colour it is, from the first plaza on."""
    bare: bool = False
    """Whether its value is all that is said of it: only one die can be meant so."""
    made: str = ""
    """The colour that the die is changed to."""
    counts: int | None = None
    """The value that it is shifted to."""
    shift: int = 0
    way: int = 0
    """1 where it is raised to that value, -1 where it is lowered, 0 where that is not said."""
    use: str = ""
    """A resource, `resources`, or the row of a building."""
    at: int | None = None
    """Column of the building, or amount of the resource."""
    pay: dict[str, int] = field(default_factory=dict)
    """What pays, with how much of it: 0 where that is not said."""
    bonus: tuple[Choice, ...] = ()

    @property
    def names_die(self) -> bool:
        """Whether anything is said of the die."""
        return bool(self.colour or self.black or self.price) or (self.value, self.either, self.plaza) != (None,) * 3


class Misfit(Exception):  # noqa: N818 - told by the reader, in its own words
    """The first term that fits nowhere (None: the line ends too early), and why where that can be told."""

    def __init__(self, term: Typed | None, why: Msg | None = None) -> None:
        super().__init__()
        self.term = term
        self.why = why


class Walk:
    """The terms of a line, taken from the left."""

    def __init__(self, terms: Sequence[Typed]) -> None:
        self.terms = terms
        self.at = 0

    def kind(self, ahead: int = 0) -> str:
        """The kind of a term that is to come; empty behind the last one."""
        at = self.at + ahead
        return self.terms[at].kind if at < len(self.terms) else ""

    def next(self) -> Typed:
        """Take the next term."""
        if self.at >= len(self.terms):
            raise Misfit(None)
        self.at += 1
        return self.terms[self.at - 1]

    def skip(self, *kinds: str) -> None:
        """Pass over terms of these kinds."""
        while self.kind() in kinds:
            self.at += 1

    def number(self) -> int | None:
        """A number, if one is next."""
        return self.next().number if self.kind() == "number" else None
