"""What a seat can do with the dice of a half day: every die, way to pay, colour, value and use."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from engine.troyes_dice.actions.half_day import costs
from engine.troyes_dice.box.sheet import PRESTIGE, WORK, Sheet
from engine.troyes_dice.state.dice import FACES, Laid, hand
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay
from engine.troyes_dice.state.state import DiceState
from engine.values import fixed


@fixed
class Usage:
    """One way to use a die, choices of bonuses still open, with what it costs by resource."""

    die: Laid
    order: HalfDay
    bill: Mapping[str, int]

    @property
    def effect(self) -> Hashable:
        """What the order does apart from its price: usages of one effect do the same."""
        one = self.order
        return one.colour, one.value, one.use, one.column, self.die.banquet if one.column else ""


def usages(state: DiceState, seat: str) -> list[Usage]:
    """Every die, way to pay, colour, value and use that the seat can afford; a die as it lies comes first."""
    held, found = hand(state, seat), list[Usage]()
    for die, pay in held.bought:
        influence, knowledge = die.rest(held.sheet.left, pay)
        for colour in sorted(die.turned(knowledge), key=lambda colour: colour != die.colour):
            for value in die.counted(influence):
                for use, column in uses(state, held.sheet, die, colour, value):
                    order = HalfDay(die.slot, colour, value, use, column, pay)
                    found.append(Usage(die, order, costs(die, order)))
    return found


def uses(state: DiceState, sheet: Sheet, die: Laid, colour: str, value: int) -> list[tuple[str, int]]:
    """What a die made into a colour and value can be used for: resources, and the buildings that it can draw, each with
    its column."""
    found = [(RESOURCES_USE, 0)]
    column = state.column(value) if value in FACES else 0
    if column and column not in sheet.crossed[colour]:
        rows = (WORK[colour],) if die.raid == "great_hall" else (PRESTIGE[colour], WORK[colour])
        found += [(row, column) for row in rows if column not in sheet.built[row]]
    return found


def acts(state: DiceState, seat: str) -> list[HalfDay]:
    """The same as orders."""
    return [usage.order for usage in usages(state, seat)]
