"""What kind of line a line is, before the game is asked: greeting, courtesy, closing, name; chatter is any other
without a word of the game.

Contract, «How a letter is read»: what may stand unread beside an order is a closed list (`phrases.toml`); a line counts
as courtesy only if all of it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache

from engine.kit.words import folded, is_slip, slip
from pbem.reading.phrases import (
    AGREED,
    ASSENT,
    BEFORE,
    CLOSINGS,
    COMPANY,
    DENIALS,
    GREETED,
    GREETINGS,
    NUMBERS,
    PASSING,
    SIGNED,
    WISHES,
    Phrases,
    joined,
)

_NOBODY = Phrases(())
_PASSES, _ASSENTS = joined(PASSING, GREETED, SIGNED), joined(ASSENT, AGREED, GREETED, SIGNED)
_WORDS = re.compile(r"[a-z0-9+'-]+")
_NUMERALS = frozenset(word for word, number in NUMBERS.items() if number > 1)
_SMILE = re.compile(r"(?:^|\s)(?:[:;][-']?[)(dpo|/*]|<3|xd|\^\^)$")
_CLOSE = "\"'»)]*_ "
_LONG = 55
"""Columns from which a program may have broken a line."""

BREAKS = 60
"""The narrowest column at which programs break lines."""

_ORDINAL = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th|er?|r?e|eme|ieme)?")
_PIECES = re.compile(r"[a-z0-9]+")
_ARTICLES = frozenset(("the", "a", "an", "to", "le", "la", "les", "l", "un", "une", "de", "du", "d", "au"))
_PARTS = re.compile(r"(?<=[.!?;,:])\s+")
_PASSED = frozenset(("pass", "passes", "passing", "passe", "passer", "passons"))
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu)'(?=[a-z])")
_FORMED = re.compile(r"\W*[a-z]+ *[0-9]+ *: *[a-z]")
_DIE = re.compile(r"(?:[a-z0-9-]+:)?[a-z]{1,2}[0-9]{1,2}")
_PARTICLES = frozenset(
    (
        *("a", "an", "and", "as", "at", "by", "for", "from", "i", "in", "me", "my", "no", "not", "of", "on", "or"),
        *("out", "the", "then", "times", "to", "up", "use", "using", "with", "once"),
        *("avec", "de", "des", "du", "et", "la", "le", "les", "par", "pour", "sur", "un", "une"),
    )
)
"""Small words that orders and letters share: alone they make no order of a line."""


@lru_cache(maxsize=256)
def _words(line: str) -> tuple[str, ...]:
    """The words of a line, folded; each line is asked for them by several."""
    return tuple(_WORDS.findall(folded(line)))


@lru_cache(maxsize=64)
def _firsts(names: tuple[str, ...]) -> frozenset[str]:
    """The words of names."""
    return frozenset(part for name in names for part in _words(name) if len(part) > 1)


def _spent(line: str, phrases: Phrases, names: Collection[str]) -> tuple[bool, bool]:
    """Whether the whole line is made of phrases, company and names, and whether it holds a phrase or a name."""
    words, firsts = _words(line), _firsts(tuple(names))
    told, at = False, 0
    while at < len(words):
        company, phrase = COMPANY.at(words, at), phrases.at(words, at)
        size = max(company, phrase)
        told = told or phrase > company or (not size and words[at] in firsts)
        if not size and words[at] not in firsts:
            return False, told
        at += size or 1
    return True, told


def is_greeting(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line greets and does nothing else. `names` are the people of the table."""
    whole, told = _spent(line, GREETINGS, names)
    return whole and told


