"""The end: points and achievements (rulings, sections 5, 6 and 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.catalog import Msg, T
from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.sheet import COLOURS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.state.dice_state import DiceState

BANDS = ("score_1", "score_2", "score_3")
"""The achievements whose points are the marks to reach alone."""


def multipliers(box: DiceBox, sheet: Sheet) -> dict[int, int]:
    """Map the column of each Cathedral drawn to its number, in the order they were built."""
    return dict(zip(sheet.built["cathedral"], box.multipliers, strict=False))


def characters(box: DiceBox, sheet: Sheet) -> dict[int, int]:
    """Map the column of each Cathedral drawn to the points it brings."""
    return {
        column: times * len(sheet.built[box.cathedral[column - 1]]) for column, times in multipliers(box, sheet).items()
    }


def score_parts(box: DiceBox, sheet: Sheet) -> dict[str, int]:
    """Return the components of a score, in the order they are counted."""
    return {
        "characters": sum(characters(box, sheet).values()),
        "resources": sum(sheet.unspent(resource) // box.per_point for resource in RESOURCES),
        "citizens": box.citizen_points * sum(sheet.citizens.values()),
    }


def winners(scores: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return who has the highest total, shared if tied."""
    totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
    return [seat for seat, total in totals.items() if total == max(totals.values())]


def total_score(box: DiceBox, sheet: Sheet) -> int:
    """Return what the sheet would score now."""
    return sum(score_parts(box, sheet).values())


def solo_marks(box: DiceBox) -> list[int]:
    """Return the marks to reach alone, rising: 45, 55 and 65 VP."""
    return sorted(int(box.facts["achievement"][id_]["points"]) for id_ in BANDS)


def solo_mark(box: DiceBox, points: int) -> int:
    """Return the highest mark reached alone; 0 below the first."""
    return max((mark for mark in solo_marks(box) if points >= mark), default=0)


NEAR_POINTS, NEAR_PLACES = 10, 2
"""VP, and buildings or circles, that a nearly reached achievement may be short of."""


def achieved(state: DiceState, seat: str) -> tuple[str, ...]:
    """The ids of the achievements that this finished game adds to for a seat, in the order of the box."""
    found = {"solo_games" if len(state.names) == 1 else "table_games"}
    if state.options.get("expansion") == "yes":
        found.add("expansion_games")
    found |= {id_ for id_, (_, n) in _short(state, seat) if n <= 0}
    return tuple(id_ for id_ in state.box.facts["achievement"] if id_ in found)


def near_misses(state: DiceState, seat: str) -> dict[str, Msg]:
    """Achievements that a seat has nearly reached in this finished game, by id, with how much was short.

    Of the marks to reach alone only the next one counts.
    """
    short = {id_: found for id_, found in _short(state, seat) if found[1] > 0}
    marks_left = sorted((id_ for id_ in BANDS if id_ in short), key=lambda id_: short[id_][1])
    return {
        id_.replace("_", "-"): _says(unit, n, item_name(id_))
        for id_, (unit, n) in short.items()
        if id_ not in marks_left[1:] and n <= (NEAR_POINTS if unit == "vp" else NEAR_PLACES)
    }


def _short(state: DiceState, seat: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield (id, (unit, how much is short)) of each achievement; not above 0 where it is reached."""
    box, sheet = state.box, state.sheets[seat]
    facts = box.facts["achievement"]
    totals = {other: sum(components.values()) for other, components in state.scores.items()}
    yield from ((id_, ("vp", facts[id_]["points"] - totals[seat])) for id_ in BANDS)
    if len(totals) > 1 and totals[seat] == max(totals.values()):
        yield "great_victory", ("vp", facts["great_victory"]["points"] + 1 - totals[seat])
    yield "patron", ("vp", facts["patron"]["points"] - max(characters(box, sheet).values(), default=0))
    yield "crowd", ("citizens", facts["crowd"]["citizens"] - sum(sheet.citizens.values()))
    yield from ((f"all_{row}", ("buildings", 6 - len(sheet.built[row]))) for row in ROWS)
    yield from ((f"full_{one}", ("circles", box.track - sheet.circled[one])) for one in RESOURCES)
    yield from ((f"full_{one}", ("citizens", box.crowd - sheet.citizens[one])) for one in COLOURS)


def _says(unit: str, n: int, title: Msg) -> Msg:
    match unit:
        case "vp":
            return T("{n} VP short of {title}.", n=n, title=title)
        case "citizens":
            return T("{n} citizen short of {title}.", "{n} citizens short of {title}.", n=n, title=title)
        case "buildings":
            return T("{n} building short of {title}.", "{n} buildings short of {title}.", n=n, title=title)
    return T("{n} circle short of {title}.", "{n} circles short of {title}.", n=n, title=title)
