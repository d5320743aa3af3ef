"""Commands in people's own words, by the table `commands.toml`: the command that a line is a synonym of, and those that
are nearest to a line that is none.

Nothing is known here of the game or of the people of a table, and nothing is decided by likeness: it ranks choices.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import chain
from math import fsum, log

from engine.kit.words import folded
from pbem.reading.courtesy import Phrases

_TABLE = tomllib.loads((files(__package__) / "commands.toml").read_text(encoding="utf-8"))
_WORD = re.compile(r"[^\W_]+")
_LEADS, _TAILS, _ARTICLES = (Phrases(_TABLE[name]) for name in ("leads", "tails", "articles"))
_STEM = 7
"""Letters of a word that count where lines are compared: «rappelez» is «rappel»."""
_MISSING, _LEAST, _RIVAL, _LONE = 0.6, 0.6, 0.4, 0.1
"""What a word costs that a phrase has and the line lacks; the share of a phrase's weight that a line must have of it;
the share of the best score; and what a single word lacks of a whole phrase."""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command as it is written; `said` begin a line that is a synonym of it, `like` only rank it. `takes`: it has an
    argument."""

    line: str
    said: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    takes: bool = False


ROWS = tuple(
    CommandRow(line, tuple(row["said"]), tuple(row.get("like", ())), line in _TABLE["takes"])
    for line, row in _TABLE["commands"].items()
)


@dataclass(frozen=True)
class LineWords:
    """A line as words: folded, without apostrophes, hyphens and marks."""

    raw: str

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        return tuple(found.span() for found in _WORD.finditer(self.raw))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(folded(self.raw[first:last]) for first, last in self.spans)

    def part(self, first: int, last: int) -> str:
        """What was written from one word to before another."""
        return self.raw[self.spans[first][0] : self.spans[last - 1][1]] if first < last else ""

    def behind(self, at: int) -> str:
        """All that was written from a word on, with its marks."""
        return self.raw[self.spans[at][0] :] if at < len(self.spans) else ""

    def synonyms(self) -> Iterator[tuple[CommandRow, int]]:
        """The rows of which a phrase begins the line, the longest first, and the place behind it; first without what
        leads on politely."""
        at = 0
        while True:
            for size in range(len(self.words) - at, 0, -1):
                if row := _said().get(" ".join(self.words[at : at + size])):
                    yield row, at + size
            if not (lead := _LEADS.at(self.words, at)):
                return
            at += lead

    def argument(self, at: int) -> tuple[int, int]:
        """From where to where the words from a place on may be an argument: without articles before it and without
        what says nothing behind it."""
        last = len(self.words)
        while size := next((n for n in range(1, 1 + min(4, last - at)) if self._ends(last, n)), 0):
            last -= size
        while at < last and (size := _ARTICLES.at(self.words, at)):
            at += size
        return at, last

    def _ends(self, last: int, size: int) -> bool:
        """Whether so many words before a place are a phrase that may stand behind."""
        return _TAILS.at(self.words[:last], last - size) == size


@cache
def _said() -> dict[str, CommandRow]:
    return {phrase: row for row in ROWS for phrase in row.said}


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_STEM].removesuffix("s").removesuffix("e") if len(word) > 3 else word for word in words)


@cache
def _bags() -> tuple[tuple[CommandRow, frozenset[str]], ...]:
    """Each phrase of the table as its words, with its row."""
    return tuple((row, _stems(phrase.split())) for row in ROWS for phrase in (row.line, *row.said, *row.like))


@cache
def _weights() -> dict[str, float]:
    """How much each word tells: the rarer it is among the rows, the more."""
    rows: dict[str, set[str]] = {}
    for row, bag in _bags():
        rows.setdefault(row.line, set()).update(bag)
    counts = Counter(chain.from_iterable(rows.values()))
    return {word: log(1 + len(rows) / count) for word, count in counts.items()}


def begins_asking(line: str) -> bool:
    """Whether a line is a question, or begins as one."""
    words = LineWords(line).words
    return "?" in line or bool(words and words[0] in _TABLE["asking"])


@cache
def _weighed() -> dict[str, list[tuple[CommandRow, frozenset[str], float]]]:
    """Each word to the phrases that have it, with what they weigh."""
    found: dict[str, list[tuple[CommandRow, frozenset[str], float]]] = {}
    for row, bag in _bags():
        weight = fsum(_weights()[word] for word in bag)
        for word in bag:
            found.setdefault(word, []).append((row, bag, weight))
    return found


@lru_cache(256)
def nearest(line: str) -> tuple[tuple[CommandRow, float], ...]:
    """The rows by how much of one of their phrases a line has, the nearest first, and which share of it: rare words
    weigh more, missing ones cost. None where no phrase is half there."""
    words, weights, best = _stems(LineWords(line).words), _weights(), dict[str, tuple[float, float, CommandRow]]()
    near = {(row.line, bag): (row, bag, weight) for word in words for row, bag, weight in _weighed().get(word, ())}
    for row, bag, weight in near.values():
        has = fsum(weights[word] for word in bag & words)
        score, share = has - _MISSING * (weight - has), has / weight - (len(bag) == 1) * _LONE
        if share > _LEAST and score > best.get(row.line, (0.0, 0.0, row))[0]:
            best[row.line] = score, share, row
    # Equals stand as in the table.
    ranked = sorted(best.values(), key=lambda one: (-one[0], ROWS.index(one[2])))
    return tuple((row, share) for score, share, row in ranked if score >= _RIVAL * ranked[0][0])
