"""What an order is about, in the words in which people look for it: the colours of its dice, what its verb does."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.kit.box import read_tables
from engine.kit.words import folded
from engine.troyes.notation.words import TABLES, VERBS

_DIE = re.compile(r"\b([YWRP])([1-6])\b")
_TOPICS = read_tables(__package__, "topics")


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(text).split())


_COLOURS = {letter: _words(" ".join(row.values())) for letter, row in TABLES["colour"].items()}
_VERBS = {
    verb: _words(_TOPICS["verb"].get(verb, "")) | {word for word, meant in VERBS.items() if meant == verb}
    for verb in set(VERBS.values())
}
_PLACES = {letter: _words(text) for letter, text in _TOPICS["place"].items()}


@lru_cache(4096)
def topics(order: str) -> frozenset[str]:
    """Words of either language, folded, for what an order is about; `order` is written in English."""
    verb, dice = order.partition(" ")[0], _DIE.findall(order)
    found = set(_VERBS.get(verb, ()))
    for letter, value in dice:
        found |= {value, *_COLOURS[letter], *(_PLACES.get(letter, ()) if verb == "place" else ())}
    return frozenset(found)
