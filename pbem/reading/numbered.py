"""An option told by its number within a sentence: «the second one of your list, the City Hall», «number seven, I need
people», «La 7. Euh non, la 5, le palais !».

A number is an option's where it is called one, or said to be of the list (`numbered.toml`); «my first choice» is none,
nor is «first on my list». Nothing but courtesy stands before it, and what stands behind it doubts nothing. Whether that
is true of the option is for the game to say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources import files

from engine.kit.words import folded
from pbem.reading.bars import bars
from pbem.reading.haste import spelt
from pbem.reading.phrases import (
    AFTER,
    AFTER_NUMBER,
    BEFORE,
    BESIDE,
    GREETED,
    NUMBERS,
    PEOPLE,
    WAVERS,
    Phrases,
    words_of,
)
from pbem.reading.signs import fold

_TABLE = tomllib.loads((files(__package__) / "numbered.toml").read_text(encoding="utf-8"))


def _any(words: Collection[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


LAST = -1
"""The number of the last option, which is told by no other."""
_ORDINAL = frozenset(
    word for word in NUMBERS if word.endswith(("th", "eme")) or word in (
        "first", "second", "third", "premier", "premiere", "seconde", "fifth", "eighth", "ninth", "twelfth",
    )
)  # fmt: skip
_THE = r"(?:the|your|my|le|la|votre|ton|ta|mon|ma|cette|ce)\s+|l'"
_DIGITS = r"[0-9]{1,2}(?:st|nd|rd|th|ere|er|e|eme|ieme)?"
_N = rf"(?:{_DIGITS}|{_any(NUMBERS)})(?![\w-])"
_NTH = rf"(?:[0-9]{{1,2}}(?:st|nd|rd|th|ere|er|e|eme|ieme)|{_any(_ORDINAL)}|{_any(_TABLE['last'])})(?![\w-])"
_CALLED = rf"(?:{_any(_TABLE['called'])})(?!\w)"
_OF_LIST = (
    rf"(?:of|on|in|from|off|de|dans|sur|parmi)\s+(?:the|your|this|that|la|le|votre|ta|cette|vos|tes|ton)\s+(?:{_any(_TABLE['lists'])})(?!\w)"
)
_FORMS = re.compile(
    rf"(?<![\w-])(?:"
    rf"(?:{_THE})?{_CALLED}(?:\s*{_CALLED})?\s*:?\s*(?P<called>{_N})(?:\s+one\b)?(?:\s+{_OF_LIST})?"
    rf"|(?:{_THE})?(?P<listed>{_NTH}|{_N})(?:\s+(?:one|{_CALLED}))?\s+{_OF_LIST}"
    rf"|(?:the|your|le|la|votre|ton|ta)\s+(?P<nth>{_NTH})\s+{_CALLED}"
    rf"|(?:la|le)\s+(?P<alone>{_N})(?=\s*(?:[.,;:!]|$))"
    rf"|^\s*(?:{_THE})?(?P<first>{_NTH})\s+(?:one|{_CALLED})(?=\s*(?:[.,;:!]|$))"
    rf")"
)
_MARK = re.compile(r"\s*(?:[.,;:!()–—]|\s-\s|\b(?:because|since|car|parce qu|comme ca)\b|[^\x00-\x7f])")
_LIGHT = " ,;:!.-()–—"
_LEADS = Phrases(_TABLE["leads"])
_TURNS, _BESIDE = Phrases(_TABLE["correcting"]["turns"]), Phrases(_TABLE["correcting"]["beside"])
_SPARED = re.compile(rf"\b(?:{_any(_TABLE['spared']['phrases'])})(?!\w)")
_DOUBTS = (WAVERS | {*_TABLE["sour"]["words"]}) - {*_TABLE["easy"]["words"]}
COLOURS = {word: letter for letter, words in _TABLE["colours"].items() for word in words}
"""What colours are called, to the letter of their dice."""
SEVERAL = frozenset(_TABLE["several"]["words"])
"""Words of more than one die."""
SMALL = frozenset(_TABLE["small"])
"""Words that stand before dice and say nothing of them."""


@dataclass(frozen=True, slots=True)
class ToldOption:
    """An option that a line tells by its number: `number`, `LAST` for the last of the list; `before` and `rest`,
    folded, are what stands before it and behind; `numbers` are all that the line tells."""

    number: int
    before: str
    rest: str
    numbers: tuple[int, ...]
    is_clear: bool
    """Whether the line says nothing that may turn it."""
    goes_on: bool
    """Whether no mark stands before the rest, so that all of it must be of the option."""
    must_name: bool
    """Whether the rest must say what the option is: it was corrected, or `le 5` may be a die."""
    lead: str
    """What stands before the first number, where no word says that the last is an option: `le 5`."""


def numbered(line: str, names: Collection[str] = ()) -> ToldOption | None:
    """The option that a line tells by its number; None where it tells none. `names`: the people of the table."""
    text = folded(spelt(fold(line)))
    found = list(_FORMS.finditer(text))
    if not found:
        return None
    numbers = tuple(dict.fromkeys(map(_value, found)))
    last = found[-1]
    corrects = len(found) == 2 and _corrects(text[found[0].end() : last.start()])
    rest = _behind(text[last.end() :])
    goes_on = bool(rest.strip(_LIGHT)) and not _MARK.match(rest)
    clear = (len(found) == 1 or corrects) and _leads(text[: found[0].start()], names)
    clear = clear and not _is_turned(text, rest, names)
    bare = last["alone"] is not None
    must = corrects or bare or _value(last) == LAST
    lead = text[: found[0].start()] if bare else ""
    return ToldOption(_value(last), text[: last.start()], rest.strip(_LIGHT), numbers, clear, goes_on, must, lead)


def _value(found: re.Match[str]) -> int:
    said = next(filter(None, (found["called"], found["listed"], found["nth"], found["first"], found["alone"])))
    digits = re.match(r"[0-9]+", said)
    return int(digits[0]) if digits else NUMBERS.get(said, LAST)


def _corrects(between: str) -> bool:
    """Whether what stands between two numbers takes the first of them back, and says nothing else."""
    words = [word for word, _, _ in words_of(between)]
    at, turned = 0, False
    while at < len(words):
        turns = _TURNS.at(words, at)
        turned = turned or bool(turns)
        if not (size := turns or _BESIDE.at(words, at)):
            return False
        at += size
    return turned and "?" not in between


def _leads(before: str, names: Collection[str]) -> bool:
    """Whether only courtesy stands before the number."""
    spans = words_of(before)
    words = [word for word, _, _ in spans]
    people = {word for name in names for word, _, _ in words_of(name)}
    at, greeted = 0, False
    while at < len(words):
        size = max(one.at(words, at) for one in (BEFORE, GREETED, _LEADS, _BESIDE))
        if size:
            greeted = GREETED.at(words, at) == size
        elif size := BESIDE.at(words, at) or PEOPLE.at(words, at) or int(words[at] in people):
            # «alors Faye option 3» tells what Faye does.
            end = spans[at + size][1] if at + size < len(spans) else len(before)
            if not greeted and (not at or not before[spans[at + size - 1][2] : end].strip()):
                return False
        else:
            return False
        at += size
    return True


def _behind(rest: str) -> str:
    """Without the courtesy directly behind the number."""
    while True:
        words = words_of(rest)
        only = [word for word, _, _ in words]
        if not words or rest[: words[0][1]].strip():
            return rest
        if not (size := max(AFTER_NUMBER.at(only, 0), AFTER.at(only, 0))):
            return rest
        rest = rest[words[size - 1][2] :]


def _is_turned(text: str, rest: str, names: Collection[str]) -> bool:
    """Whether a line asks, trails off, or what stands behind its number doubts, denies or is of somebody else."""
    if "?" in text or text.rstrip().endswith(("...", "…")):
        return True
    said = _SPARED.sub(" ", rest).strip(_LIGHT)
    words = {word for word, _, _ in words_of(said)}
    return bool(said) and (not words.isdisjoint(_DOUBTS) or bool(bars(said, names)))


def pieces(text: str) -> Iterator[str]:
    """The parts of what is said beside a number, between its marks."""
    yield from (part.strip(_LIGHT) for part in re.split(r"[.,;:!()–—]+(?:\s|$)|\s-\s", text) if part.strip(_LIGHT))
