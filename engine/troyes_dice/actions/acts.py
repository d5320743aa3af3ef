"""What a seat can do with the dice of a half day: every die, way to pay, colour, value and use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.troyes_dice.actions.chain import Chain, Undecided
from engine.troyes_dice.actions.gains import Effect, effect
from engine.troyes_dice.actions.half_day import bring, costs
from engine.troyes_dice.box.sheet import PRESTIGE, WORK, Sheet
from engine.troyes_dice.state.dice import FACES, Laid, hand, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay
from engine.troyes_dice.state.state import DiceState
from engine.values import fixed


@dataclass(slots=True, eq=False)
class Usage:
    """One way to use a die, choices of bonuses still open, with what it costs by resource.

    What is paid apart, all usages of one `effect` do the same. Positions share them: nothing is changed but `line`, how
    one is written in English, empty before somebody has written it.
    """

    die: Laid
    order: HalfDay
    bill: Mapping[str, int]
    effect: Effect
    line: str = ""


@fixed
class MadeDie:
    """A die made into a colour and value: what that costs beside the die, the column that carries the value (0: none),
    and its uses there, None where a raid forbids the prestige building."""

    colour: str
    influence: int
    knowledge: int
    column: int
    resources: Usage
    prestige: Usage | None
    work: Usage

    def uses(self, sheet: Sheet) -> list[Usage]:
        """Resources, and the buildings that can be drawn."""
        column, colour, built = self.column, self.colour, sheet.built
        if not column or column in sheet.crossed[colour]:
            return [self.resources]
        prestige = self.prestige if column not in built[PRESTIGE[colour]] else None
        if column in built[WORK[colour]]:
            return [self.resources, prestige] if prestige is not None else [self.resources]
        return [self.resources, prestige, self.work] if prestige is not None else [self.resources, self.work]


def usages(state: DiceState, seat: str) -> list[Usage]:
    """Every die, way to pay, colour, value and use that the seat can afford."""
    held = hand(state, seat)
    sheet, left, numbering, found = held.sheet, held.sheet.left, state.numbering, list[Usage]()
    for die, pay in held.bought:
        influence, knowledge = die.rest(left, pay)
        for made in _makings(die, pay, numbering):
            if made.knowledge <= knowledge and made.influence <= influence:
                found += made.uses(sheet)
    return found


def acts(state: DiceState, seat: str) -> list[HalfDay]:
    """The same as orders."""
    return [usage.order for usage in usages(state, seat)]


def leaves_choice(state: DiceState, seat: str, usage: Usage) -> bool:
    """Whether a choice of a bonus is open; what is paid has no part in it."""
    chain = Chain(state.box, seat, state.sheets[seat], laid(state), ())
    try:
        bring(chain, usage.order, usage.die)
        chain.settle()
    except Undecided:
        return True
    return False


@lru_cache(1024)
def _makings(die: Laid, pay: str, numbering: tuple[int, ...]) -> tuple[MadeDie, ...]:
    """All that a die can be made, its own colour and value first, whatever that costs."""
    colours = sorted(die.colours, key=lambda colour: colour != die.colour)
    return tuple(make(die, pay, colour, value, numbering) for colour in colours for value in die.values)


@lru_cache(16_384)
def make(die: Laid, pay: str, colour: str, value: int, numbering: tuple[int, ...]) -> MadeDie:
    """The die made so, once it is paid for."""
    column = numbering.index(value) + 1 if value in FACES else 0

    def usage(use: str, at: int) -> Usage:
        order = HalfDay(die.slot, colour, value, use, at, pay)
        return Usage(die, order, costs(die, order), effect(colour, value, use, at, die.banquet if at else ""))

    return MadeDie(
        colour,
        die.values[value],
        die.colours[colour],
        column,
        usage(RESOURCES_USE, 0),
        usage(PRESTIGE[colour], column) if die.raid != "great_hall" else None,
        usage(WORK[colour], column),
    )
