"""What a refused line can only mean: read a second time, by the evidence of its words (`Reference.gist`).

The grammar comes first, and whatever may turn the meaning of a line bars it (`pbem.reading.bars`): then it is asked
back, as ever. Only the position is looked at that the seat may see, and all is tried there before it is played.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import islice
from typing import Any

from engine.chance import Blind, Unknown
from engine.errors import OrderRefused
from engine.reference import Gist
from pbem.desk import commands, repairing
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.sorting import Sorted, SortedLine
from pbem.reading import kinds
from pbem.reading.apart import Around, parted
from pbem.reading.bars import bars
from pbem.reading.line import read

_CUT = re.compile(
    r"[.!;]\s+|,?\s+(?:(?:and|et)\s+)?(?:then|after that|puis|ensuite|apr[eè]s [cç]a)\s+|,\s+|,?\s+(?:and|et)\s+",
    re.IGNORECASE,
)
"""What may stand between two orders of one line."""
_COUNTED = re.compile(r"\d")
"""What is never passed over: a number says something of an order."""
_FACE = re.compile(r"\d")
_MOST = 8
"""Cuts that are looked at."""


def supposed(
    request: Request, session: Session, letter: Sorted, row: SortedLine, names: Collection[str]
) -> Gist | None:
    """The orders that a line which no grammar reads can only mean; None where that is not certain."""
    one = row.read
    if session.now.state is None:
        return None
    if one.is_number or one.sure or one.counts or commands.line_of(one):
        return None
    reference = request.game.reference
    around = Around(tuple(names), reference.verbs(), reference.words())
    parts = parted(row.line, around)
    texts = (parts.said, *(parted(unread, around).said for unread in letter.unread))
    if not parts.said or any(bars(text, names) for text in texts):
        return None
    line = read(parts.said, tuple(names)).whole
    state = request.game.moderation.redacted(session.now.state, request.seat)
    found = _found(request, session, state, line, parts.said != row.line)
    if found is None or any(_COUNTED.search(part) for part in found.unread):
        return None
    if any(_names(request, session, state, line, found, thing) for thing in parts.unused):
        return None
    if repairing.tried(request, session, found.orders, 0) is None:
        return None
    return replace(found, unread=(*parts.beside, *found.unread))


def _found(request: Request, session: Session, state: Any, line: str, parted: bool) -> Gist | None:
    """What a line can only mean; the grammar may read it by now where something was taken from it."""
    one = (_either(request, state, line) if parted else None) or request.game.reference.gist(state, request.seat, line)
    return one or _two(request, session, state, line)


def _names(request: Request, session: Session, state: Any, line: str, found: Gist, thing: str) -> bool:
    """Whether orders may name what is kept: a face of theirs, or what they explain as well."""
    orders = " ".join(found.orders)
    if {*_FACE.findall(orders)} & {str(face) for face in (*kinds.numbers(thing), *_FACE.findall(thing))}:
        return True
    also = _found(request, session, state, f"{line}, {thing}", True)
    return also is not None and also.orders == found.orders


def _two(request: Request, session: Session, state: Any, line: str) -> Gist | None:
    """The two orders of a line, each as the grammar reads it or as it can only be meant; None for more ways to part it.

    The first of them shows nothing: what it would show may change the next.
    """
    asked = session.decision()
    if asked is None or asked.sealed:
        return None
    ways: list[Gist] = []
    for cut in islice(_CUT.finditer(line), _MOST):
        first = _either(request, state, line[: cut.start()])
        after = _after(request, state, first) if first else None
        second = _either(request, after, line[cut.end() :]) if after is not None else None
        if first and second:
            ways.append(Gist(first.orders + second.orders, first.unread + second.unread))
    return ways[0] if len({way.orders for way in ways}) == 1 else None


def _either(request: Request, state: Any, words: str) -> Gist | None:
    line = read(words)
    if line.is_number or line.sure or commands.line_of(line) or not line.text:
        return None
    for text in line.readings:
        try:
            return Gist((request.game.read(state, request.seat, text).text,))
        except OrderRefused:
            continue
    return request.game.reference.gist(state, request.seat, line.text)


def _after(request: Request, state: Any, said: Gist) -> Any:
    """The position after an order; None where it cannot be played, or shows something."""
    try:
        order = request.game.read(state, request.seat, said.orders[0]).order
        step = request.game.apply(state, request.seat, order, Blind())
    except (OrderRefused, Unknown):
        return None
    return None if step.reveals else step.state
