"""Parse one line of a letter: strip what says nothing, and find the number, order or command that is left.

It strips list marks, quotation marks, prices of options, final punctuation, courtesy, emoji and forms of digits.
Nothing of the game is known here, so nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.kit.words import Word, correct_typo, fold_text, word_spans
from pbem.reading.courtesy import (
    AFTER,
    AFTER_NUMBER,
    AGREED,
    BEFORE,
    BEFORE_NUMBER,
    BESIDE,
    COMPANY,
    COUNTED,
    FURTHER,
    GOING_ON,
    GREETED,
    NUMBERS,
    OF,
    PARTING,
    PEOPLE,
    Phrases,
    denies,
    words_in,
    words_in_names,
)
from pbem.reading.normalize import normalize_line, strip_marks

COSTS = " · "
"""Separates an order from its effect in our mails."""

_LIGHT = " ,;:!.-…–—"
"""Punctuation between courtesy and the rest."""

_DIGITS = r"(?:\[\s*[0-9]{1,3}\s*\]|\(\s*[0-9]{1,3}\s*\)|[0-9]{1,3})"
_COUNT = re.compile(rf"({_DIGITS})(?:st|nd|rd|th|er?|r?e|eme|ieme)?\s*[)/]?|([a-z]+(?:-[a-z]+)?)")
_ABBREVIATED = re.compile(r"\b(?:(?:no|nr|num)\.|n[°º])\s*(?=[0-9])", re.IGNORECASE)
"""`No. 3` and `n° 3` are numbers; «no 3» is not."""

_LIST_NUMBER = re.compile(r"\(?[0-9]{1,3}\s*[.)]\s*")
_ARTICLED = ("one", "un", "une")
_OPTION = re.compile(r"\b(?:option|choix|choice|numero|number|possibilite|proposition) (?:one|une?)$")
_LED_BY_NUMBER = re.compile(r"([\[(]?)\s*([0-9]{1,3})(\s*[\])])?(\s*[.:=-])?(\s+)?(?=\S)(.*)")


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A parsed line.

    `whole` is without the marks around it, `front` also without a number and courtesy before it, `text` without any
    courtesy: an order or a command, "" if the line is only a number.
    """

    whole: str
    front: str
    text: str
    number: int | None = None
    """The number of an option, alone or with its words."""
    sure: bool = False
    """Whether the number is written as in our mails: `[3]`."""
    counts: bool = False
    """Whether it may be the number of a list item instead: `1.`, `2)`."""
    does: str = ""
    """The effect that our mails write behind an option."""
    words: str = ""
    """The text behind the number, with courtesy."""

    @property
    def is_number(self) -> bool:
        """Whether the line is a number and nothing else."""
        return self.number is not None and not self.text

    @property
    def item(self) -> str:
        """The text of the list item that the number counts."""
        return _LIST_NUMBER.sub("", self.whole, count=1)

    @property
    def readings(self) -> tuple[str, ...]:
        """The texts that the game may try to read, the least stripped first."""
        return tuple(dict.fromkeys(one for one in (self.whole, self.words, self.text) if one))


@lru_cache(maxsize=256)
def parse_line(line: str, names: tuple[str, ...] = ()) -> PlainLine:
    """Parse one line. `names` are the people of the table, who may be greeted and thanked in it."""
    line, _, does = line.partition(COSTS)
    return replace(_read(line, names), does=strip_courtesy_behind(does.strip(), names)) if does else _read(line, names)


def _read(line: str, names: tuple[str, ...]) -> PlainLine:
    whole = strip_marks(_ABBREVIATED.sub("number ", normalize_line(line)))
    front = strip_marks(strip_courtesy_before(whole, names))
    text = strip_marks(strip_courtesy_behind(front, names))
    number = _number(text)
    for said in (
        strip_courtesy_behind(_without(whole, AGREED), names),
        strip_courtesy_before(strip_marks(text.strip("()")), names),
    ):
        number = _number(strip_marks(said)) if number is None else number
    if number is not None:
        return PlainLine(whole, whole, whole) if _counts_others(whole) else PlainLine(whole, front, "", number)
    if found := _LED_BY_NUMBER.fullmatch(_without(text, BEFORE_NUMBER)):
        opens, digits, closes, mark, gap, words = found.groups(default="")
        if gap or closes or mark:
            behind = _LED_BY_NUMBER.fullmatch(_without(front, BEFORE_NUMBER))
            stands = strip_marks(behind[6]) if behind else ""
            front = strip_marks(strip_courtesy_before(strip_marks(words), names))
            counts = not opens and (mark.strip() == "." or closes.strip() == ")")
            text = strip_marks(strip_courtesy_behind(front, names))
            return PlainLine(whole, front, text, int(digits), opens == "[", counts, words=stands)
    return PlainLine(whole, front, text)


