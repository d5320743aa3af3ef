"""The closed list of what may stand unread next to an order: greetings, thanks, wishes, one's own name, adverts.

The table is `courtesy.toml`. A line is courtesy only if all of it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files

from engine.kit.words import fold_text, word_spans

_TABLE = tomllib.loads((files(__package__) / "courtesy.toml").read_text(encoding="utf-8"))
_TABLE["wishes"] = [f"{verb} {what}" for verb in _TABLE["wishing"] for what in _TABLE["wished"]] + _TABLE["onward"]
_TABLE["thanks"] += [f"{until} {when}" for until in _TABLE["until"] for when in _TABLE["again"]]


class Phrases:
    """A set of phrases to find among words; the longest match counts."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.all = frozenset(phrases)

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[str, ...]]]:
        # Made with the first letter, so that no terminal command waits for it.
        found: dict[str, list[tuple[str, ...]]] = {}
        # Phones leave apostrophes out: «ill take», «jaimerais».
        every = {*self.all, *(phrase.replace("'", "") for phrase in self.all)}
        for phrase in {tuple(word for word, _, _ in word_spans(phrase)) for phrase in every}:
            found.setdefault(phrase[0], []).append(phrase)
        for same in found.values():
            same.sort(key=len, reverse=True)
        return found

    def at(self, words: Sequence[str], at: int) -> int:
        """The number of words of the phrase that begins at `at`; 0 if none does."""
        for phrase in self._by_first.get(words[at], ()) if at < len(words) else ():
            if tuple(words[at : at + len(phrase)]) == phrase:
                return len(phrase)
        return 0


def _phrases(*names: str) -> Phrases:
    return Phrases(phrase for name in names for phrase in _TABLE[name])


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
ASSENT = _phrases("assent")
DENIALS = frozenset(_TABLE["denials"])
COUNTED = frozenset(_TABLE["counted"])
NUMBERS: Mapping[str, int] = {word: int(n) for n, words in _TABLE["numbers"].items() for word in words.split()}
"""Number words of options."""
_NOBODY = Phrases(())
_PASSES = _phrases("passing", "greetings", "thanks", "wishes", "apologies", "signed")
_ASSENTS = _phrases("assent", "agreed", "greetings", "thanks", "wishes", "apologies", "signed")
_MISHAPS = frozenset(_TABLE["mishaps"])
_ADVERTS = tuple(start for key, starts in _TABLE["adverts"].items() if key != "ends" for start in starts)
_ADVERT_ENDS = tuple(_TABLE["adverts"]["ends"])
_CLAUSES = re.compile(r"(?<=[.!?,])\s+")


def is_advert(text: str) -> bool:
    """Whether a line is the advert of a phone, a program or a virus scanner.

    «Sent by mistake» is none, since it takes back what stands above. Nor is a line with a denial or with a further
    clause: «Sent from my iPhone, cancel that.»
    """
    folded = fold_text(text)
    first, *more = _CLAUSES.split(folded)
    own = not all(one.startswith(_ADVERTS) or "." in one.strip(".") or not words_in(one) for one in more)
    starts = folded in _ADVERTS or (folded.startswith(_ADVERTS) and not own)
    return (starts or first.endswith(_ADVERT_ENDS)) and _MISHAPS.isdisjoint(words_in(text)) and not denies(text)


@lru_cache(maxsize=256)
def words_in(line: str) -> tuple[str, ...]:
    """The words of a line."""
    return tuple(word for word, _, _ in word_spans(line))


@lru_cache(maxsize=64)
def words_in_names(names: tuple[str, ...]) -> frozenset[str]:
    """The words of these names."""
    return frozenset(word for name in names for word in words_in(name) if len(word) > 1)


def _spent(line: str, phrases: Phrases, names: Collection[str]) -> bool:
    """Whether the line consists of phrases, company and names, with at least one phrase or name."""
    words, firsts = words_in(line), words_in_names(tuple(names))
    told, at = False, 0
    while at < len(words):
        company, phrase = COMPANY.at(words, at), phrases.at(words, at)
        size = max(company, phrase)
        if not size and words[at] not in firsts:
            return False
        told = told or phrase > company or not size
        at += size or 1
    return told


def is_greeting(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line greets and does nothing else. `names` are the people of the table."""
    return _spent(line, GREETINGS, names)


def is_closing(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line closes a letter: thanks, regards, a name of the table."""
    return _spent(line, CLOSINGS, names)


def is_courtesy(line: str) -> bool:
    """Whether a line holds only words that may stand around orders: «Here is my move:», «OK, please»."""
    return _spent(line, BEFORE, ())


def is_name(line: str, names: Collection[str]) -> bool:
    """Whether a line is a name of the table and nothing else."""
    return _spent(line, _NOBODY, names)


def is_signature(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line signs the letter, so that reading ends there: a name of the table, or regards."""
    return is_name(line, names) or (is_closing(line, names) and _holds(line, SIGNED))


def is_wish(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line closes a letter with a wish in which a verb of a game may stand: «passez une bonne soirée»."""
    return is_closing(line, names) and _holds(line, WISHES)


def _holds(line: str, phrases: Phrases) -> bool:
    return any(phrases.at(words_in(line), at) for at in range(len(words_in(line))))


def only_passes(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line only passes. `names` are the writer's own: somebody else may be told to pass."""
    words, firsts, at, greeted = words_in(line), words_in_names(tuple(names)), 0, False
    while at < len(words):
        phrase = _PASSES.at(words, at)
        size = phrase or (COMPANY.at(words, at) if greeted else 0) or int(words[at] in firsts)
        if not size:
            return False
        greeted = bool(GREETED.at(words, at)) or (greeted and not phrase)
        at += size
    return True


def is_assent(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line says yes to a proposal, and nothing else."""
    return "?" not in line and _holds(line, ASSENT) and _spent(line, _ASSENTS, names)


def denies(line: str) -> bool:
    """Whether a line holds a denial."""
    return any(word in DENIALS or word.startswith("n'") or word.endswith("n't") for word in words_in(line))
