"""All meanings of the words of orders, from the tables and the names of the box; and shortened names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from engine.troyes.card_data.item_names import ids_by_word
from engine.troyes.notation import order_words as table
from engine.troyes.state import places

Senses = dict[str, Any]
"""Sense (`verb`, `clause`, `role`, `noise`, `number`, `activity`, `event`, `outdoor`, `place`, …) to what the word then
means. `part` marks a part of a name."""

SHORT, _PART, _FIRST = 3, 5, 4
"""The fewest letters of a shortened person, place or count word, of a part of a name, and of a name's first part.
Shorter words stand for themselves."""
NAMED = ("activity", "event", "outdoor")
"""Kinds of things in play that have names."""
_PLACES = (*places.BUILDINGS, places.SUPPLY, "cathedral")


@cache
def word_senses() -> dict[str, Senses]:
    """Every word and phrase of the tables and of the box, with its senses."""
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
    """First words of phrases."""
    return frozenset(phrase.partition("-")[0] for phrase in word_senses() if "-" in phrase)


def _names(kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of a kind, also in the other number, where that names nothing else."""
    known = ids_by_word(kind)
    for word, ids in known.items():
        yield word, ids
        for other in (f"{word}s", word.removesuffix("s"), word.replace("-s-", "-"), word.replace("-", "")):
            if other not in known:
                yield other, ids


@cache
def name_beginnings(kind: str) -> dict[str, frozenset[str]]:
    """Beginnings of the words in the names of a kind, to the ids with such a name."""
    found: dict[str, set[str]] = {}
    for word, ids in ids_by_word(kind).items():
        for at, part in enumerate(word.split("-")):
            for end in range(_PART if at else _FIRST, len(part) + 1):
                found.setdefault(part[:end], set()).update(ids)
    return {beginning: frozenset(ids) for beginning, ids in found.items()}
