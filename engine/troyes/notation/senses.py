"""All that words of orders can be, by the tables and by the names of the box, made once; and what may be cut short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from engine.troyes import box
from engine.troyes.notation.shortening import SHORT, sounds, undoubled
from engine.troyes.notation.words import (
    AGAINST,
    CLAUSES,
    COLOURS,
    DIE_LETTERS,
    FILLER,
    LEVELS,
    NOISE,
    NUMBERS,
    ORDINALS,
    PLACES,
    PLURALS,
    ROLES,
    SPEECH,
    TIMES,
    VERBS,
)
from engine.troyes.state import places

Senses = dict[str, Any]
"""What a word can be (`verb`, `clause`, `role`, `noise`, `number`, `activity`, `event`, `outdoor`, `place`, …) to what
it then means; `part` where it is only a part of a name, `whom` where somebody is named with his place."""

NAMED = ("activity", "event", "outdoor")
"""Kinds of what is in play by a name."""
_PLACES = (*places.BUILDINGS, places.SUPPLY, "cathedral")


@cache
def meanings() -> dict[str, Senses]:
    """Every word and phrase of the tables and of the box with what it can be."""
    found: dict[str, Senses] = {}

    def put(sense: str, words: Iterable[tuple[str, Any]]) -> None:
        for word, meaning in words:
            found.setdefault(word, {})[sense] = meaning

    put("verb", SPEECH.items())
    put("verb", VERBS.items())
    put("clause", CLAUSES.items())
    put("role", ROLES.items())
    put("noise", ((word, word) for word in NOISE))
    put("filler", ((word, word) for word in FILLER))
    put("against", AGAINST.items())
    put("number", NUMBERS.items())
    put("number", PLURALS.items())
    put("plural", PLURALS.items())
    put("ordinal", ORDINALS.items())
    put("often", TIMES.items())
    put("colour", COLOURS.items())
    put("colour", DIE_LETTERS.items())
    put("level", LEVELS.items())
    for kind in NAMED:
        put(kind, _names(kind))
    put("place", ((word, ids[0]) for word, ids in _names("place") if ids[0] in _PLACES))
    put("place", PLACES.items())
    return found


@cache
def firsts() -> frozenset[str]:
    """What phrases of several words begin with, without doubled letters."""
    phrases = {phrase for phrase in map(undoubled, meanings()) if "-" in phrase}
    phrases.update(phrase for phrase in sounds() if "-" in phrase)
    return frozenset(phrase.partition("-")[0] for phrase in phrases)


def _names(kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of a kind, also in the other number, where that is no name of something else."""
    known = box.meanings(kind)
    for word, ids in known.items():
        yield word, ids
        for other in (f"{word}s", word.removesuffix("s"), word.replace("-s-", "-"), word.replace("-", "")):
            if other not in known:
                yield other, ids


@cache
def shortenable() -> tuple[dict[str, set[tuple[str, Any]]], dict[str, list[tuple[str, tuple[str, Any]]]]]:
    """What may be written short, as its sense and meaning: by beginnings; and whole, verbs too, by first letters."""
    counted = {"role": ("citizen", "price"), "clause": ("influence",)}
    begun: dict[str, set[tuple[str, Any]]] = {}
    whole: dict[str, list[tuple[str, tuple[str, Any]]]] = {}
    for word, senses in meanings().items():
        for told in senses.items():
            if told[0] in ("verb", "place") or told[1] in counted.get(told[0], ()):
                whole.setdefault(word[0], []).append((word, told))
                for end in range(SHORT, len(word) + 1) if told[0] != "verb" else ():
                    begun.setdefault(word[:end], set()).add(told)
    return begun, whole
