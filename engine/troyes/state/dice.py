"""Dice as they are written everywhere: a colour letter and a value, `Y5`, sorted, without identity.

Two yellow fives in one district are the same die, so a district is a sorted list of such words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

YELLOW, WHITE, RED = "yellow", "white", "red"
COLOURS = (YELLOW, WHITE, RED)
LETTERS = {YELLOW: "Y", WHITE: "W", RED: "R", "purple": "P"}
COLOUR_OF = {letter: colour for colour, letter in LETTERS.items()}
WRITTEN = {"fr": {"Y": "J", "W": "B", "P": "M", "gray": "gris", "as": "comme"}}
"""By language the letters of colours and the words beside them."""
OPPOSITE = 7
"""The sum of opposite faces (rulebook, Influence)."""
FACES = tuple(f"{letter}{value}" for letter in "YWRP" for value in range(1, 7))

_PIPS = {word: int(word[1:]) for word in FACES}
_RANK = {letter: rank for rank, letter in enumerate("YWRP")}
_SHOWN = {word: (_RANK[word[0]], -pips) for word, pips in _PIPS.items()}
_STRENGTH = {letter: rank for rank, letter in enumerate("RYWP")}


_WRITTEN = re.compile(r"\b([YWP](?=[1-6]?\b)|gray(?=:)|as(?= [YWR]\b))")


@lru_cache(4096)
def dice_in_language(text: str, language: str) -> str:
    """Dice, or orders with dice, in a language. No name of a person or card looks like them."""
    words = WRITTEN.get(language)
    return _WRITTEN.sub(lambda found: words[found[0]], text) if words else text


def die_word(colour: str, value: int) -> str:
    """The word for a die: `die_word("red", 4)` is `R4`."""
    return f"{LETTERS[colour]}{value}"


def die_colour(word: str) -> str:
    """`yellow`, `white`, `red` or `purple`."""
    return COLOUR_OF[word[0]]


def die_value(word: str) -> int:
    """The pips, 1 to 6."""
    return _PIPS.get(word) or int(word[1:])


def flipped_die(word: str) -> str:
    """The opposite face."""
    return f"{word[0]}{OPPOSITE - die_value(word)}"


def sorted_dice(words: Iterable[str]) -> list[str]:
    """Dice in the order they are always shown in: by colour, then the highest first."""
    return sorted(words, key=_SHOWN.__getitem__)


def dice_by_rank(words: Iterable[str]) -> list[str]:
    """Dice from the strongest to the weakest as the solo rules rank them: by value, then red, yellow, white."""
    return sorted(words, key=lambda word: (-die_value(word), _STRENGTH[word[0]]))


def are_among(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether `few` are all among `many`, with each counted."""
    return all(many.count(word) >= few.count(word) for word in few)


def missing_dice(wanted: Iterable[str], there: Iterable[str]) -> list[str]:
    """Which of the `wanted` dice are not `there`, with each counted."""
    wanted, there = list(wanted), list(there)
    if are_among(wanted, there):
        return []
    return list((Counter(wanted) - Counter(there)).elements())
