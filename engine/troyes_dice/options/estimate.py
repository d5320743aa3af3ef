"""What a sheet promises: the points it may expect at the end. The weights are learnt (`weights.toml`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import mul

from engine.kit.card_data.tables import read_tables
from engine.troyes_dice.actions.half_day import plan_half_day
from engine.troyes_dice.actions.scoring import characters
from engine.troyes_dice.actions.sealed_answers import sealed_answer
from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.card_data.sheet import COLOUR, COLOURS, COLUMNS, RESOURCES, ROWS, WORKS, Sheet
from engine.troyes_dice.state.dice_state import DiceState

Columns = tuple[int, ...]
_ALL = frozenset(COLUMNS)
DRAWN = (
    *("start", "citizen", "least", "middle", "column", "short", "near", "prestige", "full", "places"),
    *("open_fortress", "open_great_hall", "open_cathedral", "open_work"),
    *("counted", "hope", "room", "plan", "wide", "kept", "linked"),
)
"""The counts of a sheet apart from the resources left, as `weights.toml` explains them."""
ENOUGH = {"few": 3, "some": 6, "all": 18}
"""Counts of what is left of a resource: so many of it at most."""
KEPT = 20_000
"""Tracks, and buildings, whose counts are cached."""


def estimate(state: DiceState, seat: str) -> float:
    """Return the points that the seat may expect at the end; its sealed answer counts."""
    if seat in state.scores:
        return float(sum(state.scores[seat].values()))
    order = sealed_answer(state, seat) if state.phase == "half day" else None
    sheet = plan_half_day(state, seat, order).sheet if order is not None else state.sheets[seat]
    return sheet_worth(state, sheet)


def sheet_worth(state: DiceState, sheet: Sheet) -> float:
    """Return the points that a sheet promises after this half day."""
    box, whole = state.box, 2 * state.box.days
    left = whole - state.half_day
    points = float(box.citizen_points * sum(sheet.citizens.values()) + sum(characters(box, sheet).values()))
    if left:
        points += sum(map(mul, _weights(left, whole), drawn_counts(box, sheet)))
    promised = _left_to_spend(box, left)
    return points + sum(promised[one][sheet.unspent(one)] for one in RESOURCES)


def weight(name: str, left: int, whole: int) -> float:
    """Return a weight with `left` half days to come of the `whole`; 0 after the last."""
    if not left:
        return 0.0
    first, more, most = read_tables(__package__, "weights")[name]
    far = left / whole
    return float(first + more * far + most * far * far)


@lru_cache
def _left_to_spend(box: DiceBox, left: int) -> Mapping[str, Sequence[float]]:
    """Return the points that none, one, two, … of each resource promise."""

    def points(resource: str, rest: int) -> float:
        more = (weight(f"{resource}_{name}", left, 2 * box.days) * min(rest, most) for name, most in ENOUGH.items())
        return (rest / box.per_point if left else rest // box.per_point) + sum(more)

    return {one: [points(one, rest) for rest in range(box.track + 1)] for one in RESOURCES}


def open_choice_worth(state: DiceState) -> float:
    """Return the points that an open choice of a bonus promises, to compare orders."""
    return weight("open", 2 * state.box.days - state.half_day, 2 * state.box.days)


@cache
def _weights(left: int, whole: int) -> tuple[float, ...]:
    """The weights of `DRAWN`."""
    return tuple(weight(name, left, whole) for name in DRAWN)


def drawn_counts(box: DiceBox, sheet: Sheet) -> tuple[float, ...]:
    """Return how much there is of each of `DRAWN`."""
    citizens = _citizens(box, *[sheet.citizens[colour] for colour in COLOURS])
    places = sum([_way(n, box.citizen_places) for n in sheet.circled.values()])
    built = tuple([sheet.built[row] for row in ROWS])
    return (1.0, *citizens, places, *_buildings(box, built, tuple([sheet.crossed[colour] for colour in COLOURS])))


@lru_cache(KEPT)
def _citizens(box: DiceBox, *tracks: int) -> tuple[float, ...]:
    """`citizen` to `full`, for so many in each of `COLOURS`."""
    least, middle, _ = sorted(tracks)
    marks = (*box.resources_at, *box.work_at)
    ahead = min((mark for mark in marks if mark > least), default=0)
    short = sum(max(0, ahead - n) for n in tracks)
    return (
        sum(tracks),
        least,
        middle,
        _way(least, marks),
        short,
        1 / short if short else 0.0,
        sum(_way(n, (box.prestige_at[colour],)) for colour, n in zip(COLOURS, tracks, strict=True)),
        sum(_way(n, (box.full_at[colour],)) for colour, n in zip(COLOURS, tracks, strict=True)),
    )


@lru_cache(KEPT)
def _buildings(box: DiceBox, drawn: tuple[Columns, ...], lost: tuple[Columns, ...]) -> tuple[float, ...]:
    """`open_fortress` to `linked`, for the columns drawn in each of `ROWS` and crossed out in each of `COLOURS`."""
    built, crossed = dict(zip(ROWS, drawn, strict=True)), dict(zip(COLOURS, lost, strict=True))
    open_ = {row: _ALL.difference(gone, crossed[COLOUR[row]]) for row, gone in built.items()}
    rows = {column: box.cathedral[column - 1] for column in COLUMNS}
    times = dict(zip(built["cathedral"], box.multipliers, strict=False))
    hope = room = planned = wide = 0
    if open_["cathedral"] and len(times) < len(box.multipliers):
        coming = box.multipliers[len(times)]
        hope = coming * max(len(built[rows[column]]) for column in open_["cathedral"])
        room = coming * max(len(open_[rows[column]]) for column in open_["cathedral"])
        ranked = sorted((len(built[rows[column]]) for column in open_["cathedral"]), reverse=True)
        planned = sum(map(mul, box.multipliers[len(times) : len(times) + 3], reversed(ranked[:3])))
        wide = sum(ranked)
    return (
        len(open_["fortress"]),
        len(open_["great_hall"]),
        len(open_["cathedral"]),
        sum(len(open_[row]) for row in WORKS),
        sum(factor * len(open_[rows[column]]) for column, factor in times.items()),
        hope,
        room,
        planned,
        wide,
        sum(column in columns for column in built["fortress"] for columns in open_.values()),
        sum(_linked(link.columns, built[link.row], open_[link.row]) for link in box.links),
    )


def _linked(columns: Columns, built: Columns, open_: frozenset[int]) -> bool:
    """True if one building of a link is missing and can still be drawn."""
    missing = [column for column in columns if column not in built]
    return len(missing) == 1 and missing[0] in open_


@cache
def _way(now: int, marks: tuple[int, ...]) -> float:
    """Return how many marks are behind, plus the way to the next, which counts more near the mark."""
    behind = sum(now >= mark for mark in marks)
    ahead = min((mark for mark in marks if mark > now), default=0)
    return behind + (now / ahead) ** 2 if ahead else float(behind)
