"""Remember what a seat has said: whether a letter is stale or a duplicate, and how a person's letters end.

Kept with the game's secrets for the last decisions of each seat: the Date of the letter, its record, and a hash of
every order it played. A rollback forgets it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from datetime import datetime

from engine.catalog import T
from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.desk.commands.command import Does
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.reading.line_parser import parse_line
from pbem.store.game_table import DecisionAnswers, LetterEndings

KEPT = 8
"""Decisions of a seat that are remembered."""

_CONTACT = re.compile(r"\S+@\S+\.\w|\bwww\.|https?://|\+?\d[\d ()./-]{6,}\d")
"""An address, a link, a telephone."""

_NAMED = 3
"""Words of a name at most."""

ENDS = 40
"""Endings of a person's letters that are remembered."""

_ONCE = "once "
"""Before the hash of lines that are no signature: they may stand under the answer to one question only."""

OLDER = T(
    "You have answered this in another letter already, and this one is older, or does not tell when it was "
    "written. If you want this one to count, answer this mail with it."
)
REPEATED = T("Already played; nothing was done again. Here is the position now.")


def _kept(request: Request) -> tuple[DecisionAnswers, ...]:
    return request.context.stored.secrets.said.get(request.seat, ())


def _heard(request: Request, number: int | None) -> DecisionAnswers | None:
    """What the seat has said on a decision; None for nothing."""
    return next((words for words in _kept(request) if words.number == number), None)


def is_duplicate(request: Request) -> bool:
    """True if a letter holds, word for word, the orders of one that closed the decision it answers, and no others."""
    words = _heard(request, request.decision)
    if words is None or (request.asked is not None and request.asked.number == request.decision):
        return False
    if request.record > words.record and any(one.choices for one in request.listed):
        # It answers a mail that came since, with choices of its own.
        return False
    verbs = request.game.reference.verbs()
    marks = [(line, _mark(line)) for line in request.written if line.strip()]
    for played in words.played:
        rest = [line for line, mark in marks if mark not in played]
        same = [mark for _, mark in marks if mark in played] == list(played)
        if same and not any(_is_order(line, verbs) for line in rest):
            return True
    return False


def is_stale(request: Request) -> bool:
    """True if a letter may be older than what the seat has said on a sealed decision that is still open.

    Newer is a letter with a later Date, or one that answers the receipt of the other.
    """
    if request.decision is None or request.asked is None or not request.asked.sealed:
        return False
    words, at = _heard(request, request.asked.number), request.date
    if words is None or request.record >= words.record:
        return False
    return at is None or not words.at or at <= datetime.fromisoformat(words.at)


def repeated_lines(request: Request, result: Result) -> tuple[DecisionAnswers, ...] | None:
    """What the seat has said, with this letter; None if it played nothing."""
    kept = _kept(request)
    if (back := result.effects.taken_back) is not None:
        return tuple(words for words in kept if words.record < back.record)
    if not result.entries or result.answer is None:
        return None
    told = [said for said in result.answer.said if said.written and said.reason is None]
    number = request.newest if request.decision is None else request.decision
    before = _heard(request, number)
    # Another sealed answer takes the place of the one before.
    orders = () if before is None or result.effects.sealed else before.played
    if result.effects.played and told:
        orders = (*orders, tuple(_mark(said.written) for said in told))
    words = DecisionAnswers(number, request.date.isoformat() if request.date else "", request.table.records + 1, orders)
    return (*(other for other in kept if other is not before), words)[-KEPT:]


def signature_lines(kept: LetterEndings, block: Sequence[str], *, chosen: bool) -> bool:
    """True if lines under an order are known: this person's letters end with them, or they were just asked about and a
    choice of that question is `chosen`."""
    mark = _mark("\n".join(block))
    return mark in kept.passed or (chosen and not {mark, f"{_ONCE}{mark}"}.isdisjoint(kept.asked))


def remember_ending(
    kept: LetterEndings, block: Sequence[str], own: Collection[str], *, asked: bool, passed: bool
) -> LetterEndings:
    """Remember the lines under the orders of one more letter; `own` are the writer's names.

    `asked`: it was asked back for them, and played nothing. `passed`: it passes over those that the letter before was
    asked back for. Only signatures are kept for good.
    """
    if asked:
        mark = _mark("\n".join(block))
        return LetterEndings(kept.passed, (mark if is_signature(block, own) else f"{_ONCE}{mark}",) if block else ())
    known = (mark for mark in kept.asked if passed and not mark.startswith(_ONCE))
    return LetterEndings(tuple(dict.fromkeys((*kept.passed, *known)))[-ENDS:])


def is_signature(block: Sequence[str], own: Collection[str]) -> bool:
    """True if lines look like a signature: no sentences, and one of them is the writer's name or holds an address, a
    telephone or a link."""
    names = {word for name in own for word in fold_text(name).split() if len(word) > 1}
    told = False
    for line in map(str.strip, block):
        words = line.split()
        if _CONTACT.search(line):
            told = True
        elif line.endswith((".", "!", "?", "…", ":")) or line[:1].islower():
            return False
        else:
            called = len(words) <= _NAMED and all(word[:1].isupper() for word in words)
            told = told or (called and not names.isdisjoint(map(fold_text, words)))
    return told


def _mark(line: str) -> str:
    return hashlib.sha256(" ".join(fold_text(line).split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_order(line: str, verbs: Collection[str]) -> bool:
    one = parse_line(line)
    if one.number is not None:
        return True
    found = commands.parse_command(commands.command_line(one))
    # A question beside the orders changes nothing.
    return found[0].does not in (Does.ASK, Does.STOP) if found else fold_text(one.text.split()[0]) in verbs
