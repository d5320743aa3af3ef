"""Legal orders nearest to a line that was refused.

A line is taken apart into its die, what the die is made, its use and its choices, without being understood, and every
order that is open to the seat is compared with it: there are some hundreds at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from engine.kit.nearness import Nearness, Weight, is_talk, readings, respelled
from engine.troyes_dice import box, notation
from engine.troyes_dice.moves import legal
from engine.troyes_dice.notation.terms import Typed, passes, terms_of
from engine.troyes_dice.notation.words import DICE, TABLE, TELLING, spelled
from engine.troyes_dice.state.orders import Order
from engine.troyes_dice.state.state import DiceState

_SHORT = re.compile(r"[a-z][0-9]|[0-9][a-z]")
_DIE = re.compile(r"=?[ryw][0-9]")
_MARKS = {"face": "=", "pay": "pay ", "bonus": "bonus ", "plaza": "plaza "}
"""Kinds of words that say what the next part is."""
_LIGHT, _DICE, _NAME = (1.0, 0.4), (2.0, 0.8), (3.0, 1.2)
"""The weights of columns and what pays, of dice, of uses and verbs."""


def repairs(state: DiceState, seat: str, line: str, plays: Callable[[Order], bool], language: str) -> tuple[str, ...]:
    """Up to three legal orders, the nearest to a line first. `plays` tells whether an order is legal now.

    Nearest to passing is what does least.
    """
    if passes(terms_of(line)):
        return (notation.write(state, seat, legal.default(state, seat), language),)
    if is_talk(line, _is_known, _is_die):
        return ()
    nearness = Nearness(lambda order: notation.write(state, seat, order), _parts, _weigh, _words(), plays)
    right = readings(respelled(line, _is_known, _here()), lambda text: notation.read(state, seat, text).order)
    found = nearness.nearest(line, right, legal.every(state, seat))
    return tuple(notation.write(state, seat, order, language) for order in found)


@cache
def _here() -> frozenset[str]:
    """The words of orders, names also in their parts."""
    words = spelled(*TELLING, "face", "way")
    return frozenset(words) | {part for word in words for part in word.split("-")}


@cache
def _known() -> frozenset[str]:
    names = (*spelled(*TABLE), *box.words())
    return _here() | DICE | {part for name in names for part in (name, *name.split("-"))}


@cache
def _words() -> frozenset[str]:
    """What an order's parts are, dice and numbers aside."""
    means = spelled(*TELLING, "way").values()
    return frozenset(f"{mark}{meant}" for mark in ("", "pay ", "bonus ") for meant in means)


def _is_known(word: str) -> bool:
    return word in _known() or word.isdecimal() or _SHORT.fullmatch(word) is not None


@cache
def _colours() -> frozenset[str]:
    return frozenset(spelled("colour"))


def _is_die(word: str) -> bool:
    """Whether a word is a die, or its colour."""
    return word in _colours() or _SHORT.fullmatch(word) is not None


def _parts(line: str) -> list[str]:
    """A line's die (`r6`), what it is made (`=w5`), use, column, what pays (`pay influence`) and choices."""
    words = terms_of(line)
    found: list[str] = []
    mark = ""
    at = 0
    while at < len(words):
        width, part = _part(words[at : at + 2])
        kind = words[at].kind
        at += width
        if kind in _MARKS:
            mark = _MARKS[kind]
        elif kind != "mark":
            found.append(f"{mark}{part}")
            mark = mark if mark == "bonus " else ""
    return found


def _part(words: tuple[Typed, ...]) -> tuple[int, str]:
    """What the first words are, and how many they are."""
    colour = next((word for word in words if word.kind in ("colour", "letter")), None)
    number = next((word for word in words if word.kind == "number"), None)
    return (2, f"{colour.means[0]}{number.number}") if colour and number else (1, words[0].means)


def _weigh(part: str) -> Weight:
    if _DIE.fullmatch(part):
        return _DICE
    return _LIGHT if part[-1].isdecimal() or part.startswith("pay ") else _NAME
