"""What a line that was refused can only mean, by all that reads it a second time; and what stands first among its
choices: the option that it tells by its number, and the standing order of a sentence that says how often something is
to be done, never the plain order alone."""

from __future__ import annotations

from collections.abc import Collection

from engine.errors import NotUnderstood, OrderRefused, Unclear
from engine.reference import Gist
from pbem.desk import commands, numbered
from pbem.desk.asking import AskedBack
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.sorting import Sorted, SortedLine
from pbem.desk.supposing import supposed
from pbem.desk.wanted import standing
from pbem.reading import evidence
from pbem.reading.wants import Sentence

_HABITS = ("always", "toujours")


def certain(
    request: Request, session: Session, letter: Sorted, row: SortedLine, names: Collection[str], refused: OrderRefused
) -> Gist | None:
    """The orders that a refused line can only mean; None where that is not certain. Raises AskedBack."""
    if (told := numbered.told(request, session, letter, row, names)) is not None:
        return told
    if isinstance(refused, Unclear | AskedBack) and not refused.otherwise:
        return None
    # What the grammar has understood and the rules forbid is never taken for something else.
    found = supposed(request, session, letter, row, names, likely=isinstance(refused, NotUnderstood))
    first = foremost(request, session, letter, row, names, firm=True)
    # Of an option that is told beside what it is not neither is certain, nor what is to be done once and for ever.
    return None if found is not None and first and "\n".join(found.orders) not in first else found


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


def _standing(request: Request, session: Session, raw: str, *, firm: bool) -> tuple[str, ...]:
    """The standing order of a sentence that says that something is to be done for ever."""
    sentence = Sentence.of(raw)
    words = [word for word in sentence.words if not (firm and word in _HABITS)]
    if not any(one.startswith("every") for one in evidence.conditions(words)):
        return ()
    return tuple(text for text, _ in standing(request, session, sentence))
