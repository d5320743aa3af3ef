"""The end: points, and what the game can be remembered for (rulings, sections 5, 6 and 8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.troyes_dice.box import DiceBox
from engine.troyes_dice.box.sheet import COLOURS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.state.state import DiceState

BANDS = ("score_1", "score_2", "score_3")
"""The achievements whose points are the marks to reach alone."""


def multipliers(box: DiceBox, sheet: Sheet) -> dict[int, int]:
    """Column of each Cathedral drawn to its number, in the order they were built."""
    return dict(zip(sheet.built["cathedral"], box.multipliers, strict=False))


def characters(box: DiceBox, sheet: Sheet) -> dict[int, int]:
    """Column of each Cathedral drawn to the points it brings."""
    return {
        column: times * len(sheet.built[box.cathedral[column - 1]]) for column, times in multipliers(box, sheet).items()
    }


def parts(box: DiceBox, sheet: Sheet) -> dict[str, int]:
    """The components of a score, in the order they are counted."""
    return {
        "characters": sum(characters(box, sheet).values()),
        "resources": sum(sheet.unspent(resource) // box.per_point for resource in RESOURCES),
        "citizens": box.citizen_points * sum(sheet.citizens.values()),
    }


def total(box: DiceBox, sheet: Sheet) -> int:
    """What the sheet would score now."""
    return sum(parts(box, sheet).values())


def marks(box: DiceBox) -> list[int]:
    """The marks to reach alone, rising: 45, 55 and 65 VP."""
    return sorted(int(box.facts["achievement"][id_]["points"]) for id_ in BANDS)


def band(box: DiceBox, points: int) -> int:
    """The highest mark reached alone; 0 below the first."""
    return max((mark for mark in marks(box) if points >= mark), default=0)


def achieved(state: DiceState, seat: str) -> tuple[str, ...]:
    """The ids of the achievements this finished game adds to for a seat, in the order of the box."""
    found = set(_achieved(state, seat))
    return tuple(id_ for id_ in state.box.facts["achievement"] if id_ in found)


def _achieved(state: DiceState, seat: str) -> Iterator[str]:
    box, sheet = state.box, state.sheets[seat]
    facts = box.facts["achievement"]
    totals = {other: sum(components.values()) for other, components in state.scores.items()}
    yield "solo_games" if len(state.names) == 1 else "table_games"
    if state.options.get("expansion") == "yes":
        yield "expansion_games"
    yield from (id_ for id_ in BANDS if totals[seat] >= facts[id_]["points"])
    won = len(totals) > 1 and totals[seat] == max(totals.values())
    if won and totals[seat] > facts["great_victory"]["points"]:
        yield "great_victory"
    if max(characters(box, sheet).values(), default=0) >= facts["patron"]["points"]:
        yield "patron"
    if sum(sheet.citizens.values()) >= facts["crowd"]["citizens"]:
        yield "crowd"
    yield from (f"all_{row}" for row in ROWS if len(sheet.built[row]) == 6)
    yield from (f"full_{resource}" for resource in RESOURCES if sheet.circled[resource] >= box.track)
    yield from (f"full_{colour}" for colour in COLOURS if sheet.citizens[colour] >= box.crowd)
