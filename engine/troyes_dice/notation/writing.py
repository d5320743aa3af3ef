"""The canonical line of an order: what receipts print, options show, and `read` accepts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.state.dice import laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Answer, Bonus, Fallback, HalfDay, Numbering, Order
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
    return answer_text(order, die_of(state, order))


def die_of(state: DiceState, order: Answer) -> str:
    """The die that an answer uses, in the words that tell it apart; empty for the fallback."""
    return laid(state)[order.slot].word if isinstance(order, HalfDay) else ""


def answer_text(order: Answer, die: str) -> str:
    """The canonical text of an answer to a half day, which uses this die; of the fallback just its choices."""
    if isinstance(order, Fallback):
        return f"bonus {_choices(order.bonus)}" if order.bonus else ""
    made = f"{order.colour} {order.value}"
    words = die if f"{die} ".startswith(f"{made} ") else f"{die} as {made}"
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
