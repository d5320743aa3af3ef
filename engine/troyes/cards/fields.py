"""Which facts of a card are numbers that a host may correct, what each may be, and how it is written down.

Four shapes are enough: a whole number, a list of them, a colour (or several), and pairs of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes.cards.tables import COLORS
from engine.troyes.cards.tables import Table
from engine.troyes.cards.tables import shipped
from engine.troyes.cards.tables import shipped_board
from engine.troyes.cards.tables import shipped_solo

Value = int | str | tuple[int, ...] | tuple[str, ...] | tuple[tuple[int, int], ...]
Numbers = dict[str, Value]
"""The correctable facts of one card by field."""


class WrongValue(Exception):  # noqa: N818 - a finding about what a person wrote
    """A value that a field cannot have; `right` says what it can."""

    def __init__(self, right: Msg) -> None:
        super().__init__(right.text)
        self.right = right


@dataclass(frozen=True, slots=True)
class Field:
    """One correctable fact. `shape` is number, numbers, color, colors or pairs; lists have `shortest`..`longest` items.

    `order` is `rising` or `falling` where a list must not be out of order.
    """

    name: str
    shape: str
    least: int = 0
    most: int = 30
    shortest: int = 1
    longest: int = 1
    order: str = ""

    @property
    def right(self) -> Msg:
        """What the field may be, to end the sentence «it must be …»."""
        bounds: dict[str, int] = {"least": self.least, "most": self.most}
        size = str(self.longest) if self.shortest == self.longest else f"{self.shortest}–{self.longest}"
        match self.shape:
            case "number":
                return T("a whole number from {least} to {most}", **bounds)
            case "color":
                return T("one of {colors}", colors=('"yellow"', '"white"'))
            case "colors":
                return T("a list of colours, each once, out of {colors}", colors=tuple(f'"{c}"' for c in COLORS))
            case "pairs":
                return T(
                    "{size} different pairs of whole numbers from {least} to {most}, such as [[1, 2], [2, 2]]",
                    size=size,
                    **bounds,
                )
        if self.order == "rising":
            return T("a list of {size} rising whole numbers from {least} to {most}", size=size, **bounds)
        if self.order == "falling":
            return T("a list of {size} whole numbers from {least} to {most}, dearest first", size=size, **bounds)
        return T("a list of {size} whole numbers from {least} to {most}", size=size, **bounds)

    def read(self, found: object) -> Value:
        """The value if it fits; raises WrongValue."""
        match self.shape:
            case "number":
                if isinstance(found, int) and self._fits(found):
                    return found
            case "color":
                if found in ("yellow", "white"):
                    return str(found)
            case "colors":
                if isinstance(found, list | tuple) and found and all(c in COLORS for c in found):
                    colors = tuple(c for c in COLORS if c in found)
                    if len(colors) == len(found):
                        return colors
            case "pairs":
                items = self._items(found)
                if items is not None and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in items):
                    pairs = tuple((a, b) for a, b in items)
                    if all(self._fits(n) for pair in pairs for n in pair) and len(set(pairs)) == len(pairs):
                        return pairs
            case _:
                numbers = self._items(found)
                if numbers is not None and all(self._fits(n) for n in numbers) and self._in_order(numbers):
                    return numbers
        raise WrongValue(self.right)

    def write(self, value: Value) -> str:
        """The value as a few words: `2`, `3 2`, `yellow white`, `1/6 2/5`."""
        if not isinstance(value, tuple):
            return str(value)
        return " ".join("/".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value)

    def parse(self, text: str) -> Value:
        """Read what `write` wrote; raises WrongValue."""
        parts = text.split()
        try:
            match self.shape:
                case "number":
                    return self.read(int(text))
                case "color":
                    return self.read(text.strip())
                case "colors":
                    return self.read(parts)
                case "pairs":
                    return self.read([[int(n) for n in part.split("/")] for part in parts])
                case _:
                    return self.read([int(part) for part in parts])
        except ValueError:
            raise WrongValue(self.right) from None

    def _fits(self, found: object) -> bool:
        return isinstance(found, int) and not isinstance(found, bool) and self.least <= found <= self.most

    def _items(self, found: object) -> tuple[Any, ...] | None:
        """The items of a list of the right length; None if it is none."""
        if isinstance(found, list | tuple) and self.shortest <= len(found) <= self.longest:
            return tuple(found)
        return None

    def _in_order(self, numbers: tuple[int, ...]) -> bool:
        if self.order == "rising":
            return all(a < b for a, b in pairwise(numbers))
        if self.order == "falling":
            return all(a >= b for a, b in pairwise(numbers))
        return True


_OWN = {
    "as": Field("as", "number", 1, 3),
    "hits": Field("hits", "number", 1, 6),
    "value": Field("value", "number", 1, 6),
    "cubes": Field("cubes", "number", 1, 12),
    "men": Field("men", "number", 1, 12),
    "adds": Field("adds", "number", 1, 6),
    "above": Field("above", "number", 0, 99),
}
"""Bounds of the effect numbers that cannot be just anything from 0 to 30."""

_ACTIVITY = (
    Field("level", "number", 1, 3),
    Field("hire", "number"),
    Field("spaces", "numbers", 0, 12, 1, 4, "falling"),
    Field("divisor", "number", 1, 18),
)
_EVENT = (
    Field("divisor", "number", 1, 36),
    Field("dice", "colors"),
    Field("banners", "number", 1, 12),
    Field("first", "number", 0, 12),
    Field("second", "number", 0, 12),
    Field("black_dice", "number", 0, 6),
)
_OUTDOOR = (Field("level", "number", 1, 4),)
_CHARACTER = (
    Field("thresholds", "numbers", 0, 60, 3, 3, "rising"),
    Field("two_player_thresholds", "numbers", 0, 60, 3, 3, "rising"),
    Field("points", "numbers", 0, 30, 3, 3, "rising"),
)


def _size(prizes: list[int]) -> tuple[int, int, str]:
    return len(prizes), len(prizes), "falling"


def _own(table: Table) -> dict[str, Field]:
    return {name: _OWN.get(name, Field(name, "number")) for name in table.get("numbers", {})}


@cache
def fields(kind: str, card: str) -> Mapping[str, Field]:
    """The correctable fields of one shipped card, in the order of a proof sheet."""
    table = shipped(kind)[card]
    if kind == "activity":
        # Where every die counts once there is no number under the bar to correct.
        return {field.name: field for field in _ACTIVITY if table["divisor"] or field.name != "divisor"} | _own(table)
    if kind == "outdoor":
        prizes = {"prizes": Field("prizes", "numbers", 0, 30, *_size(table["prizes"]))} if "prizes" in table else {}
        return {field.name: field for field in _OUTDOOR} | prizes | _own(table)
    if kind == "character":
        return {field.name: field for field in _CHARACTER}
    calls = {"calls": Field("calls", "color")} if table.get("calls") in ("yellow", "white") else {}
    return calls | {field.name: field for field in _EVENT} | _own(table)


@cache
def board_fields() -> Mapping[str, Field]:
    """The correctable numbers of the board, by name."""
    return _listed(shipped_board())


@cache
def solo_fields() -> Mapping[str, Field]:
    """The correctable numbers of the solo game, by name."""
    return _listed(shipped_solo())


def _listed(tables: Mapping[str, Table]) -> Mapping[str, Field]:
    found: dict[str, Field] = {}
    for name, table in tables.items():
        if table.get("fixed"):
            continue
        value, least, most = table["value"], table.get("least", 0), table.get("most", 30)
        if isinstance(value, int):
            found[name] = Field(name, "number", least, most)
        else:
            shape = "pairs" if isinstance(value[0], list) else "numbers"
            shortest, longest = table.get("shortest", len(value)), table.get("longest", len(value))
            found[name] = Field(name, shape, least, most, shortest, longest, table.get("order", ""))
    return found


def frozen(value: object) -> Value:
    """A value as TOML reads it, with lists made into tuples."""
    if isinstance(value, list):
        return tuple(tuple(item) if isinstance(item, list) else item for item in value)
    assert isinstance(value, int | str)
    return value


@cache
def defaults(kind: str, card: str) -> Numbers:
    """The shipped numbers of one card."""
    table = shipped(kind)[card]
    found = {"calls": "", "black_dice": 0} | table | table.get("numbers", {})
    return {name: frozen(found[name]) for name in fields(kind, card)}


@cache
def board_defaults() -> Numbers:
    """The shipped numbers of the board that can be corrected."""
    return {name: frozen(shipped_board()[name]["value"]) for name in board_fields()}


@cache
def solo_defaults() -> Numbers:
    """The shipped numbers of the solo game that can be corrected."""
    return {name: frozen(shipped_solo()[name]["value"]) for name in solo_fields()}
