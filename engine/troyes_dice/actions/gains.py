"""What a building or a die brings by itself, and which bonuses that reaches: as tables, for whatever asks often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.troyes_dice.box import DiceBox, Link
from engine.troyes_dice.box.sheet import COLOUR, COLOUR_OF_RESOURCE, COLOURS, RESOURCE, RESOURCES, WORKS, Sheet
from engine.troyes_dice.state.dice import Laid, count
from engine.troyes_dice.state.orders import RESOURCES_USE
from engine.values import fixed

Gain = tuple[str, int]
"""A resource, citizens of a colour, or `CHOSEN`; and how many."""
CHOSEN = "chosen"
"""Citizens of one of `CHOSEN_FROM`."""
CHOSEN_FROM = ("yellow", "white")

Trigger = tuple[str, str, int]
"""Kind of bonus, its colour or link, and its place on the track."""
Crowd = tuple[int, int, int]
"""Citizens of each of `COLOURS`."""


@fixed(eq=False)
class Effect:
    """What a die does that is made into a colour and value, whatever was paid for that: `banquet` feeds a building.

    There is one object for each, so that they are told apart by identity.
    """

    colour: str
    value: int
    use: str
    column: int
    banquet: str


effect = lru_cache(16_384)(Effect)


def brings(box: DiceBox, dice: Sequence[Laid], row: str, column: int, banquet: str) -> tuple[Gain, ...]:
    """What a building brings, in its order; `banquet` feeds the die that builds it."""
    if row != "great_hall":
        return _brings(box, row, column, banquet)
    counts, gain, each = box.great_hall[column - 1]
    more = box.banquets[banquet]["dice"] if banquet == "great_hall" else 0
    return ((gain, each * (count(dice, counts) + more)),)


@lru_cache(1024)
def _brings(box: DiceBox, row: str, column: int, banquet: str) -> tuple[Gain, ...]:
    """The same where no die is counted."""
    tile = box.banquets[banquet] if banquet else {}
    if row in WORKS:
        return ((COLOUR[row], box.work + (tile["citizens"] if banquet == "work" else 0)),)
    if row == "fortress":
        more = (("red", tile["red"]), (CHOSEN, tile["other"])) if banquet == "fortress" else ()
        return (box.fortress[column - 1], *more)
    return tuple((one, tile["each"]) for one in RESOURCES) if banquet == "cathedral" else ()


def crowd(citizens: Mapping[str, int]) -> Crowd:
    """How many there are, from the table of a sheet."""
    return citizens["red"], citizens["yellow"], citizens["white"]


@lru_cache(20_000)
def reached(box: DiceBox, before: Crowd, now: Crowd) -> tuple[Trigger, ...]:
    """The bonuses for citizens that one batch of gains sets off, in the ruled order."""
    low, high = min(before), min(now)
    columns = [(at, "resources") for at in box.resources_at] + [(at, "work") for at in box.work_at]
    found: list[Trigger] = [(kind, "column", at) for at, kind in sorted(columns) if low < at <= high]
    for colour, was, is_ in zip(COLOURS, before, now, strict=True):
        for kind, at in (("prestige", box.prestige_at[colour]), ("full", box.full_at[colour])):
            if was < at <= is_:
                found.append((kind, colour, at))
    return tuple(found)


def links(box: DiceBox, sheet: Sheet, row: str, column: int) -> list[Link]:
    """Those that a building completes, drawn already or not."""
    found, drawn = box.linked.get((row, column), ()), (column, *sheet.built[row])
    return [link for link in found if link.columns[0] in drawn and link.columns[1] in drawn]


class Quiet:
    """Which effects leave nothing to choose on a sheet and set nothing off: no bonus follows, no track overflows."""

    __slots__ = ("_before", "_box", "_dice", "_known", "_sheet")

    def __init__(self, box: DiceBox, sheet: Sheet, dice: Sequence[Laid]) -> None:
        self._box, self._sheet, self._dice, self._before = box, sheet, dice, crowd(sheet.citizens)
        self._known: dict[tuple[Gain, ...], bool] = {}

    def holds(self, does: Effect) -> bool:
        """Whether it is so of an effect that the seat can bring about."""
        row, column = does.use, does.column
        if row == RESOURCES_USE:
            gains: tuple[Gain, ...] = ((RESOURCE[does.colour], does.value),)
        elif (row, column) in self._box.linked and links(self._box, self._sheet, row, column):
            return False
        else:
            gains = brings(self._box, self._dice, row, column, does.banquet)
        found = self._known.get(gains)
        if found is None:
            found = self._known[gains] = self._are_quiet(gains)
        return found

    def _are_quiet(self, gains: tuple[Gain, ...]) -> bool:
        box, before = self._box, self._before
        now = before
        for what, n in gains:
            if what == CHOSEN and n:
                return False
            if what in COLOUR_OF_RESOURCE:
                n = _citizens(box, self._sheet.circled[what], n)
                what = COLOUR_OF_RESOURCE[what]
            if n:
                now = _more(now, what, n)
        return now is before or (max(now) <= box.crowd and not reached(box, before, now))


@lru_cache(1024)
def _citizens(box: DiceBox, at: int, n: int) -> int:
    """How many citizens come with so many resources more, from a place of a track on."""
    return sum(at < place <= at + n for place in box.citizen_places)


def _more(now: Crowd, colour: str, n: int) -> Crowd:
    red, yellow, white = now
    return (red + n * (colour == "red"), yellow + n * (colour == "yellow"), white + n * (colour == "white"))
