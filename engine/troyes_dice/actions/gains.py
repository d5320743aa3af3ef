"""What a building or a die brings by itself, and which bonuses that reaches: as tables, for whatever asks often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.troyes_dice.box import DiceBox, Link
from engine.troyes_dice.box.sheet import COLOUR, COLOUR_OF_RESOURCE, COLOURS, RESOURCE, RESOURCES, WORKS, Sheet
from engine.troyes_dice.state.dice import Laid, count
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay

Gain = tuple[str, int]
"""A resource, citizens of a colour, or `CHOSEN`; and how many."""
CHOSEN = "chosen"
"""Citizens of one of `CHOSEN_FROM`."""
CHOSEN_FROM = ("yellow", "white")

Trigger = tuple[str, str, int]
"""Kind of bonus, its colour or link, and its place on the track."""
Crowd = tuple[int, int, int]
"""Citizens of each of `COLOURS`."""


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


def is_quiet(box: DiceBox, sheet: Sheet, dice: Sequence[Laid], act: HalfDay) -> bool:
    """Whether nothing of what an order brings is chosen, and nothing follows from it: no bonus, no track overflows.

    The order is one that the seat can give.
    """
    if act.use == RESOURCES_USE:
        gains: tuple[Gain, ...] = ((RESOURCE[act.colour], act.value),)
    elif links(box, sheet, act.use, act.column):
        return False
    else:
        gains = brings(box, dice, act.use, act.column, dice[act.slot].banquet)
    before = crowd(sheet.citizens)
    now = before
    for what, n in gains:
        if what == CHOSEN and n:
            return False
        if what in COLOUR_OF_RESOURCE:
            n = _places(box, sheet.circled[what], n)
            what = COLOUR_OF_RESOURCE[what]
        if n:
            red, yellow, white = now
            now = (red + n * (what == "red"), yellow + n * (what == "yellow"), white + n * (what == "white"))
    return now == before or (max(now) <= box.crowd and not reached(box, before, now))


@lru_cache(1024)
def _places(box: DiceBox, at: int, n: int) -> int:
    """How many citizens stand at so many places of a resource track."""
    return sum(at < place <= at + n for place in box.citizen_places)
