"""What a refused line can only mean: read a second time, by the evidence of its words (`Reference.gist`), and where
that leaves none, what it most likely means (`Reference.likely`).

The grammar comes first, and whatever may turn the meaning of a line bars it (`pbem.reading.bars`). What does so is
weighed with all other words where only the likeliest is looked for: a line must be a directive surely enough
(`pbem.reading.directive`). Else it is asked back, as ever. Only the position is looked at that the seat may see, and
all is tried there before it is played.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from engine.catalog import T
from engine.chance import Blind, Unknown
from engine.errors import OrderRefused
from engine.reference import Gist
from pbem.desk import commands, repairing
from pbem.desk.asking import AskedBack, choices_of
from pbem.desk.between import AND_I, CUT, LEADING, SLASH, THEN, lists, names_once, pointed
from pbem.desk.request import Request
from pbem.desk.session import Session, Trial
from pbem.desk.sorting import Sorted, SortedLine
from pbem.desk.surely import Surely
from pbem.reading import kinds
from pbem.reading.apart import holds_back, parted
from pbem.reading.around import Around
from pbem.reading.bars import bars
from pbem.reading.line import read
from pbem.reading.passing import PASSES
from pbem.reading.phrases import FURTHER, words_of

_NUMBER = re.compile(r"\d")
"""What is never passed over: it says something of an order, such as a face."""
DIE = re.compile(r"(?:(?P<owner>[a-z0-9-]+):)?(?P<colour>[A-Z])(?P<value>[1-6])")
"""A die as orders name it."""
_MOST = 8
"""Cuts that are looked at."""


def supposed(
    request: Request,
    session: Session,
    letter: Sorted,
    row: SortedLine,
    names: Collection[str],
    *,
    only: bool = True,
    likely: bool = False,
) -> Gist | None:
    """The orders that a line which no grammar reads can `only` mean, or with `likely` most likely means; None where
    that is not certain. Raises AskedBack."""
    one = row.read
    if session.now.state is None:
        return None
    if one.is_number or one.sure or one.counts or commands.line_of(one) or holds_back(row.line):
        return None
    around = around_of(request, names)
    parts = parted(row.line, around)
    # A slash asks, but for one that parts two orders.
    said = SLASH.sub("; ", parts.said, count=1)
    if not parts.said or any(bars(parted(unread, around).said, names) for unread in letter.unread):
        return None
    line = read(parts.said, tuple(names)).whole
    state = request.game.moderation.redacted(session.now.state, request.seat)
    sure = Surely.of(request, said if said == PASSES else row.line, said, around)
    found = _found(request, session, state, line, parts.said != row.line) if only and sure.is_clear else None
    if found is None and likely and sure.is_enough:
        most = partial(_most_likely, request, says=sure.says, only=only)
        asked = session.decision()
        several = asked is not None and not asked.sealed
        between = THEN if THEN.search(line) else AND_I
        found = _two(request, session, state, line, between, most)
        # What «and I» leads on to may say something of the one order, or turn it.
        turns = _turns(request, line, between, names)
        found = found or (None if several and turns else most(state, line))
        found = found or _two(request, session, state, line, LEADING, most)
    if found is None or any(_NUMBER.search(part) for part in found.unread):
        return None
    if any(_names(request, session, state, line, found, thing) for thing in parts.unused):
        return None
    if any(_takes(request, session, state, line, found, thing) for thing in parts.left):
        return None
    if repairing.tried(request, session, found.orders) is None:
        return None
    return replace(found, unread=(*parts.beside, *found.unread))


def _found(request: Request, session: Session, state: Any, line: str, altered: bool) -> Gist | None:
    """What a line can only mean; the grammar may read it by now where something was taken from it. Raises AskedBack."""
    if SLASH.search(line):
        return _two(request, session, state, line, SLASH)
    one = (_either(request, state, line) if altered else None) or request.game.reference.gist(state, request.seat, line)
    return one or _two(request, session, state, line, CUT)


def _names(request: Request, session: Session, state: Any, line: str, found: Gist, thing: str) -> bool:
    """Whether orders may name what is kept: a face of theirs, or what they explain as well."""
    if _shared(found, thing):
        return True
    also = _found(request, session, state, f"{line}, {thing}", True)
    return also is not None and also.orders == found.orders


def _takes(request: Request, session: Session, state: Any, line: str, found: Gist, thing: str) -> bool:
    """Whether orders may take what is left to others: what they explain as well, or a number that they name; only
    beside what a die of theirs shows it may be one more, as in «white 4 and white 2 for the six, leave the two»."""
    also = _found(request, session, state, f"{line}, {thing}", True)
    if also is not None and also.orders == found.orders:
        return True
    once, more = _faces(found), _faces(also) if also is not None else Counter[str]()
    bare = {*_NUMBER.findall(DIE.sub("", " ".join(found.orders)))} or once.keys()
    return any(one in bare or more[one] <= once[one] for one in _shared(found, thing))


def _shared(found: Gist, thing: str) -> set[str]:
    """The numbers of what is kept or left that stand in orders."""
    return {*map(str, kinds.numbers(thing)), *_NUMBER.findall(thing)} & _faces(found).keys()


def _faces(found: Gist) -> Counter[str]:
    return Counter(_NUMBER.findall(" ".join(found.orders)))


def led_on(request: Request, session: Session, letter: Sorted, names: Collection[str]) -> Sorted:
    """The letter with the line under its orders as one more of them, where that leads on («then …») and can only be one
    order; not where what stands above shows something."""
    stray = letter.stray
    words = [word for word, _, _ in words_of(stray.line)] if stray is not None else []
    if stray is None or not words or not FURTHER.at(words, 0) or request.held is not None or request.late:
        return letter
    trial = Trial(request, session)
    try:
        for row in letter.rows:
            for line in () if commands.line_of(row.read) else trial.meant(row.read):
                trial.try_out(line, row.raw)
    except OrderRefused:
        return letter
    if trial.stopped or trial.decision() is None:
        return letter
    one = replace(stray, line=stray.read.whole)
    below = tuple(row for row in letter.below if row is not stray)
    unread = tuple(text for text in letter.unread if text != stray.raw)
    more = next((row for row in below if row.is_stray), None)
    wider = replace(letter, rows=(*letter.rows, one), unread=unread, stray=more, below=below)
    try:
        return letter if more or supposed(request, trial, wider, one, names) is None else wider
    except OrderRefused:
        return letter


def around_of(request: Request, names: Collection[str]) -> Around:
    """Who sits at the table, and the words of its game."""
    reference = request.game.reference
    return Around(tuple(names), reference.verbs(), reference.words())


def is_talk(request: Request, text: str) -> bool:
    """Whether a text has no word of the game."""
    reference = request.game.reference
    return kinds.is_chatter(text, reference.verbs(), reference.words()) and not kinds.in_doubt(text)


def _turns(request: Request, line: str, between: re.Pattern[str], names: Collection[str]) -> bool:
    """Whether what stands behind «then» or «and I» may say something of what is before; «then I'll see» does not."""
    rests = [line[cut.end() :] for cut in between.finditer(line)]
    if between is THEN:
        return not all(is_talk(request, rest) for rest in rests)
    return any(bars(rest, names) for rest in rests)


