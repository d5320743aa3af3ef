"""What stands beside an order in its line and turns nothing, by the table `apart.toml`: a sentence about luck, the
position or other people, why an order is given, what is not done besides, what is kept.

Doubt, question, condition and alternative are never apart: they turn an order wherever they stand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from engine.kit.words import folded
from pbem.reading import kinds
from pbem.reading.bars import KINDS, WAVERING, is_polite, kinds_of, people_of, unspared
from pbem.reading.haste import spelt
from pbem.reading.phrases import ASIDES, COMPANY, DOUBT, Phrases, words_of
from pbem.reading.rewording import one_of, ordered

_TABLE = tomllib.loads((files(__package__) / "apart.toml").read_text(encoding="utf-8"))
_SENTENCE, _CLAUSE, _KEPT = (_TABLE[part] for part in ("sentences", "clauses", "kept"))
_SMALL, _EMPTY, _COLOURS = (frozenset(_SENTENCE[kind]) for kind in ("small", "empty", "colours"))
_PLAIN = frozenset(_SENTENCE["plain"].split())
_ALLOWED = frozenset(_SENTENCE["kinds"])
_GOVERNS, _TOPICS, _SHRUGS = Phrases(_SENTENCE["governs"]), Phrases(_SENTENCE["topics"]), Phrases(_CLAUSE["shrugs"])
_OTHER, _STILL = Phrases(_KEPT["other"]), Phrases(_KEPT["still"])
_OTHERS, _DENIES = frozenset(KINDS["others"]), frozenset(KINDS["negation"])
_TURNS = (WAVERING | DOUBT) - _OTHERS - _DENIES - _EMPTY - {"trop"}
_I = frozenset(("i", "we", "je", "j", "on", "nous"))
_MINE = _I | {"my", "me", "has to", "doit"}
_ELIDED = re.compile(r"\bn'|n't\b")
_WORD = re.compile(r"[^\W_]+")
_SENTENCES = re.compile(r"(?<=[.!;])\s+")
_PARTS = re.compile(r"(?<=[.,;:!])\s")
_ALSO = re.compile(rf"\s+(?:and|et)\s+(?=(?:{'|'.join((*_CLAUSE['shrugs'], *_KEPT['verbs']))})\b)", re.IGNORECASE)
_COMMAS = re.compile(r",\s+")
_YOUR = re.compile(r"\b(?:your|ton|ta|tes|votre|vos)\b", re.IGNORECASE)
_DENIED = [re.compile(said) for said in _TABLE["denied"]["patterns"]]

@dataclass(frozen=True)
class Parted:
    """A line in which an order may stand: what says it, what only stands beside, and what it must not name."""

    said: str
    beside: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Around:
    """Who sits at a table, and the words of the game: those that begin an order, and all that it knows."""

    names: tuple[str, ...]
    verbs: frozenset[str]
    known: tuple[str, ...]

    def names_nothing(self, words: Sequence[str]) -> bool:
        """Whether words are of no die, card, place or verb of the game; small ones may be of any talk."""
        left = [word for word in words if word not in _SMALL]
        rest = " ".join(left)
        if any(word in _COLOURS or word[0].isdigit() for word in left) or kinds.numbers(rest) or kinds.names_die(rest):
            return False
        loud = " ".join(word for word in left if word not in _PLAIN and word not in _DENIES)
        talks = not loud or kinds.is_chatter(f"the {loud}", self.verbs, self.known)
        return talks and not kinds.tells(rest, self.verbs)


def parted(line: str, around: Around) -> Parted:
    """A line without what stands beside its order. «your» is of who alone is spoken to."""
    kept: list[str] = []
    beside: list[str] = []
    unused: list[str] = []
    spoken_to: set[str] = set()
    for said in _SENTENCES.split(_ALSO.sub(", ", line)):
        said = ordered(said, around.verbs)
        if _is_aside(said, around) or _turns_nothing(said, around):
            beside.append(said)
            spoken_to |= {*_addressed(said, around.names)}
            continue
        parts: list[str] = []
        for part in _COMMAS.split(said):
            away = is_polite(part, around.names) or (bool(parts) and _stands_beside(part, around, unused))
            text = part if away else _undenied(part, unused)
            spoken_to |= {*_addressed(text, around.names)}
            (beside if away else parts).append(text)
        kept.append(", ".join(part for part in parts if part))
    text = " ".join(part for part in kept if part)
    if len(spoken_to) == 1:
        text = _told_of(text, spoken_to.pop(), any(word in _MINE for word in _words(line)))
    return Parted(one_of(text), tuple(one for one in beside if one.strip(" .!,;")), tuple(unused))


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(spelt(text)))


def _is_aside(said: str, around: Around) -> bool:
    """Whether a sentence greets, thanks, wishes or apologises, and names nothing of the game."""
    words = [word for word, _, _ in words_of(said)]
    if not words or not ASIDES.at(words, 0) or "?" in said:
        return False
    at = 0
    while at < len(words) and (width := ASIDES.at(words, at) or COMPANY.at(words, at)):
        at += width
    people = people_of(around.names)
    rest = " ".join(word for word in words[at:] if word not in people)
    return kinds.is_chatter(rest, around.verbs, around.known) and not kinds.in_doubt(rest)


def _turns_nothing(said: str, around: Around, *, needs_topic: bool = False) -> bool:
    """Whether a sentence that holds what bars a line says nothing of the order of another one."""
    words = _words(said)
    left = unspared(words)
    found = kinds_of(left) | ({"negation"} if _ELIDED.search(folded(said)) else set())
    people = people_of(around.names)
    others = "others" in found or not people.isdisjoint(words)
    if not words or "?" in said or not (found or others) or not found <= _ALLOWED or not around.names_nothing(words):
        return False
    topics = {at + n for at in range(len(left)) for n in range(_TOPICS.at(left, at))}
    for at, word in enumerate(left):
        pronoun = word in ("it", "that", "this", "so", "en", "y", "ca") and topics
        if at not in topics and not pronoun and (word in _TURNS or _GOVERNS.at(left, at)):
            return False
    if topics:
        return True
    loud = [word for word in left if not {word} & (_PLAIN | _EMPTY | _DENIES | _OTHERS | _SMALL | people)]
    own = "negation" in found and not _I.isdisjoint(left[:2])
    return not needs_topic and len(loud) >= (2 if own or others else 1)


def _stands_beside(part: str, around: Around, unused: list[str]) -> bool:
    """Whether a clause says why, that something does not matter, how somebody feels, or what is kept."""
    words = _words(part)
    begun = 1 if words[:1] and words[0] in ("and", "et", "but", "mais") else 0
    rest = words[begun:]
    if not rest:
        return False
    if _SHRUGS.at(rest, 0):
        return around.names_nothing(rest)
    if _OTHER.at(rest, 0) and any(_STILL.at(rest, at) for at in range(1, len(rest))):
        return around.names_nothing([word for word in rest if word != "one"])
    if (what := _kept(rest)) is not None:
        if not {*what}.isdisjoint(_KEPT["pointing"]) or not what:
            return False
        if {*what}.isdisjoint(_KEPT["others"]) and not _is_plain(what, around):
            unused.append(" ".join(what))
        return True
    return _turns_nothing(" ".join(rest), around, needs_topic=True)


def _is_plain(words: Sequence[str], around: Around) -> bool:
    """Whether words of what is kept name nothing: «the big ones»."""
    return around.names_nothing([word for word in words if word not in ("one", "ones")])


def _kept(words: Sequence[str]) -> Sequence[str] | None:
    """What a clause says is kept; None where it says nothing of the kind."""
    text = " ".join(words)
    verb = next((one for one in sorted(_KEPT["verbs"], key=len, reverse=True) if text.startswith(f"{one} ")), "")
    stays = next((one for one in _KEPT["stays"] if text.endswith(f" {one}")), "")
    if not verb and not stays:
        return None
    text = text.removeprefix(verb) if verb else text.removesuffix(stays)
    for tail in _KEPT["tails"]:
        text = text.removesuffix(f" {tail}")
    return text.split()


def _undenied(part: str, unused: list[str]) -> str:
    """A clause without what it says is not done besides."""
    text = folded(spelt(part)).replace("'", " ").replace("-", " ")
    if len(text) != len(part):
        return part
    for pattern in _DENIED:
        if (found := pattern.search(text)) and found.end() > found.start():
            unused += [thing for thing in found.groupdict().values() if thing]
            return (part[: found.start()] + part[found.end() :]).strip()
    return part


def _addressed(said: str, names: Collection[str]) -> Iterator[str]:
    """Who is spoken to in a text: a part that is a name, apologies aside: «Sorry Emily,»."""
    for part in _PARTS.split(said):
        words = [word for word, _, _ in words_of(part)]
        begun = ASIDES.at(words, 0) if words else 0
        rest = [word for word in words[begun:] if word not in ("for", "to", "pour", "a", "de", "d")]
        yield from (name for name in names if rest == folded(name).split())


def _told_of(text: str, name: str, speaks: bool) -> str:
    """A text in which one player is spoken to, with the name in place of «your», where its writer speaks of himself."""
    if not _YOUR.search(text):
        return text
    parts = [part for part in _COMMAS.split(text) if not speaks or folded(part) != folded(name)]
    return _YOUR.sub(f"{name}'s", ", ".join(parts))
