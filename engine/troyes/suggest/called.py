"""Dice as they are called by some words of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.troyes.notation.lexicon import Wordlet

ALL = 0
"""A count of dice: as many as lie there."""
SMALL = ("the", "le", "la", "les", "my", "mon")
"""What stands before one die of several."""


def is_put_out(tokens: Sequence[Wordlet], at: int) -> bool:
    """Whether somebody at a place is only put out of a building, and owns no die: «kicks Geoffrey out»."""
    return any(token.of("role") == "expels" for token in tokens[max(0, at - 2) : at])


@dataclass(frozen=True, slots=True)
class Called:
    """Dice as they are called by the words from `first` to before `last`."""

    first: int
    last: int
    letter: str
    value: int
    whose: str = ""
    count: int = 1


def apart(one: Called, more: Sequence[Called]) -> Iterator[Called]:
    """Dice, and such of people who are named behind them; as many as were counted are one of each: «the two fives,
    Faye's and Geoffrey's»."""
    count = len(more) if one.count == ALL else one.count  # «both white sixes, Faye's and the gray one»
    if count != len(more) or one.whose or not more:
        yield replace(one, count=1) if one.whose and more and one.count == 1 + len(more) else one
    yield from more


def dyed(called: list[Called]) -> list[Called]:
    """Values beside dice that are called by one colour alone are of that: «5 et 1 jaunes»."""
    wide = [one for one in called if one.letter and not one.value]
    others = len(called) - 1
    if len(wide) != 1 or all(one.letter for one in called) or (wide[0].count > 1 and wide[0].count != others):
        return called  # but «both my reds and the gray 4» are three
    return [one if one.letter else replace(one, letter=wide[0].letter) for one in called if one is not wide[0]]
