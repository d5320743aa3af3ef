"""The canonical line of an order: what receipts print, options show, and `read` accepts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.troyes_dice.dice import die_word
from engine.troyes_dice.dice import laid
from engine.troyes_dice.orders import RESOURCES_USE
from engine.troyes_dice.orders import Act
from engine.troyes_dice.orders import Bonus
from engine.troyes_dice.orders import Fallback
from engine.troyes_dice.orders import Numbering
from engine.troyes_dice.orders import Order
from engine.troyes_dice.sheet import RESOURCE
from engine.troyes_dice.state import Table
from engine.troyes_dice.words import chosen


def write(table: Table, seat: str, order: Order) -> str:
    """The canonical text of `order` in this position."""
    if isinstance(order, Numbering):
        return (
            f"numbering {order.numbers[0]} {order.way}"
            if order.way
            else f"numbering {' '.join(map(str, order.numbers))}"
        )
    if isinstance(order, Bonus):
        return f"bonus {_choices(order.choices)}"
    return answer_text(table, order)


def answer_text(table: Table, order: Act | Fallback) -> str:
    """The canonical text of an answer to a half day; of the fallback just its choices."""
    if isinstance(order, Fallback):
        return f"bonus {_choices(order.bonus)}" if order.bonus else ""
    dice = laid(table)
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