def is_closing(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line closes a letter: thanks, merci, regards, a name of the table. Punctuation does not matter."""
    whole, told = _spent(line, CLOSINGS, names)
    return whole and told


def is_courtesy(line: str) -> bool:
    """Whether a line holds only what may stand around orders: «Here is my move:», «OK, please»."""
    whole, told = _spent(line, BEFORE, ())
    return whole and told


def is_signature(line: str, names: Collection[str] = ()) -> bool:
    """Whether the reading ends at a line: a name of the table alone, or regards."""
    words = f" {' '.join(_words(line))} "
    return is_name(line, names) or (is_closing(line, names) and any(f" {phrase} " in words for phrase in SIGNED.all))


def is_wish(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line closes a letter with a wish in which a verb of a game may stand: «passez une bonne soirée»."""
    words = f" {' '.join(_words(line))} "
    return any(f" {phrase} " in words for phrase in WISHES.all) and is_closing(line, names)


def only_passes(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line that passes says nothing else. `names` are the writer's own: it may be another who is told to."""
    words, firsts, at, greeted = _words(line), _firsts(tuple(names)), 0, False
    while at < len(words):
        phrase = _PASSES.at(words, at)
        size = phrase or (COMPANY.at(words, at) if greeted else 0) or int(words[at] in firsts)
        if not size:
            return False
        greeted = bool(GREETED.at(words, at)) or (greeted and not phrase)
        at += size
    return True


def is_assent(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line says yes to what was proposed, and nothing else."""
    words = () if "?" in line else _words(line)
    return any(ASSENT.at(words, at) for at in range(len(words))) and _spent(line, _ASSENTS, names)[0]


def denies(line: str) -> bool:
    """Whether a line holds a denial: what it names is not proposed then."""
    words = _words(line)
    return any(word in DENIALS or word.startswith("n'") or word.endswith("n't") for word in words)


def affirmed(line: str) -> str:
    """The clauses of a line that deny nothing."""
    if not denies(line):
        return line
    return " ".join(part for part in _PARTS.split(line) if not denies(part)).strip()


def opposes(order: str, line: str) -> bool:
    """Whether an order says all that a clause of a line denies."""
    denied = (part for part in _PARTS.split(line) if denies(part))
    rest = (" ".join(word for word in _words(part) if not denies(word)) for part in denied)
    return any(is_part(part, order) for part in rest if part)


def names_pass(line: str) -> bool:
    """Whether a line has a word for passing, or a slip of one, and denies nothing."""
    words = () if denies(line) else _words(line)
    return any(word in _PASSED or (len(word) > 3 and slip(word, _PASSED)) for word in words)


def is_name(line: str, names: Collection[str]) -> bool:
    """Whether a line is a name of the table and nothing else."""
    whole, told = _spent(line, _NOBODY, names)
    return whole and told


def numbers(line: str) -> tuple[int, ...]:
    """The numbers of a line, in digits or words; 0 for one that can be of no option."""
    found = (
        (word, _ORDINAL.fullmatch(word)) for word in _words(line)
        if word in _NUMERALS or any(map(str.isdigit, word))
    )  # fmt: skip
    return tuple(NUMBERS.get(word) or (int(counts[1]) if counts else 0) for word, counts in found)


def is_formed(line: str) -> bool:
    """Whether a line is formed like an order: a word, a number, a colon, and what is to be done with it."""
    return _FORMED.match(folded(line)) is not None


def beside_number(line: str) -> Iterator[str]:
    """The words that stand beside a number, but for small ones."""
    words = _words(line)
    for at, word in enumerate(words):
        if word.isdecimal() or word in _NUMERALS:
            yield from (one for one in (*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]) if one not in _PARTICLES)


def is_part(line: str, whole: str) -> bool:
    """Whether all words of a line, articles aside, are words of another."""
    said, known = (frozenset(_PIECES.findall(folded(one))) for one in (line, whole))
    return said - _ARTICLES <= known


def names_die(line: str) -> bool:
    """Whether a word of a line is a die as our mails write it."""
    return any(_DIE.fullmatch(word) for word in _words(line))


def is_finished(line: str) -> bool:
    """Whether a line ends its sentence: with . ! ? … : or an emoji."""
    end = line.rstrip()
    if end.rstrip(_CLOSE).endswith((".", "!", "?", "…", ":")) or _SMILE.search(end[-4:].lower()):
        return True
    return bool(end) and (unicodedata.category(end[-1]) == "So" or "\U0001f3fb" <= end[-1] <= "\U0001f3ff")


def may_be_broken(line: str, below: str) -> bool:
    """Whether a program may have put the words below onto a line of their own for want of room."""
    return len(line) >= _LONG or len(line) + 1 + len(below) > BREAKS


def is_chatter(line: str, verbs: Collection[str], known: Collection[str], commands: Collection[str] = ()) -> bool:
    """Whether a line may be passed over before the first order.

    It may when it holds no verb, die, card or place word, and neither the line nor its first word is nearly a verb.
    `verbs` and `known` are the game's words; of `commands` only a first word that is nearly a long one counts.
    """
    words = _words(line)
    if not words:
        return True
    words = tuple(_ELIDED.sub("", word) for word in words)
    # Two words and three joined, because a place or card may be written apart: `city hall` for `city-hall`.
    joined = ("-".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1))
    if not _vocabulary(frozenset(verbs), tuple(known)).isdisjoint(joined):
        return False
    if names_die(line):
        return False
    if is_slip(" ".join(words), verbs, 2):
        return False
    return not slip(words[0], _beginnings(frozenset(verbs), frozenset(commands)))


@lru_cache(maxsize=8)
def _beginnings(verbs: frozenset[str], commands: frozenset[str]) -> frozenset[str]:
    # Short commands are near too many plain words («well», «may») to count.
    return verbs | {command for command in commands if len(command) > 4}


@lru_cache(maxsize=8)
def _vocabulary(verbs: frozenset[str], known: tuple[str, ...]) -> frozenset[str]:
    return frozenset(folded(word) for word in (*verbs, *known)) - _PARTICLES
