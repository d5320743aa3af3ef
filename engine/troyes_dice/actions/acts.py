"""What a seat can do with the dice of a half day: every die, way to pay, colour, value and use."""

from __future__ import annotations

from collections.abc import Iterator

from engine.troyes_dice.box.sheet import PRESTIGE, WORK, Sheet
from engine.troyes_dice.state.dice import FACES, Laid, laid, purchases
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay
from engine.troyes_dice.state.state import DiceState

TOO_DEAR = 99
"""More of a resource than there can be: what a die cannot be made."""


def acts(state: DiceState, seat: str) -> Iterator[HalfDay]:
    """Every die, way to pay, colour, value and use that the seat can afford, choices of bonuses still open."""
    sheet = state.sheets[seat]
    for die in laid(state):
        for pay in purchases(sheet, die):
            yield from _made(state, sheet, die, pay)


def reach(sheet: Sheet, die: Laid, pay: str) -> tuple[list[str], list[int]]:
    """The colours and values that what is left will turn the die into, once it is paid; its own value first."""
    influence = sheet.unspent("influence") - die.price.get("influence", 0) - (die.any if pay == "influence" else 0)
    knowledge = sheet.unspent("knowledge") - die.price.get("knowledge", 0) - (die.any if pay == "knowledge" else 0)
    colours = [colour for colour, price in die.colours.items() if price <= knowledge]
    return colours, [value for value in (die.value, *FACES) if die.values.get(value, TOO_DEAR) <= influence]


def uses(state: DiceState, sheet: Sheet, die: Laid, colour: str, value: int) -> list[tuple[str, int]]:
    """What a die so made can be used for: resources, and the buildings that can be drawn, with their column."""
    found = [(RESOURCES_USE, 0)]
    if value in FACES:
        column = state.column(value)
        if column not in sheet.crossed[colour]:
            prestige, work = PRESTIGE[colour], WORK[colour]
            if column not in sheet.built[prestige] and die.raid != "great_hall":
                found.append((prestige, column))
            if column not in sheet.built[work]:
                found.append((work, column))
    return found


def _made(state: DiceState, sheet: Sheet, die: Laid, pay: str) -> Iterator[HalfDay]:
    colours, values = reach(sheet, die, pay)
    slot, once = die.slot, dict.fromkeys(values)
    for colour in sorted(colours, key=lambda colour: colour != die.colour):
        for value in once:
            for use, column in uses(state, sheet, die, colour, value):
                yield HalfDay(slot, colour, value, use, column, pay)
