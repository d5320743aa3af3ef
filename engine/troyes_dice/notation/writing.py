"""The canonical line of an order: what receipts print, options show, and `read` accepts, in a reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.catalog import Msg, T
from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.notation import standing
from engine.troyes_dice.notation.words import WRITTEN
from engine.troyes_dice.state.dice import laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Answer, Bonus, Fallback, HalfDay, Numbering, Order, Standing
from engine.troyes_dice.state.state import DiceState

Say = Callable[[str], str]
"""An English word of the tables in the reader's language."""


def write(state: DiceState, seat: str, order: Order, language: str = "en") -> str:
    """The canonical text of `order` in this position."""
    words = WRITTEN.get(language, {})

    def say(word: str) -> str:
        return words.get(word, word)

    if isinstance(order, Standing):
        return standing.written(order, say)
    if isinstance(order, Numbering):
        numbers = f"{order.numbers[0]} {say(order.way)}" if order.way else " ".join(map(str, order.numbers))
        return f"{say('numbering')} {numbers}"
    if isinstance(order, Bonus):
        return f"{say('bonus')} {_choices(order.choices, say)}"
    return answer_text(order, die_of(state, order, say), say)


def told(order: Answer, die: str) -> Msg:
    """An answer to a half day in every language that orders are written in, for its reader's."""

    def written(words: Mapping[str, str]) -> str:
        def say(word: str) -> str:
            return words.get(word, word)

        return answer_text(order, " ".join(map(say, die.split())), say)

    return T.each(answer_text(order, die), **{language: written(words) for language, words in WRITTEN.items()})


def worded(state: DiceState, seat: str, order: Order) -> Msg:
    """Any order in every language that orders are written in, for its reader's."""
    others = {language: write(state, seat, order, language) for language in WRITTEN}
    return T.each(write(state, seat, order), **others)


def die_of(state: DiceState, order: Answer, say: Say = str) -> str:
    """The die that an answer uses, in the words that tell it apart; empty for the fallback."""
    return " ".join(map(say, laid(state)[order.slot].word.split())) if isinstance(order, HalfDay) else ""


def answer_text(order: Answer, die: str, say: Say = str) -> str:
    """The canonical text of an answer to a half day, which uses this die; of the fallback just its choices."""
    bonus = f"{say('bonus')} {_choices(order.bonus, say)}" if order.bonus else ""
    if isinstance(order, Fallback):
        return bonus
    made = f"{say(order.colour)} {order.value}"
    words = die if f"{die} ".startswith(f"{made} ") else f"{die} {say('as')} {made}"
    if order.use == RESOURCES_USE:
        words += f": {say(chosen(RESOURCE[order.colour]))}"
    else:
        words += f": {say(chosen(order.use))} {order.column}"
    if order.pay:
        words += f"; {say('pay')} {say(chosen(order.pay))}"
    return f"{words}; {bonus}" if bonus else words


def _choices(choices: Sequence[str], say: Say) -> str:
    """Colours, and buildings with their columns."""
    return ", ".join(" ".join(map(say, chosen(choice).split())) for choice in choices)