def parse_further_line(line: PlainLine, names: tuple[str, ...] = ()) -> PlainLine:
    """Parse a line below an order, without a leading «then»: «then build with W2».

    «ensuite: passer» with a colon is a standing order and stays.
    """
    rest = _without(line.whole, FURTHER)
    before = line.whole[: len(line.whole) - len(rest)]
    return line if rest == line.whole or before.rstrip().endswith(":") else parse_line(rest, names)


def talk_text(raw: str, names: tuple[str, ...] = ()) -> str:
    """A line of talk as written, without marks and courtesy before it."""
    return strip_marks(strip_courtesy_before(strip_marks(raw, ends=False), names), ends=False)


def strip_courtesy_before(text: str, names: tuple[str, ...] = ()) -> str:
    """Strip courtesy before the text, unless there is nothing else.

    A name counts only behind a greeting or thanks: «Faye, pass» may tell Faye what to do.
    """
    words = word_spans(text[:200])
    if not words or words[0][1]:
        return text
    at, greeted = 0, False
    only = [word for word, _, _ in words]
    own = words_in_names(names)
    while at < len(words):
        size = BEFORE.at(only, at)
        if size:
            greeted = GREETED.at(only, at) == size
            if greeted and _goes_on(text, words, at, size, own):
                break
        elif at and not (size := BESIDE.at(only, at)):
            size = PEOPLE.at(only, at) or int(only[at] in own)
            size = size if greeted else 0
        if not size:
            break
        at += size
    if at < len(words) and only[at].startswith("j'") and len(only[at]) > 3:
        return text[words[at][1] + 2 :]
    return _rest(text, words, at)


def _goes_on(text: str, words: Sequence[Word], at: int, size: int, own: Collection[str]) -> bool:
    """Whether the sentence goes on behind a greeting or thanks: «thanks for the white 6», «bye bye white 6»."""
    only, end = [word for word, _, _ in words], at + size
    if end >= len(words) or _is_marked(text, words, end) or COMPANY.at(only, end) or only[end] in own:
        return False
    return only[end] in OF or PARTING.at(only, at) == size


def _is_marked(text: str, words: Sequence[Word], at: int) -> bool:
    """Whether punctuation stands before a word."""
    return at < len(words) and bool(text[words[at - 1][2] : words[at][1]].strip())


def _counts_others(text: str) -> bool:
    """Whether the number belongs to the word before it: «thank you two», «see you on the 3rd»."""
    words = word_spans(text)
    at = next((at for at, (word, _, _) in enumerate(words) if word[0].isdigit() or word in NUMBERS), 0)
    at -= at > 1 and words[at - 1][0] == "the"
    return at > 0 and words[at - 1][0] in COUNTED and not _is_marked(text, words, at)


def _rest(text: str, words: Sequence[Word], at: int) -> str:
    """The text behind the first `at` words."""
    return text[words[at - 1][2] :].lstrip(_LIGHT) if 0 < at < len(words) else text


def strip_courtesy_behind(text: str, names: tuple[str, ...] = ()) -> str:
    """Strip courtesy behind the text, unless there is nothing else."""
    words = word_spans(text)
    only = [word for word, _, _ in words]
    own = words_in_names(names)
    if _spent(only, 0, own):
        return text
    for at in range(max(1, len(words) - 12), len(words)):
        if only[at] in GOING_ON and not _is_marked(text, words, at):
            continue
        if AFTER.at(only, at) and _spent(only, at, own):
            return text[: words[at][1]].rstrip(_LIGHT + "(") or text
    return text


def _spent(words: list[str], at: int, own: Collection[str]) -> bool:
    """Whether all words from `at` on are courtesy, company or names."""
    while at < len(words):
        size = AFTER.at(words, at) or COMPANY.at(words, at) or (words[at] in own)
        if not size:
            return False
        at += size
    return True


def _number(text: str) -> int | None:
    """The number of a text that is only a number: `3`, `[3]`, `3rd`, `option 3`, `the third one`, `le 3`."""
    text = text[1:-1].strip() if text.startswith("(") and text.endswith(")") else text
    found = _COUNT.fullmatch(fold_text(_behind(_without(text, BEFORE_NUMBER), AFTER_NUMBER)))
    if found is None:
        return None
    if found[1]:
        return int(found[1].strip("[]() "))
    # «the one» is anything, «option one» is not.
    sure = found[2] not in _ARTICLED or fold_text(text) == found[2] or _OPTION.search(fold_text(text))
    # «take five» is a rest.
    return NUMBERS.get(found[2]) if sure and fold_text(text) != f"take {found[2]}" else None


