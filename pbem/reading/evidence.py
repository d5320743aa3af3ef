"""What speaks for what, in whatever sentence: weights of words for each thing that people want, by `evidence.toml`.

Where `wants` reads a sentence whose meanings are all there, this only weighs: what speaks for a wish makes it one of
the choices that its writer is asked, and answers a question where nothing else comes near.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain

from engine.kit.words import folded
from pbem.reading.wants import Sentence

_TABLE = tomllib.loads((files(__package__) / "evidence.toml").read_text(encoding="utf-8"))
_WORD = re.compile(r"[a-z0-9]+")

ENOUGH = 3.0
"""What a wish must weigh to be asked about."""
_WEIGHTS = {"alone": (3.0, 5.0), "tells": (2.0, 4.0), "beside": (1.0, 2.0)}
"""What the first sign of a kind weighs, and all of them at most; each further one weighs one."""
_AGAINST = 3.0
_NOTHING = "-"
"""What stands for a word that is left out."""
_LONG = 3
"""Words of a phrase that is hardly said by chance, which weighs a half more."""


_MARKS = " ,;.!"
_INSTEAD = "|".join(_TABLE["later"]["otherwise"])
_OTHERWISE = re.compile(rf"[,;.]?\s*\b(?:(?:et|and|ou|or)\s+)?(?:{_INSTEAD})\b,?", re.IGNORECASE)
_ORDERED = [(re.compile(row["said"], re.IGNORECASE), row["order"]) for row in _TABLE["later"]["ordered"]]


@dataclass(frozen=True)
class Weighed:
    """A wish that words of a sentence speak for, with the places of these words. `takes` is what stands for `{}`;
    `alone`: whether some of them say it by themselves."""

    line: str
    takes: str
    weight: float
    places: frozenset[int]
    alone: bool = False


@dataclass(frozen=True)
class Head:
    """What stands before words that are to be passed on or kept: whom it says they are for."""

    words: str

    def says(self, meaning: str) -> bool:
        """Whether it says so: `all`, `one`, `me`, `later`, or `but`."""
        return _one_of(tuple(_TABLE["heads"][meaning])).search(self.words) is not None

    @classmethod
    def of(cls, text: str) -> Head:
        """A head as it was written."""
        return cls(" ".join(_WORD.findall(folded(text))))


@dataclass(frozen=True)
class _Signs:
    """One row of the table, ready to be found."""

    line: str
    takes: str
    bare: bool
    kinds: Mapping[str, re.Pattern[str]]

    def weigh(self, text: str, starts: Mapping[int, int]) -> tuple[float, frozenset[int]]:
        """What speaks for it in a text whose words start at some places, each word counted once."""
        total, spent = 0.0, set[int]()
        for kind, (first, most) in _WEIGHTS.items():
            found = 0.0
            for hit in self.kinds[kind].finditer(text) if kind in self.kinds else ():
                words = len(hit[0].split())
                at = starts[hit.start()]
                places = set(range(at, at + words))
                if places.isdisjoint(spent):
                    spent |= places
                    found += (1.0 if found else first) + 0.5 * (words >= _LONG)
            total += min(found, most)
        if total and "against" in self.kinds and self.kinds["against"].search(text):
            total -= _AGAINST
        return total, frozenset(spent)


def weighed(sentence: Sentence, without: Collection[int] = ()) -> Iterator[Weighed]:
    """Every wish that anything speaks for; words at some places may be left out."""
    text, starts = _laid(tuple(_NOTHING if at in without else word for at, word in enumerate(sentence.words)))
    for signs in _signs():
        weight, places = signs.weigh(text, starts)
        if weight > 0:
            alone = signs.kinds["alone"].search(text) is not None
            yield Weighed(signs.line, signs.takes, weight, places, alone)
            if signs.bare:
                yield Weighed(signs.line.replace("{}", "").strip(), "", weight, places)


def conditions(words: Sequence[str]) -> tuple[str, ...]:
    """What a sentence says of when a standing order is to be carried out, as orders say it."""
    text = " ".join(words)
    return tuple(row["line"] for row in _TABLE["standing"] if _one_of(tuple(row["said"])).search(text))


def alternatives(text: str) -> list[str]:
    """What is to be done first, then what otherwise, each with its conditions as orders have them: «5+», «max 2»."""
    return [_ordered(one) for one in _OTHERWISE.split(text) if one.strip(_MARKS)]


def _ordered(said: str) -> str:
    for pattern, order in _ORDERED:
        said = pattern.sub(order, said)
    return said.strip(_MARKS)


def _laid(words: Sequence[str]) -> tuple[str, Mapping[int, int]]:
    """Words as one text, and the places of words by where they start in it."""
    starts, end = dict[int, int](), 0
    for at, word in enumerate(words):
        starts[end] = at
        end += len(word) + 1
    return " ".join(words), starts


@cache
def _signs() -> tuple[_Signs, ...]:
    return tuple(
        _Signs(
            row["line"],
            row.get("takes", ""),
            row.get("bare", False),
            {kind: _one_of(tuple(chain(*row[kind].values()))) for kind in (*_WEIGHTS, "against") if kind in row},
        )
        for row in _TABLE["wish"]
    )


@cache
def _one_of(phrases: Collection[str]) -> re.Pattern[str]:
    """Any of some phrases, the longest first; `*` ends a stem."""
    every = (re.escape(one).replace(r"\*", r"\w*") for one in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?<!\S)(?:{'|'.join(every)})(?!\S)")
