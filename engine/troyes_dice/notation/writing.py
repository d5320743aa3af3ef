"""The canonical line of an order, and its title, a sentence: `Game.read` accepts both, in every language."""

from __future__ import annotations

from functools import lru_cache

from engine.catalog import Msg, T
from engine.troyes_dice.card_data.phrases import choice_word
from engine.troyes_dice.card_data.sheet import COLOUR, RESOURCE
from engine.troyes_dice.notation.order_words import TITLES, WRITTEN
from engine.troyes_dice.state.dice import LaidDie, laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import (
    RESOURCES_USE,
    Answer,
    AutoBonus,
    Bonus,
    Fallback,
    Goal,
    HalfDay,
    LaterGoals,
    Numbering,
    Order,
    Standing,
    TakeBack,
)


def write_order(state: DiceState, seat: str, order: Order, language: str = "en") -> str:
    """Return the canonical text of an order in this position."""
    if isinstance(order, HalfDay | Fallback):
        return answer_text(order, die_of(state, order), language)
    if isinstance(order, Bonus):
        return _bonus(order.choices, language)
    if isinstance(order, Standing):
        return _standing(order, language)
    numbers = " ".join(map(str, order.numbers))
    return translated_words(
        f"numbering {order.numbers[0]} {order.way}" if order.way else f"numbering {numbers}", language
    )


def order_title(state: DiceState, seat: str, order: Order, language: str = "en") -> str:
    """Return the order as a sentence, the gain first: `Build City Hall 1 with yellow 1`. A standing order has its
    canonical text."""
    if isinstance(order, HalfDay):
        die = _titled_die(laid_dice(state)[order.slot], order, language)
        if order.use == RESOURCES_USE:
            gain = RESOURCE[order.colour]
            what = translated_words(gain, language) if order.value == 1 else _typed(gain, language)
            text = _say("gain", language, n=order.value, what=what, die=die)
        else:
            text = _say("build", language, what=_named(language, f"{order.use} {order.column}"), die=die)
        text += _say("pay", language, what=_typed(order.pay, language)) if order.pay else ""
        return text + (_say("bonus", language, what=_named(language, *order.bonus)) if order.bonus else "")
    if isinstance(order, Bonus):
        return _say("choose", language, what=_named(language, *order.choices))
    if isinstance(order, Numbering):
        numbers = order.numbers[:1] if order.way else order.numbers
        return _say(f"numbers {order.way}".strip(), language, n=" ".join(map(str, numbers)))
    return write_order(state, seat, order, language)


def _say(sentence: str, language: str, **parts: str | int) -> str:
    return TITLES[sentence][language == "fr"].format(**parts)


def _titled_die(die: LaidDie, order: HalfDay, language: str) -> str:
    """A die, and what it is changed to."""
    face, _, plaza = die.word.partition(" plaza ")
    words = translated_words(face, language)
    words = _say("plaza", language, die=words, n=plaza) if plaza else words
    if order.colour != die.colour:
        return _say("as", language, die=words, made=translated_words(f"{order.colour} {order.value}", language))
    way = "" if order.value == die.value else "up" if order.value > die.value else "down"
    return _say(way, language, die=words, n=order.value) if way else words


def _named(language: str, *choices: str) -> str:
    """Buildings with their columns, and colours."""
    parts = (choice.partition(" ") for choice in choices)
    words = (
        f"{_say(word, language)} {column}" if column else translated_words(word, language) for word, _, column in parts
    )
    return _say("and", language).join(words)


def answer_message(order: Answer, die: str) -> Msg:
    """Return an answer to a half day in every language."""
    return T.each(**{language: answer_text(order, die, language) for language in ("en", *WRITTEN)})


def order_message(state: DiceState, seat: str, order: Order) -> Msg:
    """Return any order in every language."""
    return T.each(**{language: write_order(state, seat, order, language) for language in ("en", *WRITTEN)})


def die_of(state: DiceState, order: Answer) -> str:
    """Return the die of an answer in the English words that tell it apart; "" for the fallback."""
    return laid_dice(state)[order.slot].word if isinstance(order, HalfDay) else ""


def answer_text(order: Answer, die: str, language: str = "en") -> str:
    """Return the canonical text of an answer with this die; of the fallback just its choices."""
    if isinstance(order, Fallback):
        return _bonus(order.bonus, language)
    made = _made(die, order.colour, order.value, language)
    use = RESOURCE[order.colour] if order.use == RESOURCES_USE else f"{order.use} {order.column}"
    words = f"{made}: {_typed(use, language)}{_pay(order.pay, language)}"
    return f"{words}; {_bonus(order.bonus, language)}" if order.bonus else words


# The parts of a line, which many have in common.


def translated_words(words: str, language: str) -> str:
    """Return English words of the tables in the reader's language."""
    known = WRITTEN.get(language)
    return " ".join([known.get(word, word) for word in words.split()]) if known else words


@lru_cache(4096)
def _made(die: str, colour: str, value: int, language: str) -> str:
    """A die, and what it is changed to."""
    made = f"{colour} {value}"
    return translated_words(die if f"{die} ".startswith(f"{made} ") else f"{die} as {made}", language)


def _typed(choice: str, language: str) -> str:
    """A colour, a resource, or a building with its column."""
    return translated_words(choice_word(choice), language)


def _pay(resource: str, language: str) -> str:
    """What pays a price of any kind, if anything does."""
    return f"; {translated_words('pay', language)} {_typed(resource, language)}" if resource else ""


@lru_cache(1024)
def _bonus(choices: tuple[str, ...], language: str) -> str:
    words = ", ".join([_typed(one, language) for one in choices])
    return f"{translated_words('bonus', language)} {words}" if words else ""


# Standing orders.


def _standing(order: Standing, language: str) -> str:
    def say(words: str) -> str:
        return translated_words(words, language)

    if isinstance(order, TakeBack):
        return f"{say('cancel')} {say(order.what)}".strip()
    if isinstance(order, AutoBonus):
        text = f"{say('auto')}: {say('bonus')} {', '.join(_typed(choice, language) for choice in order.choices)}"
    else:
        begins = say("later" if isinstance(order, LaterGoals) else "auto")
        text = f"{begins}: {' | '.join(goal_text(goal, language) for goal in order.goals)}"
    return f"{text}, {say('every-day').replace('-', ' ')}" if order.always else text


def goal_text(goal: Goal, language: str = "en") -> str:
    """Return a goal as it is written."""
    die = f"{goal.colour} {goal.value}{'+' if goal.higher else ''}" if goal.value else goal.colour
    words = _typed(goal.use, language)
    if die:
        words = f"{translated_words(goal.colour, language)}{die[len(goal.colour) :]}: {words}"
    if goal.at:
        words += f" {goal.at}" if goal.use in COLOUR else f" {goal.at}+"
    if goal.most >= 0:
        words += f" {translated_words('max', language)} {goal.most}"
    return words + _pay(goal.pay, language)