def _without(text: str, phrases: Phrases) -> str:
    """Strip these phrases at the beginning."""
    words = word_spans(text[:80])
    if not words or words[0][1]:
        return text
    only = [word for word, _, _ in words]
    at = 0
    while at < len(words) and (size := phrases.at(only, at)):
        at += size
    return _rest(text, words, at)


def _behind(text: str, phrases: Phrases) -> str:
    """Strip one of these phrases at the end."""
    words = word_spans(text)
    only = [word for word, _, _ in words]
    at = next((at for at in range(1, len(words)) if at + phrases.at(only, at) == len(words)), 0)
    return text[: words[at][1]].rstrip() if at else text


_ORDINAL = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th|er?|r?e|eme|ieme)?")
_NUMERALS = frozenset(word for word, number in NUMBERS.items() if number > 1)
_PARTS = re.compile(r"(?<=[.!?;,:])\s+")
_PASSED = frozenset(("pass", "passes", "passing", "passe", "passer", "passons"))
_ARTICLES = frozenset(("the", "a", "an", "to", "le", "la", "les", "l", "un", "une", "de", "du", "d", "au"))
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu)'(?=[a-z])")
_DIE = re.compile(r"(?:[a-z0-9-]+:)?[a-z]{1,2}[0-9]{1,2}")
_PARTICLES = frozenset(
    (
        *("a", "an", "and", "as", "at", "by", "for", "from", "i", "in", "me", "my", "no", "not", "of", "on", "or"),
        *("out", "the", "then", "times", "to", "up", "use", "using", "with", "once"),
        *("avec", "de", "des", "du", "et", "la", "le", "les", "par", "pour", "sur", "un", "une"),
    )
)
"""Small words that orders and other sentences share."""


def numbers_in(line: str) -> tuple[int, ...]:
    """The numbers of a line, in digits or words; 0 for one that is no option number."""
    words = (word for word in words_in(line) if word in _NUMERALS or any(map(str.isdigit, word)))
    found = ((word, _ORDINAL.fullmatch(word)) for word in words)
    return tuple(NUMBERS.get(word) or (int(counts[1]) if counts else 0) for word, counts in found)


def affirmed_clauses(line: str) -> str:
    """The clauses of a line without a denial."""
    if not denies(line):
        return line
    return " ".join(part for part in _PARTS.split(line) if not denies(part)).strip()


def opposes(order: str, line: str) -> bool:
    """Whether a clause of the line denies the order."""
    denied = (part for part in _PARTS.split(line) if denies(part))
    rest = (" ".join(word for word in words_in(part) if not denies(word)) for part in denied)
    return any(is_part(part, order) for part in rest if part)


def names_pass(line: str) -> bool:
    """Whether a line has a word for passing, or a misspelt one, and no denial."""
    words = () if denies(line) else words_in(line)
    return any(word in _PASSED or (len(word) > 3 and correct_typo(word, _PASSED)) for word in words)


def is_part(line: str, whole: str) -> bool:
    """Whether all words of `line` but articles are words of `whole`."""
    said, known = (frozenset(re.findall("[a-z0-9]+", fold_text(one))) for one in (line, whole))
    return said - _ARTICLES <= known


def names_die(line: str) -> bool:
    """Whether a word of the line is a die as our mails write it."""
    return any(_DIE.fullmatch(word) for word in words_in(line))


def is_chatter(line: str, verbs: frozenset[str], known: tuple[str, ...], commands: frozenset[str]) -> bool:
    """Whether a line is talk: no verb, die, card or place in it, and its first word is not nearly a verb.

    `verbs` and `known` are the game's words. The first word may not be nearly a long one of `commands` either.
    """
    words = tuple(_ELIDED.sub("", word) for word in words_in(line))
    # Two and three words joined, because names may be written apart: `city hall` for `city-hall`.
    joined = ("-".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1))
    if names_die(line) or not _vocabulary(verbs, known).isdisjoint(joined):
        return False
    # Short commands are near too many plain words («well», «may»).
    return not words or not correct_typo(words[0], verbs | {command for command in commands if len(command) > 4})


@lru_cache(maxsize=8)
def _vocabulary(verbs: frozenset[str], known: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold_text(word) for word in (*verbs, *known)) - _PARTICLES
