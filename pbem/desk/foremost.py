"""What a line that was refused can only mean, by all that reads it a second time; and what stands first among its
choices: the option that it tells by its number, and the standing order of a sentence that says how often something is
to be done, never the plain order alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engine.catalog import T
from engine.errors import NotUnderstood, OrderRefused, Unclear
from engine.reference import Gist
from pbem.desk import commands, numbered
from pbem.desk.asking import AskedBack
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.sorting import Sorted, SortedLine
from pbem.desk.supposing import around_of, supposed
from pbem.desk.surely import Surely
from pbem.desk.wanted import standing
from pbem.reading import evidence, kinds
from pbem.reading.apart import parted
from pbem.reading.wants import Sentence

NO_ORDER = T("No order was found in your letter. Write one order a line, or the number of an option.")
_HABITS = ("always", "toujours")
_WAITING = frozenset(("condition", "later", "past", "question"))
"""Kinds of what bars a line that may be said of a standing order: when it is carried out, and that nobody need ask."""
_SURE, _HANDED = 1.7, -4.0
"""How surely a line must be a directive (`pbem.reading.directive`) for the one standing order that it tells, and where
it begins as one that hands something over."""


def certain(
    request: Request, session: Session, letter: Sorted, row: SortedLine, names: Collection[str], refused: OrderRefused
) -> Gist | None:
    """The orders that a refused line can only mean; None where that is not certain. Raises AskedBack."""
    if (told := numbered.told(request, session, letter, row, names)) is not None:
        return told
    if isinstance(refused, AskedBack) and not refused.otherwise:
        return None
    # Of two that the grammar finds in a line none is taken for the likelier one; nor is what it has understood and the
    # rules forbid taken for something else.
    doubted = isinstance(refused, Unclear) and len(refused.orders) == 1
    only = refused.otherwise or not isinstance(refused, Unclear)
    likely = (doubted or isinstance(refused, NotUnderstood)) and not _is_ever(Sentence.of(row.raw), firm=True)
    found = supposed(request, session, letter, row, names, only=only, likely=likely)
    first = foremost(request, session, letter, row, names, firm=True)
    if found is None and len(first) == 1 and first == _standing(request, session, row.raw, firm=True):
        return Gist(first) if _is_for_ever(request, row, names) and _waits_so(session, row, first[0]) else None
    # Of an option that is told beside what it is not neither is certain, nor what is to be done once and for ever.
    return None if found is not None and first and "\n".join(found.orders) not in first else found


def lone(request: Request, session: Session, letter: Sorted, names: Collection[str]) -> Sorted:
    """The letter with its only line as an order, where that has no word of our mails and means one all the same:
    «both yellows, both blacks»."""
    if letter.lone is None or session.decision() is None:
        return letter
    one = replace(letter, rows=(letter.lone,), unread=())
    try:
        found = certain(request, session, one, letter.lone, names, NotUnderstood(NO_ORDER))
    except OrderRefused:
        return letter
    return replace(one, found=found) if found is not None else letter


def foremost(
    request: Request, session: Session, letter: Sorted, row: SortedLine, names: Collection[str], *, firm: bool = False
) -> tuple[str, ...]:
    """The orders that stand first where a line is asked back; empty where the line tells none by itself. `firm`: that
    something is always so makes no standing order of it, as in «as always»."""
    if session.decision() is None or request.late or request.held is not None or row.read.is_number or row.read.sure:
        return ()
    if commands.line_of(row.read):
        return ()
    told = numbered.asked_back(request, session, row.line, names) if len(letter.rows) < 2 else ()
    return told or _standing(request, session, row.raw, firm=firm)


def _is_for_ever(request: Request, row: SortedLine, names: Collection[str]) -> bool:
    """Whether a line that says that something is to be done for ever is surely a directive, and says nothing else: it
    names no die, and nothing bars it but what a standing order waits for."""
    if kinds.names_die(row.raw) or any(map(str.isdigit, row.raw)) or "?" in row.raw:
        return False
    around = around_of(request, names)
    sure = Surely.of(request, row.line, parted(row.line, around).said, around)
    least = _HANDED if evidence.hands_over(Sentence.of(row.raw).words) else _SURE
    return sure.logit >= least and sure.barred <= _WAITING


def _waits_so(session: Session, row: SortedLine, order: str) -> bool:
    """Whether a line says all that a standing order waits for."""
    said, text = evidence.conditions(Sentence.of(row.raw).words), session.understand(order).text
    return all(one in said for one in evidence.STANDING if one in text)


def _standing(request: Request, session: Session, raw: str, *, firm: bool) -> tuple[str, ...]:
    """The standing order of a sentence that says that something is to be done for ever."""
    sentence = Sentence.of(raw)
    if not _is_ever(sentence, firm=firm):
        return ()
    return tuple(text for text, _ in standing(request, session, sentence))


def _is_ever(sentence: Sentence, *, firm: bool) -> bool:
    """Whether a sentence says that something is to be done each time."""
    words = [word for word in sentence.words if not (firm and word in _HABITS)]
    return any(one.startswith("every") for one in evidence.conditions(words))
