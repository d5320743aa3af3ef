"""What a seat can do with the dice of a half day: every die, way to pay, colour, value and use."""

from __future__ import annotations

from collections.abc import Iterator

from engine.troyes_dice.actions.half_day import purchases
from engine.troyes_dice.box.sheet import COLOURS, PRESTIGE, WORK, Sheet
from engine.troyes_dice.state.dice import FACES, Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay
from engine.troyes_dice.state.state import DiceState


def acts(state: DiceState, seat: str) -> Iterator[HalfDay]:
    """Every die, way to pay, colour, value and use that the seat can afford, choices of bonuses still open."""
    sheet = state.sheets[seat]
    for die in laid(state):
        if not die.usable:
            continue
        for pay in purchases(sheet, die):
            yield from _made(state, sheet, die, pay)


def reach(sheet: Sheet, die: Laid, pay: str) -> tuple[list[str], list[int]]:
    """The colours and values that what is left will turn the die into, once it is paid; its own value first."""
    influence, knowledge = (
        sheet.unspent(resource) - die.price.get(resource, 0) - (die.any if pay == resource else 0)
        for resource in ("influence", "knowledge")
    )
    colours = [colour for colour in COLOURS if 0 <= die.knowledge(colour) <= knowledge]
    return colours, [value for value in (die.value, *FACES) if 0 <= die.influence(value) <= influence]


def uses(state: DiceState, sheet: Sheet, die: Laid, colour: str, value: int) -> Iterator[tuple[str, int]]:
    """What a die so made can be used for: resources, and the buildings that can be drawn, with their column."""
    yield RESOURCES_USE, 0
    if value in FACES:
        column = state.column(value)
        if die.raid != "great_hall" and sheet.is_open(PRESTIGE[colour], column):
            yield PRESTIGE[colour], column
        if sheet.is_open(WORK[colour], column):
            yield WORK[colour], column


def _made(state: DiceState, sheet: Sheet, die: Laid, pay: str) -> Iterator[HalfDay]:
    colours, values = reach(sheet, die, pay)
    for colour in sorted(colours, key=lambda colour: colour != die.colour):
        for value in dict.fromkeys(values):
            for use, column in uses(state, sheet, die, colour, value):
                yield HalfDay(die.slot, colour, value, use, column, pay)
