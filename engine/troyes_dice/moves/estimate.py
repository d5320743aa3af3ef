"""What a sheet promises: the points it may expect at the end. Only the weights are guessed (`weights.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import cast

from engine.kit.box.tables import read_tables
from engine.troyes_dice.actions.answers import answer
from engine.troyes_dice.actions.half_day import plan
from engine.troyes_dice.actions.scoring import multipliers
from engine.troyes_dice.box import DiceBox
from engine.troyes_dice.box.sheet import COLOUR, COLUMNS, RESOURCES, Sheet
from engine.troyes_dice.state.state import DiceState

_ALL = frozenset(COLUMNS)


def weights() -> Mapping[str, float]:
    """The weights by name."""
    return cast(Mapping[str, float], read_tables(__package__, "weights"))


def estimate(state: DiceState, seat: str) -> float:
    """The points that the seat may expect at the end; what it has sealed for this half day counts."""
    if seat in state.scores:
        return float(sum(state.scores[seat].values()))
    order = answer(state, seat) if state.phase == "half day" else None
    sheet = plan(state, seat, order).sheet if order is not None else state.sheets[seat]
    return worth(state, sheet)


def worth(state: DiceState, sheet: Sheet) -> float:
    """The points that a sheet promises after this half day."""
    return drawn(state, sheet) + sum(left_to_spend(state, sheet.unspent(resource)) for resource in RESOURCES)


def left_to_spend(state: DiceState, rest: int) -> float:
    """The points that so many of one resource promise."""
    return _left_to_spend(state.box, 2 * state.box.days - state.half_day, rest)


@lru_cache(1024)
def _left_to_spend(box: DiceBox, left: int, rest: int) -> float:
    w = weights()
    if not left:
        return rest // box.per_point
    return rest / box.per_point + w["useful"] * left / (2 * box.days) * min(rest, w["enough"])


def drawn(state: DiceState, sheet: Sheet) -> float:
    """The points that the rest of a sheet promises: citizens and buildings, whatever was paid for them."""
    box, w = state.box, weights()
    left = 2 * box.days - state.half_day
    far = left / (2 * box.days)
    citizens = sheet.citizens
    least = min(citizens.values())
    points = box.citizen_points * sum(citizens.values()) + w["ahead"] * left
    points += far * (w["least"] * least + w["column"] * _way(least, (*box.resources_at, *box.work_at)))
    for colour, n in citizens.items():
        points += far * w["prestige"] * _way(n, (box.prestige_at[colour], box.full_at[colour]))
    most, crossed = w["built"] * left, sheet.crossed
    open_ = {row: _ALL.difference(gone, crossed[COLOUR[row]]) for row, gone in sheet.built.items()}
    counted = {row: len(gone) + min(len(open_[row]), most) for row, gone in sheet.built.items()}
    for column, times in multipliers(box, sheet).items():
        points += times * counted[box.cathedral[column - 1]]
    built = len(sheet.built["cathedral"])
    if open_["cathedral"] and built < len(box.multipliers):
        best = max(counted[box.cathedral[column - 1]] for column in open_["cathedral"])
        points += far * w["hope"] * box.multipliers[built] * best
    for column in sheet.built["fortress"]:
        points += w["kept"] * far * sum(column in columns for columns in open_.values())
    return points


@cache
def _way(now: int, marks: tuple[int, ...]) -> float:
    """How many marks are behind, and how much of the way to the next: both drawn steeper near the mark."""
    behind = sum(now >= mark for mark in marks)
    ahead = min((mark for mark in marks if mark > now), default=0)
    return behind + (now / ahead) ** 2 if ahead else float(behind)
