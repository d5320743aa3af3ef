"""The canonical line of an order: what receipts print, options show, and `read` accepts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.state.dice import die_word, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, Fallback, HalfDay, Numbering, Order
from engine.troyes_dice.state.state import DiceState


def write(state: DiceState, seat: str, order: Order, language: str = "en") -> str:
    """The canonical text of `order` in this position."""
    if isinstance(order, Numbering):
        return (
            f"numbering {order.numbers[0]} {order.way}"
            if order.way
            else f"numbering {' '.join(map(str, order.numbers))}"
        )
    if isinstance(order, Bonus):
        return f"bonus {_choices(order.choices)}"
    return answer_text(state, order)


def answer_text(state: DiceState, order: HalfDay | Fallback) -> str:
    """The canonical text of an answer to a half day; of the fallback just its choices."""
    if isinstance(order, Fallback):
        return f"bonus {_choices(order.bonus)}" if order.bonus else ""
    dice = laid(state)
    words = die_word(dice, dice[order.slot])
    if (order.colour, order.value) != (dice[order.slot].colour, dice[order.slot].value):
        words += f" as {order.colour} {order.value}"
    if order.use == RESOURCES_USE:
        words += f": {chosen(RESOURCE[order.colour])}"
    else:
        words += f": {chosen(order.use)} {order.column}"
    if order.pay:
        words += f"; pay {chosen(order.pay)}"
    if order.bonus:
        words += f"; bonus {_choices(order.bonus)}"
    return words


def _choices(choices: Sequence[str]) -> str:
    return ", ".join(map(chosen, choices))
