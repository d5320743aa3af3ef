"""Match lines with commands: exact synonyms, and the nearest commands for a line that is none (`command_phrases.toml`).

Similarity only ranks choices; it decides nothing. Nothing here knows the game or the players.
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

from engine.kit.words import fold_text
from pbem.reading.courtesy import Phrases

_TABLE = tomllib.loads((files(__package__) / "command_phrases.toml").read_text(encoding="utf-8"))
_WORD = re.compile(r"[^\W_]+")
_LEADS, _TAILS, _ARTICLES = (Phrases(_TABLE[name]) for name in ("leads", "tails", "articles"))
_STEM = 7
"""Letters of a word that count in a comparison: «rappelez» is «rappel»."""
_MISSING, _LEAST, _RIVAL, _LONE = 0.6, 0.6, 0.4, 0.1
"""The cost of a word that the line lacks; the least share of a phrase's weight; the least share of the best score; and
the discount of a single word."""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command. A line that begins with a phrase of `said` means it; phrases of `like` only rank it. `takes`: it has
    an argument."""

    line: str
    said: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    takes: bool = False


COMMAND_ROWS = tuple(
    CommandRow(line, tuple(row["said"]), tuple(row.get("like", ())), line in _TABLE["takes"])
    for line, row in _TABLE["commands"].items()
)


@dataclass(frozen=True)
class LineWords:
    """A line as folded words, without apostrophes, hyphens and punctuation."""

    raw: str

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        return tuple(found.span() for found in _WORD.finditer(self.raw))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(fold_text(self.raw[first:last]) for first, last in self.spans)

    def part(self, first: int, last: int) -> str:
        """The text from word `first` to before word `last`."""
        return self.raw[self.spans[first][0] : self.spans[last - 1][1]] if first < last else ""

    def behind(self, at: int) -> str:
        """The text from a word on, with punctuation."""
        return self.raw[self.spans[at][0] :] if at < len(self.spans) else ""

    def synonyms(self) -> Iterator[tuple[CommandRow, int]]:
        """Rows whose phrase begins the line, with the index of the word behind it, longest first; then the same behind
        polite lead-ins."""
        at = 0
        while True:
            for size in range(len(self.words) - at, 0, -1):
                if row := _said().get(" ".join(self.words[at : at + size])):
                    yield row, at + size
            if not (lead := _LEADS.at(self.words, at)):
                return
            at += lead

    def argument(self, at: int) -> tuple[int, int]:
        """The range of words from `at` that may be an argument, without articles before and fillers behind."""
        last = len(self.words)
        while size := next((n for n in range(1, 1 + min(4, last - at)) if self._ends(last, n)), 0):
            last -= size
        while at < last and (size := _ARTICLES.at(self.words, at)):
            at += size
        return at, last

    def _ends(self, last: int, size: int) -> bool:
        """Whether the `size` words before `last` are a filler."""
        return _TAILS.at(self.words[:last], last - size) == size


@cache
def _said() -> dict[str, CommandRow]:
    return {phrase: row for row in COMMAND_ROWS for phrase in row.said}


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_STEM].removesuffix("s").removesuffix("e") if len(word) > 3 else word for word in words)


@cache
def _bags() -> tuple[tuple[CommandRow, frozenset[str]], ...]:
    """Each phrase of the table as a set of stems, with its row."""
    return tuple((row, _stems(phrase.split())) for row in COMMAND_ROWS for phrase in (row.line, *row.said, *row.like))


@cache
def _weights() -> dict[str, float]:
    """The weight of each stem: the fewer rows have it, the more."""
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
    """For each stem the phrases that have it, with their weights."""
    found: dict[str, list[tuple[CommandRow, frozenset[str], float]]] = {}
    for row, bag in _bags():
        weight = fsum(_weights()[word] for word in bag)
        for word in bag:
            found.setdefault(word, []).append((row, bag, weight))
    return found


@lru_cache(256)
def nearest_commands(line: str) -> tuple[tuple[CommandRow, float], ...]:
    """The rows nearest to a line, best first, with the share of a phrase's weight that the line has. Rare words weigh
    more, missing ones cost."""
    words, weights, best = _stems(LineWords(line).words), _weights(), dict[str, tuple[float, float, CommandRow]]()
    near = {(row.line, bag): (row, bag, weight) for word in words for row, bag, weight in _weighed().get(word, ())}
    for row, bag, weight in near.values():
        has = fsum(weights[word] for word in bag & words)
        score, share = has - _MISSING * (weight - has), has / weight - (len(bag) == 1) * _LONE
        if share > _LEAST and score > best.get(row.line, (0.0, 0.0, row))[0]:
            best[row.line] = score, share, row
    # Equal scores keep the order of the table.
    ranked = sorted(best.values(), key=lambda one: (-one[0], COMMAND_ROWS.index(one[2])))
    return tuple((row, share) for score, share, row in ranked if score >= _RIVAL * ranked[0][0])
