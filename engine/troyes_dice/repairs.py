"""Legal orders nearest to a line that was refused.

A line is taken apart into its die, what the die is made, its use and its choices, without being understood, and every
order that is open to the seat is compared with it: there are some hundreds at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import chain

from engine.kit.nearness import Nearness, Weight, readings, respelled
from engine.kit.words import folded, kebab
from engine.troyes_dice import box, notation
from engine.troyes_dice.moves import legal
from engine.troyes_dice.moves import options as offering
from engine.troyes_dice.notation.words import CLAUSES, COLOURS, DICE, LETTERS, NOISE, USES, VERBS, WIDEST
from engine.troyes_dice.state.orders import Order
from engine.troyes_dice.state.state import DiceState

_PIECE = re.compile(r"[^\s:;,()«»\"!?]+")
_SHORT = re.compile(r"(?:([a-z])([0-9])|([0-9])([a-z]))")
_DIE = re.compile(r"=?[ryw][0-9]")
_LIGHT, _DICE, _NAME = (1.0, 0.4), (2.0, 0.8), (3.0, 1.2)
"""The weights of columns and what pays, of dice, of uses and verbs."""


def repairs(state: DiceState, seat: str, line: str, plays: Callable[[Order], bool], language: str) -> tuple[str, ...]:
    """Up to three legal orders, the nearest to a line first. `plays` tells whether an order is legal now."""
    nearness = Nearness(lambda order: notation.write(state, seat, order), _parts, _weigh, plays)
    right = readings(respelled(line, _is_known, _here()), lambda text: notation.read(state, seat, text).order)
    others = chain((order for order, _ in offering.offers(state, seat)), legal.every(state, seat))
    return tuple(notation.write(state, seat, order, language) for order in nearness.nearest(line, right, others))


@cache
def _here() -> frozenset[str]:
    """The words of orders, names also in their parts."""
    words = {*VERBS, *COLOURS, *USES, *CLAUSES}
    return frozenset(words | {part for word in USES for part in word.split("-")})


@cache
def _known() -> frozenset[str]:
    return _here() | DICE | NOISE | {part for name in box.words() for part in (name, *name.split("-"))}


def _is_known(word: str) -> bool:
    return word in _known() or word.isdecimal() or _SHORT.fullmatch(word) is not None


def _parts(line: str) -> list[str]:
    """A line's die (`r6`), what it is made (`=w5`), use, column, what pays (`pay influence`) and choices."""
    pieces = [piece.strip(".'") for piece in _PIECE.findall(folded(line))]
    pieces = [piece for piece in pieces if kebab(piece) and kebab(piece) not in NOISE]
    found: list[str] = []
    mark = ""
    while pieces:
        width, part = _part(pieces)
        del pieces[:width]
        if part in ("as", "pay", "bonus", "plaza"):
            mark = {"as": "=", "pay": "pay ", "bonus": "bonus ", "plaza": "plaza "}[part]
            continue
        found.append(f"{mark}{part}")
        mark = mark if mark == "bonus " else ""
    return found


def _part(pieces: list[str]) -> tuple[int, str]:
    """What the first pieces are, and how many they are."""
    first = kebab(pieces[0])
    if (short := _SHORT.fullmatch(first)) and (short[1] or short[4]) in LETTERS:
        return 1, f"{LETTERS[short[1] or short[4]][0]}{short[2] or short[3]}"
    if first in COLOURS and pieces[1:] and pieces[1].isdecimal():
        return 2, f"{COLOURS[first][0]}{pieces[1]}"
    for width in range(min(WIDEST, len(pieces)), 0, -1):
        word = kebab("-".join(pieces[:width]))
        meant = USES.get(word) or VERBS.get(word) or COLOURS.get(word) or CLAUSES.get(word)
        if meant:
            return width, meant
    return 1, first


def _weigh(part: str) -> Weight:
    if _DIE.fullmatch(part):
        return _DICE
    return _LIGHT if part[-1].isdecimal() or part.startswith("pay ") else _NAME
