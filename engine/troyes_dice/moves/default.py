"""The answer that does least, for every decision: what is given where nobody answers."""

from __future__ import annotations

from engine.errors import TooLate
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.half_day import purchases
from engine.troyes_dice.moves import legal
from engine.troyes_dice.state.dice import Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay, Order
from engine.troyes_dice.state.state import DiceState


def default(state: DiceState, seat: str) -> Order:
    """The cheapest die for its resources, as it lies; the first numbers, and the first choices of a bonus.

    Raises TooLate when the seat is not asked.
    """
    kind = answers.asked_kind(state, seat)
    if not kind:
        raise TooLate(answers.not_asked(state, seat))
    if kind != answers.HALF_DAY:
        return next(legal.every(state, seat))
    sheet = state.sheets[seat]
    die = min((die for die in laid(state) if die.usable and any(purchases(sheet, die))), key=_cost)
    pay = next(iter(purchases(sheet, die)))
    return next(legal.complete(state, seat, HalfDay(die.slot, die.colour, die.value, RESOURCES_USE, 0, pay)))


def _cost(die: Laid) -> tuple[int, int]:
    """What a die costs; of two that cost the same the one that brings more."""
    return sum(die.price.values()) + die.any, -die.value
