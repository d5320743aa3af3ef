"""What stands before a colon of a sentence, what a standing order waits for, and what is to be done otherwise, by the
table `evidence.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engine.kit.words import folded

_TABLE = tomllib.loads((files(__package__) / "evidence.toml").read_text(encoding="utf-8"))
_WORD = re.compile(r"[a-z0-9]+")

_MARKS = " ,;.!"
_INSTEAD = "|".join(_TABLE["later"]["otherwise"])
_OTHERWISE = re.compile(rf"[,;.]?\s*\b(?:(?:et|and|ou|or)\s+)?(?:{_INSTEAD})\b,?", re.IGNORECASE)
_ORDERED = [(re.compile(row["said"], re.IGNORECASE), row["order"]) for row in _TABLE["later"]["ordered"]]


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


def conditions(words: Sequence[str]) -> tuple[str, ...]:
    """What a sentence says of when a standing order is to be carried out, as orders say it."""
    text = " ".join(words)
    return tuple(row["line"] for row in _TABLE["standing"] if _one_of(tuple(row["said"])).search(text))


STANDING = tuple(row["line"] for row in _TABLE["standing"])
"""All that a standing order may wait for, as orders say it."""


def alternatives(text: str) -> list[str]:
    """What is to be done first, then what otherwise, each with its conditions as orders have them: «5+», «max 2»."""
    return [_ordered(one) for one in _OTHERWISE.split(text) if one.strip(_MARKS)]


def _ordered(said: str) -> str:
    for pattern, order in _ORDERED:
        said = pattern.sub(order, said)
    return said.strip(_MARKS)


@cache
def _one_of(phrases: Collection[str]) -> re.Pattern[str]:
    """Any of some phrases, the longest first; `*` ends a stem."""
    every = (re.escape(one).replace(r"\*", r"\w*") for one in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?<!\S)(?:{'|'.join(every)})(?!\S)")
