"""All that words of orders can be, by the tables and by the names of the box, made once; and what may be cut short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from engine.troyes.card_data.item_names import ids_by_word
from engine.troyes.notation import order_words as table
from engine.troyes.state import places

Senses = dict[str, Any]
"""What a word can be (`verb`, `clause`, `role`, `noise`, `number`, `activity`, `event`, `outdoor`, `place`, …) to what
it then means; `part` where it is only a part of a name, `whom` where somebody is named with his place."""

SHORT, _PART, _FIRST = 3, 5, 4
"""Letters that what is short for a person, a place or what is counted has at least; a part of a name; its first part.
Shorter ones are words of their own."""
NAMED = ("activity", "event", "outdoor")
"""Kinds of what is in play by a name."""
_PLACES = (*places.BUILDINGS, places.SUPPLY, "cathedral")


@cache
def word_senses() -> dict[str, Senses]:
    """Every word and phrase of the tables and of the box with what it can be."""
    found: dict[str, Senses] = {}

    def put(sense: str, words: Iterable[tuple[str, Any]]) -> None:
        for word, meaning in words:
            found.setdefault(word, {})[sense] = meaning

    put("verb", table.SPEECH.items())
    put("verb", table.VERBS.items())
    put("clause", table.CLAUSES.items())
    put("role", table.ROLES.items())
    put("noise", ((word, word) for word in table.NOISE))
    put("filler", ((word, word) for word in table.FILLER))
    put("against", table.AGAINST.items())
    put("number", table.NUMBERS.items())
    put("number", table.PLURALS.items())
    put("plural", table.PLURALS.items())
    put("ordinal", table.ORDINALS.items())
    put("often", table.TIMES.items())
    put("colour", table.COLOURS.items())
    put("colour", table.DIE_LETTERS.items())
    put("level", table.LEVELS.items())
    for kind in NAMED:
        put(kind, _names(kind))
    put("place", ((word, ids[0]) for word, ids in _names("place") if ids[0] in _PLACES))
    put("place", table.PLACES.items())
    return found


@cache
def first_words() -> frozenset[str]:
    """What phrases of several words begin with."""
    return frozenset(phrase.partition("-")[0] for phrase in word_senses() if "-" in phrase)


def _names(kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of a kind, also in the other number, where that is no name of something else."""
    known = ids_by_word(kind)
    for word, ids in known.items():
        yield word, ids
        for other in (f"{word}s", word.removesuffix("s"), word.replace("-s-", "-"), word.replace("-", "")):
            if other not in known:
                yield other, ids


@cache
def name_beginnings(kind: str) -> dict[str, frozenset[str]]:
    """What the words of the names of a kind begin with, to what has such a name."""
    found: dict[str, set[str]] = {}
    for word, ids in ids_by_word(kind).items():
        for at, part in enumerate(word.split("-")):
            for end in range(_PART if at else _FIRST, len(part) + 1):
                found.setdefault(part[:end], set()).update(ids)
    return {beginning: frozenset(ids) for beginning, ids in found.items()}
