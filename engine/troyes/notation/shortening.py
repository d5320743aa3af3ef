"""What people make of the names of the box: their beginnings, their consonants alone, letters doubled or not."""

from __future__ import annotations

import re
from functools import cache

from engine.troyes import box

_PART, _FIRST = 5, 4
"""Letters that a part of a name has at least; of the beginning of one. Shorter ones are words of their own."""
SHORT = 3
"""Letters of what is short for a person, a place or what is counted."""
_LONG = 7
"""Letters of a word in which it may be forgotten which of them are doubled."""
_DOUBLED = re.compile(r"(.)\1+")
_VOWELS = frozenset("aeiou")


def is_bare(word: str) -> bool:
    """Whether it has no vowels, and letters enough to be something without them."""
    return len(word) > SHORT and word.isalpha() and not _VOWELS & {*word}


def is_short_for(word: str, whole: str) -> bool:
    """Whether a word without vowels has the first and last letter of another, and only letters of it in their order."""
    letters = iter(whole)
    return (word[0], word[-1]) == (whole[0], whole[-1]) and all(letter in letters for letter in word)


def without_vowels(kind: str, word: str) -> frozenset[str]:
    """What a word without vowels is short for, of the names of a kind."""
    if not is_bare(word):
        return frozenset()
    parts = ((part, ids) for name, ids in box.meanings(kind).items() for part in name.split("-"))
    return frozenset(id for part, ids in parts if is_short_for(word, part) for id in ids)


def respelled(word: str) -> dict[str, frozenset[str]]:
    """What of each kind has such a name where letters that are doubled, or are not, make no difference: «sucession»,
    «travelling»; a word that is only near one is no name."""
    return sounds().get(undoubled(word), {}) if len(word) >= _LONG else {}


def undoubled(word: str) -> str:
    """A word without letters that repeat the one before them."""
    return _DOUBLED.sub(r"\1", word)


@cache
def sounds() -> dict[str, dict[str, frozenset[str]]]:
    """The long names of cards and events, and the long words in them, without doubled letters, to what of each kind has
    such a name; «yellow dice» are no tile."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for kind in ("activity", "event"):
        for name, ids in box.meanings(kind).items():
            for part in (name, *name.split("-")):
                if len(part) >= _LONG:
                    same = found.setdefault(undoubled(part), {})
                    same[kind] = same.get(kind, frozenset()).union(ids)
    return found


@cache
def beginnings(kind: str) -> dict[str, frozenset[str]]:
    """What the words of the names of a kind begin with, to what has such a name."""
    found: dict[str, set[str]] = {}
    for word, ids in box.meanings(kind).items():
        for at, part in enumerate(word.split("-")):
            for end in range(_PART if at else _FIRST, len(part) + 1):
                found.setdefault(part[:end], set()).update(ids)
    return {beginning: frozenset(ids) for beginning, ids in found.items()}
