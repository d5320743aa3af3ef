"""The canonical line of an order: what receipts print, options show, and `read` accepts, in a reader's language."""

from __future__ import annotations

from functools import lru_cache

from engine.catalog import Msg, T
from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.notation import standing
from engine.troyes_dice.notation.words import WRITTEN
from engine.troyes_dice.state.dice import laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Answer, Bonus, Fallback, HalfDay, Order, Standing
from engine.troyes_dice.state.state import DiceState


def write(state: DiceState, seat: str, order: Order, language: str = "en") -> str:
    """The canonical text of `order` in this position."""
    if isinstance(order, HalfDay):
        return answer_text(order, laid(state)[order.slot].word, language)
    if isinstance(order, Fallback):
        return answer_text(order, "", language)
    if isinstance(order, Bonus):
        return _bonus(order.choices, language)

    def say(word: str) -> str:
        return said(word, language)

    if isinstance(order, Standing):
        return standing.written(order, say)
    numbers = f"{order.numbers[0]} {say(order.way)}" if order.way else " ".join(map(str, order.numbers))
    return f"{say('numbering')} {numbers}"


def told(order: Answer, die: str) -> Msg:
    """An answer to a half day in every language that orders are written in, for its reader's."""
    return T.each(answer_text(order, die), **{language: answer_text(order, die, language) for language in WRITTEN})


def worded(state: DiceState, seat: str, order: Order) -> Msg:
    """Any order in every language that orders are written in, for its reader's."""
    others = {language: write(state, seat, order, language) for language in WRITTEN}
    return T.each(write(state, seat, order), **others)


def die_of(state: DiceState, order: Answer) -> str:
    """The die that an answer uses, in the English words that tell it apart; empty for the fallback."""
    return laid(state)[order.slot].word if isinstance(order, HalfDay) else ""


def answer_text(order: Answer, die: str, language: str = "en") -> str:
    """The canonical text of an answer to a half day, which uses this die; of the fallback just its choices."""
    if isinstance(order, Fallback):
        return _bonus(order.bonus, language)
    made = _made(die, order.colour, order.value, language)
    words = f"{made}: {use_text(order.use, order.colour, order.column, language)}"
    if order.pay:
        words += f"; {pay_text(order.pay, language)}"
    return f"{words}; {_bonus(order.bonus, language)}" if order.bonus else words


# The parts of a line, which many have in common.


def said(words: str, language: str) -> str:
    """English words of the tables in the reader's language."""
    known = WRITTEN.get(language)
    return " ".join([known.get(word, word) for word in words.split()]) if known else words


@lru_cache(4096)
def _made(die: str, colour: str, value: int, language: str) -> str:
    """A die, and what it is made."""
    made = f"{colour} {value}"
    return said(die if f"{die} ".startswith(f"{made} ") else f"{die} as {made}", language)


@lru_cache
def use_text(use: str, colour: str, column: int, language: str) -> str:
    """What a die is used for."""
    if use == RESOURCES_USE:
        return said(chosen(RESOURCE[colour]), language)
    return f"{said(chosen(use), language)} {column}"


@lru_cache
def pay_text(resource: str, language: str) -> str:
    """What pays for it."""
    return said(f"pay {chosen(resource)}", language)


@lru_cache(1024)
def _bonus(choices: tuple[str, ...], language: str) -> str:
    """Colours, and buildings with their columns."""
    words = ", ".join([chosen_text(one, language) for one in choices])
    return f"{said('bonus', language)} {words}" if words else ""


def chosen_text(choice: str, language: str) -> str:
    """One of them."""
    return said(chosen(choice), language)