def _most_likely(request: Request, state: Any, words: str, *, says: Mapping[str, float], only: bool) -> Gist | None:
    """What words can `only` mean, or else most likely mean."""
    found = _either(request, state, words) if only else None
    return found or request.game.reference.likely(state, request.seat, words, says)


def _two(
    request: Request,
    session: Session,
    state: Any,
    line: str,
    between: re.Pattern[str],
    one: Callable[[Any, str], Gist | None] | None = None,
) -> Gist | None:
    """The two orders of a line, each as the grammar reads it or as it can only be meant, or as `one` reads it; None for
    more ways to part it.

    Raises AskedBack where the first of them shows something, which may change the next.
    """
    asked = session.decision()
    if asked is None or asked.sealed:
        return None
    ways: list[Gist] = []
    shows: list[Gist] = []
    one = one or partial(_either, request)
    for cut in islice(between.finditer(line), _MOST):
        if lists(line, cut):
            continue
        first = one(state, line[: cut.start()])
        after = _after(request, state, first) if first else None
        reads = partial(one, state if after is None else after)
        second = _second(request, state, first, line[cut.end() :], reads) if first else None
        if first and second:
            found = Gist(first.orders + second.orders, first.unread + second.unread)
            (shows if after is None else ways).append(found)
    shown = tuple(dict.fromkeys(way.orders for way in shows))
    if not ways and len(shown) == 1 and repairing.tried(request, session, shown[0]) is not None:
        orders = [request.worded(state, order) for order in shown[0]]
        says = T("«{order}» shows something, and more stands behind it on its line.", order=orders[0])
        raise AskedBack(says, choices_of("\n".join(orders), orders[0]))
    return ways[0] if len({way.orders for way in ways}) == 1 else None


def _second(request: Request, state: Any, first: Gist, rest: str, one: Callable[[str], Gist | None]) -> Gist | None:
    """The order that stands behind the `first`, as `one` reads it."""
    changed = request.game.reference.referent(state, request.seat, first.orders[0])
    found = ((one(words), told) for words, told in pointed(changed, rest))
    return next((gist for gist, told in found if gist is not None and names_once(gist.orders[0], told)), None)


def _either(request: Request, state: Any, words: str) -> Gist | None:
    line = read(words)
    if line.is_number or line.sure or commands.line_of(line) or not line.text:
        return None
    # A number before the words is one of them: what it may stand for was looked at before.
    for text in line.readings if line.number is None else (line.whole,):
        try:
            return Gist((request.game.read(state, request.seat, text).text,))
        except OrderRefused:
            continue
    return request.game.reference.gist(state, request.seat, line.text if line.number is None else line.whole)


def _after(request: Request, state: Any, said: Gist) -> Any:
    """The position after an order; None where it cannot be played, or shows something."""
    try:
        order = request.game.read(state, request.seat, said.orders[0]).order
        step = request.game.apply(state, request.seat, order, Blind())
    except (OrderRefused, Unknown):
        return None
    return None if step.reveals else step.state
