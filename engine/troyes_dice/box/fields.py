"""What each fact may be: bounds of numbers, words to choose from, and lists of either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes_dice.box.tables import facts_of
from engine.troyes_dice.sheet import COLOURS
from engine.troyes_dice.sheet import PRESTIGE
from engine.troyes_dice.sheet import RESOURCES
from engine.troyes_dice.sheet import ROWS


class WrongValue(Exception):  # noqa: N818 - a finding about what a person wrote
    """A value that a field cannot have; `right` says what it can."""

    def __init__(self, right: Msg) -> None:
        super().__init__(right.text)
        self.right = right


@dataclass(frozen=True, slots=True)
class Field:
    """One fact that a host may correct. `size` 0 is a single value; `rising` lists must not fall or repeat."""

    words: tuple[str, ...] = ()
    least: int = 0
    most: int = 18
    size: int = 0
    rising: bool = False

    @property
    def right(self) -> Msg:
        """What the field may be, to end the sentence «it must be …»."""
        if self.words and self.size:
            return T("a list of {size} out of {words}", size=self.size, words=self.words)
        if self.words:
            return T("one of {words}", words=self.words)
        if self.rising:
            return T(
                "a list of {size} rising numbers, {least} to {most}", size=self.size, least=self.least, most=self.most
            )
        if self.size:
            return T("a list of {size} numbers, {least} to {most}", size=self.size, least=self.least, most=self.most)
        return T("a whole number from {least} to {most}", least=self.least, most=self.most)

    def read(self, found: object) -> Any:
        """The value, lists as tuples. Raises WrongValue."""
        if not self.size:
            if self._fits(found):
                return found
            raise WrongValue(self.right)
        if not isinstance(found, list | tuple) or len(found) != self.size or not all(map(self._fits, found)):
            raise WrongValue(self.right)
        if self.rising and list(found) != sorted(set(found)):
            raise WrongValue(self.right)
        return tuple(found)

    def _fits(self, found: object) -> bool:
        if self.words:
            return isinstance(found, str) and found in self.words
        return isinstance(found, int) and not isinstance(found, bool) and self.least <= found <= self.most


GAINS = (*RESOURCES, *COLOURS)
"""What a link or Great Hall can bring: a resource, or citizens of a colour."""

_BY_NAME: dict[str, Field] = {
    "kind": Field(("free", "any", *RESOURCES)),
    "front": Field(COLOURS),
    "back": Field(COLOURS),
    "citizen": Field(COLOURS),
    "counts": Field(COLOURS),
    "gain": Field(GAINS),
    "scores": Field(ROWS),
    "row": Field(ROWS),
    "columns": Field(least=1, most=6, size=2, rising=True),
    "by_order": Field(least=0, most=9, size=6),
    "prestige": Field(tuple(PRESTIGE.values()), size=2),
    "days": Field(least=1, most=8),
    "attacks_from": Field(least=1, most=9),
    "amount": Field(most=6),
    "start": Field(most=18),
    "steps": Field(least=1, most=5),
    "prestige_at": Field(least=1, most=20),
    "full_at": Field(least=1, most=20),
    "resources_per_point": Field(least=1, most=18),
    "points": Field(most=200),
    "times": Field(least=1, most=99),
    "value": Field(most=6),
}

_BY_GROUP: dict[tuple[str, str], Field] = {
    ("resources", "length"): Field(least=6, most=36),
    ("resources", "citizens"): Field(least=1, most=36, size=3, rising=True),
    ("citizens", "length"): Field(least=11, most=40),
    ("column_bonus", "at"): Field(least=1, most=20, size=1, rising=True),
    ("achievement", "citizens"): Field(most=120),
}

FIXED = frozenset((("wheel", "days"),))
"""Facts that hold the game together and are not corrected: the days on the wheel's window."""


def field_of(group: str, id_: str, name: str) -> Field:
    """What a fact may be."""
    if (group, id_, name) == ("column_bonus", "work", "at"):
        return Field(least=1, most=20, size=2, rising=True)
    return _BY_GROUP.get((group, name)) or _BY_NAME.get(name) or Field(most=6)


def fields(group: str, id_: str) -> dict[str, Field]:
    """The facts of a table that a host may correct."""
    return {name: field_of(group, id_, name) for name in facts_of(group, id_) if (group, name) not in FIXED}
