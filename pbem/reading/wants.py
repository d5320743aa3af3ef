"""What a sentence wants that is no command: the commands that it may mean, by the table `wants.toml`.

Nothing is known here of the game, of mail or of the people of a table: what is found is how a sentence is told from
talk, and which words of it stand for which want. Whether all of it is spent is what makes a want certain.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise

from engine.kit.words import folded, slip, within
from pbem.reading.courtesy import Phrases

_TABLE = tomllib.loads((files(__package__) / "wants.toml").read_text(encoding="utf-8"))
_WORD = re.compile(r"[^\W_]+")
_WORDS = {name: Phrases(phrases) for name, phrases in _TABLE["words"].items()}
_KNOWN = frozenset(word for phrases in _TABLE["words"].values() for phrase in phrases for word in phrase.split())
_BREAK = re.compile(r"[,;:!?()–—]|\.(?=\s)|\s-\s")
_VOWELS, _GLUED = "aeiouyh", 5
"""Before what letters an article is elided, and how many a word has that may be glued."""
_SLIPS = 6
"""Letters that a word must have to be read with a slip of the finger."""


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


_BEGUN = _grouped((first, meaning) for meaning, phrases in _WORDS.items() for first in phrases.firsts)
"""The first words of phrases, each with the meanings of which a phrase begins so."""
_ALIKE = _grouped((word[:2], word) for word in _KNOWN)
"""The words by their first two letters: a slip in these is not put right."""


@dataclass(frozen=True, slots=True)
class Want:
    """A row of the table. `line` is the command, with `{}` where what it `takes` stands; `denies`: a denial belongs to
    it; `over`: it may tell what was done; `asks`: it is never certain."""

    line: str
    all: frozenset[str]
    takes: str = ""
    denies: bool = False
    over: bool = False
    asks: bool = False


WANTS = tuple(Want(**{**row, "all": frozenset(row["all"])}) for row in _TABLE["want"])


@dataclass(frozen=True)
class Sentence:
    """A line as words: folded, without apostrophes, hyphens and marks."""

    raw: str

    @classmethod
    def of(cls, written: str) -> Sentence:
        """A line as somebody wrote it, in whatever haste."""
        return cls(written)

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where each word stands in what was written; a glued one («jpeux», «lhistorique») is two."""
        found = (found.span() for found in _WORD.finditer(self.raw))
        return tuple(one for first, last in found for one in _unglued(self.raw, first, last))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(folded(self.raw[first:last]) for first, last in self.spans)

    @cached_property
    def parts(self) -> tuple[int, ...]:
        """In which part of the sentence each word stands."""
        return tuple(len(_BREAK.findall(self.raw[:first])) for first, _ in self.spans)

    def apart(self) -> tuple[Sentence, ...]:
        """Its parts as sentences; none where it has one only."""
        ends = [at for at, (one, after) in enumerate(pairwise((*self.parts, -1)), 1) if one != after]
        return tuple(Sentence(self.part(*one)) for one in pairwise((0, *ends))) if len(ends) > 1 else ()

    @cached_property
    def _meant(self) -> tuple[str, ...]:
        """The same words, slips of the finger put right."""
        return tuple(
            word if word in _KNOWN or len(word) < _SLIPS else _slipped(word) or word for word in self.words
        )

    def holds(self, meaning: str) -> frozenset[int]:
        """The places of all words that have a meaning."""
        return self._held.get(meaning, frozenset())

    @cached_property
    def _held(self) -> dict[str, frozenset[int]]:
        """Each meaning of any of its words, with their places."""
        words, found = self._meant, dict[str, set[int]]()
        for at, word in enumerate(words):
            for meaning in _BEGUN.get(word, ()):
                if size := _WORDS[meaning].at(words, at):
                    found.setdefault(meaning, set()).update(range(at, at + size))
        return {meaning: frozenset(places) for meaning, places in found.items()}

    @cached_property
    def idle(self) -> frozenset[int]:
        """The places of words that say nothing."""
        says_nothing, places = _WORDS["filler"], range(len(self.words))
        return frozenset(at + n for at in places for n in range(says_nothing.at(self.words, at)))

    def part(self, first: int, last: int) -> str:
        """What was written from one word to before another."""
        return self.raw[self.spans[first][0] : self.spans[last - 1][1]]

    @property
    def asks(self) -> bool:
        """Whether it is a question, or wishes to be told something."""
        return "?" in self.raw or bool(self.holds("asking"))

    def denies(self, spent: frozenset[int]) -> bool:
        """Whether a denial stands beside words, in the same part of the sentence, and is none of them."""
        return any(self.are_beside(frozenset({at}), spent) for at in self.holds("denied") - spent)

    def are_beside(self, some: frozenset[int], others: frozenset[int]) -> bool:
        """Whether some words stand in the same part of the sentence as any of others."""
        return not {self.parts[at] for at in some}.isdisjoint(self.parts[at] for at in others)

    @property
    def muses(self) -> bool:
        """Whether it only tells what its writer may do one day."""
        return "?" not in self.raw and bool(self.holds("musing")) and not self.holds("request")

    @property
    def begins_asking(self) -> bool:
        """Whether it is a question, or begins as a wish to be told something."""
        return "?" in self.raw or ("!" not in self.raw and self.words[1:2] != ("a",) and 0 in self.holds("asking"))

    def is_loose(self, spent: frozenset[int]) -> bool:
        """Whether words that no want holds tell of somebody else or of what may be: no wish."""
        return bool((self.holds("others") | self.holds("perhaps")) - spent - self.holds("request"))

    @property
    def is_doubtful(self) -> bool:
        """Whether it may as well ask, or tell how things are or might be: no wish without a word of asking for it."""
        return ("?" in self.raw or bool(self.holds("doubtful"))) and not self.holds("request")

    def wants(self, among: Iterable[Want] = WANTS) -> Iterator[tuple[Want, frozenset[int]]]:
        """Every want whose meanings are all in the sentence, with the places of their words."""
        held = self._held
        for want in among:
            if held.keys() >= want.all:
                spent = frozenset().union(*(held[meaning] for meaning in want.all))
                if len(spent) >= len(want.all):
                    yield want, spent

    def left(self, spent: frozenset[int], want: Want) -> Sequence[str]:
        """The words that neither belong to a want nor say nothing."""
        idle = self.idle | (self.holds("denied") if want.denies else frozenset())
        idle |= self.holds("over") if want.over else frozenset()
        return [word for at, word in enumerate(self.words) if at not in spent | idle]


def _unglued(raw: str, first: int, last: int) -> tuple[tuple[int, int], ...]:
    """The one or two words that a word is: an article or a pronoun whose apostrophe was left out is its own."""
    word, most = folded(raw[first:last]), last - first
    glued = word[0] == "j" or (word[0] in "ld" and word[1:2] in tuple(_VOWELS))
    if glued and most >= _GLUED and len(word) == most and word not in _KNOWN and word[1:] in _KNOWN:
        return (first, first + 1), (first + 1, last)
    return ((first, last),)


@lru_cache(maxsize=256)
def _slipped(word: str) -> str:
    if not any(within(word, one, 1) for one in _ALIKE.get(word[:2], ())):
        return ""  # what is one slip away need not be looked for among all
    meant = slip(word, _KNOWN)
    return meant if meant[:2] == word[:2] and within(word, meant, 1) else ""
