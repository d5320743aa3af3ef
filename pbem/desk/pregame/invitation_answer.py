"""Read a line as an answer to an invitation: join, decline, or a question back.

Only a joining line joins: nothing else but courtesy may stand in it. A line with more words, both answers, a doubt, or
in another language than English and French is asked back, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.kit.words import fold_text

JOIN = ("join", "rejoindre")
"""Words that begin a joining line, and may be followed by one word for the dice."""

DECLINE = ("decline", "decliner")
"""Words that begin a declining line, and may be followed by a reason."""

LEAVE = ("leave", "quitter")
"""Words that decline after joining; alone in their line."""

_GLADLY = (
    *("with pleasure", "gladly", "of course", "sure", "sure thing", "absolutely", "definitely", "happy to", "love to"),
    *("avec plaisir", "avec joie", "volontiers", "bien volontiers", "bien sur", "evidemment", "d'accord", "daccord"),
)
"""A yes if alone, courtesy beside an answer."""

_YES = (
    *("yes", "yeah", "yep", "ok", "okay", "i'm in", "im in", "i am in", "count me in", "deal me in", "sign me up"),
    *("i join", "i'll join", "i will join", "i'd like to join", "i'd love to", "i would love to", "happy to join"),
    *("happy to play", "i'll play", "i will play", "i accept", "accepted", "sounds good", "i'm game", "game on"),
    *("let's play", "let's go", "join the table", "join the game", "i'd love to play", "i'd love to join"),
    *("oui", "ouais", "je participe", "je rejoins", "je rejoins la table", "je rejoins la partie", "j'accepte"),
    "je joue",
    *("je suis partant", "je suis partante", "partant", "partante", "je veux bien", "j'en suis"),
    *("ca marche", "ca roule"),
    *("comptez sur moi", "compte sur moi", "je suis de la partie", "je suis des votres", "c'est parti", "allons-y"),
    *("je viens", "je prends la place", "rejoindre la table", "rejoindre la partie"),
    *JOIN,
    *_GLADLY,
)
_NO = (
    *("no", "nope", "i decline", "i'm out", "im out", "i am out", "count me out", "without me"),
    *("that was not me", "that wasn't me", "it was not me", "it wasn't me", "ce n'etait pas moi"),
    *("non", "je decline", "je refuse", "sans moi", "ce sera sans moi"),
    *DECLINE,
    *LEAVE,
)

_POLITE = (
    *("hi", "hello", "dear", "please", "pls", "thanks", "thank you", "thx", "many thanks", "thanks a lot"),
    *("sorry", "cheers", "for me", "that was me", "it was me", "this was me", "that's me", "c'etait moi", "c'est moi"),
    *("bonjour", "salut", "merci", "merci beaucoup", "svp", "stp", "s'il te plait", "s'il vous plait"),
    *("desole", "desolee", "pour moi", "sorry for being late", "sorry for the delay", "sorry i'm late"),
    *("better late than never", "desole pour le retard", "desolee pour le retard", "mieux vaut tard que jamais"),
)

_ANSWERS = (
    *("yes", "yeah", "yep", "oui", "ok", "okay", "join", "joining", "rejoindre", "participe", "rejoins", "ja", "si"),
    *("sim", "no", "nope", "non", "nein", "nee", "nej", "nao", "decline", "decliner", "leave", "quitter", "resign"),
    *("unsubscribe", "desinscrire", "cancel", "quit", "remove", "1", "2"),
)
_DOUBTS = (
    *("not", "never", "cannot", "nor", "but", "if", "unless", "until", "till", "instead", "however", "except", "only"),
    *("after", "before", "when", "whether", "maybe", "perhaps", "later", "wait", "unfortunately"),
    *("unable", "tomorrow", "peut-etre"),
    *("ne", "pas", "jamais", "mais", "sauf", "plutot", "attends", "attendez", "apres", "avant", "quand"),
    *("malheureusement", "plus", "tard", "nicht", "kein", "keine", "aber", "wenn", "falls", "leider", "niet"),
    *("geen", "maar", "pero", "nunca", "quiza", "forse", "inte", "men", "mas"),
)
_WORDS = re.compile(r"[\w'+-]+")

_AROUND = " \t\"'«»“”„‘’*_()[].,;:!"


class Means(StrEnum):
    """The answer of a line to an invitation."""

    JOINS = "join"
    DECLINES = "decline"
    UNSURE = "unsure"
    """It mentions joining or declining with more words or a doubt: asked back."""
    NOTHING = ""


WRITTEN = {"fr": {"join": "rejoindre", "decline": "décliner", "leave": "quitter"}}
"""Language to its words for the answers, by the English ones."""


@dataclass(frozen=True, slots=True)
class InvitationAnswer:
    """A line understood, with the word for the dice of a joining one, the reason of a declining one."""

    means: Means
    word: str = ""
    reason: str = ""


def parse_invitation_answer(line: str, names: Collection[str] = ()) -> InvitationAnswer:
    """Read one line, as `normalize.normalize_line` leaves it. `names`: the people of the table, who may be greeted."""
    words = [word for word in _WORDS.findall(fold_text(line)) if word.strip("-")]
    if not words:
        return InvitationAnswer(Means.NOTHING)
    if words[0] in DECLINE:
        reason = line.split(None, 1)[1:] or [""]
        sure = not set(words[1:]) & {"join", "yes", "oui", "ok", "rejoindre"} and "?" not in line
        if not sure:
            return InvitationAnswer(Means.UNSURE)
        return InvitationAnswer(Means.DECLINES, reason=reason[0].strip(_AROUND))
    called = (part for name in names for part in _WORDS.findall(fold_text(name)) if len(part) > 1)
    said = _without(words, _phrases((*_POLITE, *called)))
    bare = _without(said, _phrases(_GLADLY))
    if "?" not in line:
        if said and not _without(said, _phrases(_YES)):
            return InvitationAnswer(Means.JOINS)
        if bare and not _without(bare, _phrases(_NO)):
            return InvitationAnswer(Means.DECLINES)
        if len(bare) == 2 and bare[0] in JOIN and not _is_doubtful(bare[1:]):
            return InvitationAnswer(Means.JOINS, _as_written(line, bare[1]))
    return InvitationAnswer(Means.UNSURE if _is_doubtful(words) else Means.NOTHING)


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
        if word in _WORDS.findall(fold_text(piece)):
            return piece.strip(_AROUND)
    return word
