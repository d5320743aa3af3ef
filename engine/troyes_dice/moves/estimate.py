"""What a sheet promises: the points it may expect at the end. Only the weights are guessed (`weights.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from engine.kit.box.tables import read_tables
from engine.troyes_dice.actions.answers import answer
from engine.troyes_dice.actions.half_day import plan
from engine.troyes_dice.actions.scoring import multipliers
from engine.troyes_dice.box import DiceBox
from engine.troyes_dice.box.sheet import RESOURCES, ROWS, Sheet
from engine.troyes_dice.state.state import DiceState


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
    box, w = state.box, weights()
    left = 2 * box.days - state.half_day
    far = left / (2 * box.days)
    citizens = sheet.citizens.values()
    points = box.citizen_points * sum(citizens) + w["ahead"] * left
    points += far * (w["least"] * min(citizens) + w["column"] * _way(min(citizens), (*box.resources_at, *box.work_at)))
    tracks = (_way(n, (box.prestige_at[colour], box.full_at[colour])) for colour, n in sheet.citizens.items())
    points += far * w["prestige"] * sum(tracks)
    for resource in RESOURCES:
        rest = sheet.unspent(resource)
        later = w["useful"] * far * min(rest, w["enough"])
        points += rest / box.per_point + later if left else rest // box.per_point
    points += sum(times * _counted(box, sheet, column, w, left) for column, times in multipliers(box, sheet).items())
    points += far * w["hope"] * _next_cathedral(box, sheet, w, left)
    for column in sheet.built["fortress"]:
        points += w["kept"] * far * sum(sheet.is_open(row, column) for row in ROWS)
    return points


def _way(now: int, marks: tuple[int, ...]) -> float:
    """How many marks are behind, and how much of the way to the next: both drawn steeper near the mark."""
    behind = sum(now >= mark for mark in marks)
    ahead = min((mark for mark in marks if mark > now), default=0)
    return behind + (now / ahead) ** 2 if ahead else float(behind)


def _counted(box: DiceBox, sheet: Sheet, column: int, w: Mapping[str, float], left: int) -> float:
    """How many buildings the Cathedral of a column may count at the end."""
    row = box.cathedral[column - 1]
    return len(sheet.built[row]) + min(len(sheet.open_columns(row)), w["built"] * left)


def _next_cathedral(box: DiceBox, sheet: Sheet, w: Mapping[str, float], left: int) -> float:
    built = len(sheet.built["cathedral"])
    open_ = sheet.open_columns("cathedral")
    if not open_ or built >= len(box.multipliers):
        return 0.0
    return box.multipliers[built] * max(_counted(box, sheet, column, w, left) for column in open_)
