"""What a sentence is likest to want, learnt from sentences that people wrote: a log-linear model over its words, pairs
of words and pieces of words, whose weights are the table `intents.json` (`tests/learn_wishes.py` learns them).

An intent is a command with `{}` where its argument stands («remind {}»), `ORDER` or `TALK`. Nothing is known here of a
game, of mail or of a table: what stands for a card or a person is told by who asks.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from engine.kit.words import folded
from pbem.reading import kinds
from pbem.reading.wants import Sentence

ORDER, TALK = "order", "talk"
"""What is no command: an order of the game, and words that want nothing."""
WHO, NAME, DIE, NUMBER, TIME, TOWN, DAY = "#who", "#name", "#die", "#number", "#time", "#town", "#day"
"""What stands for somebody at the table, a name of the game, a die, a number, an hour, a town and a day of the year."""
_TIME = re.compile(r"\d{1,2}h(?:00|30|15)?|\d{1,2}(?:am|pm)")
_DAYS = frozenset(
    (
        *("janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre", "octobre", "novembre"),
        *("decembre", "dec", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "january"),
        *("february", "march", "april", "june", "july", "august", "september", "october", "november", "december"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    )
)
_SIGNS = {"?": "?", ":": ":", "«": "«", '"': "«", "“": "«", "@": "@", "!": "!"}
_SHORT, _SIZES = 4, (3, 4, 5)
"""Letters that a word must have to be looked at in pieces, and how many letters a piece has."""
_COMMON = frozenset(
    (
        *("place", "places", "score", "scores", "points", "solo", "ordre", "ordres", "table", "comment", "ecrivent"),
        *("order", "orders", "choix", "choice", "which", "standing", "target", "price", "prices", "writing", "numero"),
        *("permanent", "permanents", "games", "commun"),
    )
)
"""Words in names of the game that people use for other things."""
SCALE = {"w": 1.0, "p": 0.8, "s": 0.5, "c": 0.35, "z": 0.7}
"""How much each kind of feature counts: words, pairs, pairs with a word between, pieces of words, signs."""


class Likely(NamedTuple):
    """An intent and how likely it is, of one."""

    intent: str
    share: float


def marked(sentence: Sentence, people: Collection[str], names: Collection[str], towns: Collection[str]) -> list[str]:
    """The words of a sentence, what stands for others marked as such."""
    return [_mark(word, people, names, towns) for word in sentence.words]


def _mark(word: str, people: Collection[str], names: Collection[str], towns: Collection[str]) -> str:
    if word in people:
        return WHO
    if word.isdigit():
        return NUMBER
    if _TIME.fullmatch(word):
        return TIME
    if kinds.names_die(word):
        return DIE
    if word in _DAYS:
        return DAY
    if word in towns:
        return TOWN
    return NAME if word in names else word


def features(words: Sequence[str], raw: str) -> dict[str, float]:
    """What is seen of a sentence, each with how much it counts; all together have the length one."""
    found: dict[str, float] = {}
    for name in _features(words, raw):
        found[name] = SCALE[name[0]]
    length = math.sqrt(sum(one * one for one in found.values())) or 1.0
    return {name: one / length for name, one in found.items()}


def _features(words: Sequence[str], raw: str) -> Iterator[str]:
    around = ("^", *words, "$")
    for word in words:
        yield f"w{word}"
        if len(word) >= _SHORT and word[0] != "#":
            edged = f"<{word}>"
            yield from (f"c{edged[at : at + size]}" for size in _SIZES for at in range(len(edged) - size + 1))
    yield from (f"p{one} {after}" for one, after in pairwise(around))
    yield from (f"s{one} {after}" for one, after in zip(around, around[2:], strict=False))
    yield from {f"z{_SIGNS[sign]}" for sign in raw if sign in _SIGNS}


@cache
def _table() -> tuple[Sequence[str], Sequence[float], Mapping[str, Sequence[int]]]:
    """The intents, what each weighs by itself, and of each feature the weights in hundredths: intent, weight, …"""
    read = json.loads((files(__package__) / "intents.json").read_text(encoding="utf-8"))
    return read["intents"], read["bias"], read["weights"]


def likeliest(words: Sequence[str], raw: str) -> list[Likely]:
    """All intents by how likely they are, the likeliest first."""
    intents, bias, weights = _table()
    sums = [*bias]
    for name, counts in features(words, raw).items():
        row = weights.get(name, ())
        for at in range(0, len(row), 2):
            sums[row[at]] += counts * row[at + 1] / 100
    most = max(sums)
    shares = [math.exp(one - most) for one in sums]
    total = sum(shares)
    return sorted(map(Likely, intents, (one / total for one in shares)), key=lambda one: -one.share)


def speaking(words: Sequence[str], intent: str) -> frozenset[int]:
    """The places of the words that speak for an intent by themselves."""
    intents, _, weights = _table()
    at = list(intents).index(intent)

    def weight(word: str) -> int:
        row = weights.get(f"w{word}", ())
        return next((row[n + 1] for n in range(0, len(row), 2) if row[n] == at), 0)

    return frozenset(place for place, word in enumerate(words) if word[0] != "#" and weight(word) > 0)


def names_in(words: Sequence[str], without: Collection[str]) -> frozenset[str]:
    """What is marked as a name of a game that knows some words: these, and their long parts, but for words of its
    orders, of commands, and such as people use for other things."""
    found = {word for word in map(folded, words) if len(word) >= _SHORT}
    parts = {part for word in found for part in word.split("-") if len(part) > _SHORT}
    return frozenset(found | parts) - _COMMON - {*without}
