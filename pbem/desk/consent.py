"""What a line says to an invitation: that its writer joins, declines, or that it must be asked back.

Only a joining line joins (contract, «How a letter is read»): courtesy aside, nothing else may stand in it. Whatever
holds more words, both answers, a doubt or another language than the two we promise is asked back, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.kit.words import folded

JOIN = ("join", "rejoindre")
"""Words that begin a joining line, and may be followed by one word for the dice."""

DECLINE = ("decline", "decliner")
"""Words that begin a declining line, and may be followed by a reason."""

LEAVE = ("leave", "quitter")
"""What declines for whoever has joined already; alone in its line."""

_YES = ("yes", "oui", "ok", "okay", "i'm in", "im in", "i am in", "je participe", *JOIN)
_NO = ("no", "non", *DECLINE, *LEAVE)

_COURTESY = (
    *("hi", "hello", "dear", "please", "pls", "thanks", "thank you", "thx", "many thanks", "thanks a lot"),
    *("with pleasure", "gladly", "of course", "sorry", "cheers"),
    *("bonjour", "salut", "merci", "merci beaucoup", "svp", "stp", "s'il te plait", "s'il vous plait"),
    *("avec plaisir", "volontiers", "bien sur", "desole", "desolee"),
)

_ANSWERS = (
    *("yes", "yeah", "yep", "oui", "ok", "okay", "join", "joining", "rejoindre", "participe", "rejoins", "ja", "si"),
    *("sim", "no", "nope", "non", "nein", "nee", "nej", "nao", "decline", "decliner", "leave", "quitter", "resign"),
    *("unsubscribe", "desinscrire", "cancel", "quit", "remove", "1", "2"),
)
_DOUBTS = (
    *("not", "never", "cannot", "nor", "but", "if", "unless", "until", "till", "instead", "however", "except", "only"),
    *("after", "before", "when", "whether", "maybe", "perhaps", "later", "wait", "unfortunately", "unable", "tomorrow"),
    *("ne", "pas", "jamais", "mais", "sauf", "plutot", "attends", "attendez", "apres", "avant", "quand"),
    *("malheureusement", "plus", "tard", "nicht", "kein", "keine", "aber", "wenn", "falls", "leider", "niet"),
    *("geen", "maar", "pero", "nunca", "quiza", "forse", "inte", "men", "mas"),
)
_WORDS = re.compile(r"[\w'+-]+")

_AROUND = " \t\"'«»“”„‘’*_()[].,;:!"


class Means(StrEnum):
    """What a line says to an invitation."""

    JOINS = "join"
    DECLINES = "decline"
    UNSURE = "unsure"
    """It speaks of joining or declining, and of more, or with a doubt: asked back."""
    NOTHING = ""


WRITTEN = {"fr": {"join": "rejoindre", "decline": "décliner", "leave": "quitter"}}
"""Language to the words that an answer is written with in it, by the English ones."""


@dataclass(frozen=True, slots=True)
class Consent:
    """A line understood: the word for the dice of one that joins, the reason of one that declines."""

    means: Means
    word: str = ""
    reason: str = ""


def heard(line: str, names: Collection[str] = ()) -> Consent:
    """Read one line, folded by `pbem.reading.signs.fold` and otherwise as written. `names`: the people of the table."""
    # A dash alone is no word: it stands between an answer and courtesy.
    words = [word for word in _WORDS.findall(folded(line)) if word.strip("-")]
    if not words:
        return Consent(Means.NOTHING)
    if words[0] in DECLINE:
        reason = line.split(None, 1)[1:] or [""]
        sure = not set(words[1:]) & {"join", "yes", "oui", "ok", "rejoindre"} and "?" not in line
        return Consent(Means.DECLINES, reason=reason[0].strip(_AROUND)) if sure else Consent(Means.UNSURE)
    # People are courteous to the host and to each other by name.
    called = (part for name in names for part in _WORDS.findall(folded(name)) if len(part) > 1)
    bare = _without(words, _phrases((*_COURTESY, *called)))
    if "?" not in line:
        if bare and not _without(bare, _phrases(_YES)):
            return Consent(Means.JOINS)
        if bare and not _without(bare, _phrases(_NO)):
            return Consent(Means.DECLINES)
        if len(bare) == 2 and bare[0] in JOIN and not _is_doubtful(bare[1:]):
            return Consent(Means.JOINS, _as_written(line, bare[1]))
    return Consent(Means.UNSURE if _is_doubtful(words) else Means.NOTHING)


def _is_doubtful(words: Iterable[str]) -> bool:
    return any(word in _ANSWERS or word in _DOUBTS or "n't" in word for word in words)


def _phrases(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(text.split()) for text in texts)


def _without(words: list[str], phrases: frozenset[tuple[str, ...]]) -> list[str]:
    """The words that belong to none of the phrases; of several that fit, the longest counts."""
    left: list[str] = []
    at = 0
    while at < len(words):
        size = next((size for size in (4, 3, 2, 1) if tuple(words[at : at + size]) in phrases), 0)
        if not size:
            left.append(words[at])
        at += size or 1
    return left


def _as_written(line: str, word: str) -> str:
    """The word for the dice with its accents and capitals, and what stands within it; without marks around it."""
    for piece in line.split():
        if word in _WORDS.findall(folded(piece)):
            return piece.strip(_AROUND)
    return word
