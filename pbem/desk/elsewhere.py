"""A word of another moment or of another game, alone in a letter: what it is, and what would do here."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.errors import NotAllowed, OrderRefused
from engine.kit.words import folded
from pbem.desk import consent
from pbem.desk.sorting import Is, Sorted, SortedLine
from pbem.reading.line import read

_JOINING = 2
"""Words of a joining line at most: it may name one for the dice."""


def found(
    letter: Sorted, names: tuple[str, ...], understand: Callable[[str], object], *, goes_on: bool
) -> tuple[SortedLine, OrderRefused] | None:
    """A line of a letter without an order of this moment, and why it does nothing, where more can be told than that it
    is none.

    `understand` reads it as the game would. `goes_on` tells whether the game does, so that it can be left.
    """
    if any(row.is_order for row in letter.rows) or len(letter.rows) > 1:
        return None
    for raw in (*(row.raw for row in letter.rows), *letter.unread):
        line = read(raw, names)
        why = _refusal(line.text, understand, goes_on=goes_on)
        if why is not None and not (why.otherwise and letter.rows):
            return SortedLine(line.text, raw, False, Is.OTHER, line), why
    return None


def _refusal(line: str, understand: Callable[[str], object], *, goes_on: bool) -> OrderRefused | None:
    words = folded(line).rstrip(".!").split()
    if not words:
        return None
    if words[0] in consent.JOIN and len(words) <= _JOINING:
        return NotAllowed(T("«{word}» answers an invitation; you have your seat already.", word=words[0]))
    if goes_on and len(words) == 1 and words[0] in (*consent.LEAVE, *consent.DECLINE):
        return NotAllowed(
            T(
                "«{word}» answers an invitation, and this game has begun. «resign» leaves it: a computer plays on in "
                "your seat until somebody else has it, and «back» takes that back.",
                word=words[0],
            )
        )
    try:
        understand(line)
    except OrderRefused as refused:
        # What the game says of a line that it does not know at all is no more than «no order was found».
        return refused if refused.rule or isinstance(refused, NotAllowed) else None
    return None
