"""The phrases that people write around orders, and what phones put under letters: the table is `phrases.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files

from engine.kit.words import folded

_WORD = re.compile(r"[^\W_]+(?:['’+.-][^\W_]+)*\+?|[#°]")
_TABLE = tomllib.loads((files(__package__) / "phrases.toml").read_text(encoding="utf-8"))

Word = tuple[str, int, int]
"""A word folded, and where it begins and ends in its line."""


@lru_cache(maxsize=256)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text; each line is asked for its words by several."""
    return tuple((folded(found[0]), *found.span()) for found in _WORD.finditer(text))


class Phrases:
    """Phrases to be found among words; of several that fit the longest counts."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.all = frozenset(phrases)

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[str, ...]]]:
        # Made when the first letter is read: no command of the terminal waits for it.
        found: dict[str, list[tuple[str, ...]]] = {}
        # A phone leaves apostrophes out: «ill take», «jaimerais».
        every = {*self.all, *(phrase.replace("'", "") for phrase in self.all)}
        for phrase in {tuple(word for word, _, _ in words_of(phrase)) for phrase in every}:
            found.setdefault(phrase[0], []).append(phrase)
        for same in found.values():
            same.sort(key=len, reverse=True)
        return found

    @property
    def firsts(self) -> Collection[str]:
        """The words that they begin with."""
        return self._by_first.keys()

    def at(self, words: Sequence[str], at: int) -> int:
        """How many words, from this one on, are a phrase; 0 for none, and behind the last word."""
        for phrase in self._by_first.get(words[at], ()) if at < len(words) else ():
            if tuple(words[at : at + len(phrase)]) == phrase:
                return len(phrase)
        return 0


_TABLE["wishes"] = [f"{verb} {what}" for verb in _TABLE["wishing"] for what in _TABLE["wished"]] + _TABLE["onward"]
_TABLE["thanks"] += [f"{until} {when}" for until in _TABLE["until"] for when in _TABLE["again"]]


def _phrases(*names: str) -> Phrases:
    said = [phrase for name in names for phrase in _TABLE[name]]
    return Phrases((*said, *(phrase.replace("'", "") for phrase in said)))  # a phone leaves apostrophes out


def joined(*all_: Phrases) -> Phrases:
    """Phrases of several kinds as one."""
    return Phrases(frozenset().union(*(one.all for one in all_)))


GREETINGS = _phrases("greetings")
CLOSINGS = _phrases("thanks", "wishes", "signed", "apologies")
SIGNED = _phrases("signed")
WISHES = _phrases("wishes")
GREETED = _phrases("greetings", "thanks", "wishes", "apologies")
PARTING = _phrases("parting", "wishes")
OF = frozenset(_TABLE["of"])
GOING_ON = frozenset(_TABLE["going_on"])
PEOPLE = _phrases("people")
BESIDE = _phrases("beside")
COMPANY = _phrases("people", "beside")
BEFORE = _phrases("before", "greetings", "thanks", "wishes", "apologies")
AFTER = _phrases("after", "thanks", "wishes", "signed", "greetings", "apologies")
FURTHER = _phrases("further")
AGREED = _phrases("agreed")
BEFORE_NUMBER = _phrases("before_number")
AFTER_NUMBER = _phrases("after_number")
MISHAPS = frozenset(_TABLE["mishaps"])
DENIALS = frozenset(_TABLE["denials"])
PASSING = _phrases("passing")
ASSENT = _phrases("assent")
COUNTED = frozenset(_TABLE["counted"])
NUMBERS: Mapping[str, int] = {word: int(n) for n, words in _TABLE["numbers"].items() for word in words.split()}
"""Numbers in words, of an option."""

_ADVERTS = tuple(start for key, starts in _TABLE["adverts"].items() if key != "ends" for start in starts)
_ADVERT_ENDS = tuple(_TABLE["adverts"]["ends"])


def is_advert(text: str) -> bool:
    """Whether a line (as `plain` gives it) is what a phone, a program or a virus scanner puts under a letter.

    «Sent by mistake» is not: its writer takes back what stands above.
    """
    text = folded(text)
    return (text.startswith(_ADVERTS) or text.endswith(_ADVERT_ENDS)) and not any(
        word in MISHAPS for word, _, _ in words_of(text)
    )
