"""What a building brings by itself, and which bonuses are reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.troyes_dice.box import DiceBox, Link
from engine.troyes_dice.box.sheet import COLOUR, COLOURS, RESOURCES, WORKS, Sheet
from engine.troyes_dice.state.dice import Laid, count

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
    tile = box.banquets[banquet] if banquet else {}
    if row == "great_hall":
        counts, gain, each = box.great_hall[column - 1]
        return ((gain, each * (count(dice, counts) + (tile["dice"] if banquet == "great_hall" else 0))),)
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
