"""What a seat has said before: whether a letter is older than the word that stands, or repeats one that was played,
and how the letters of a person end.

Kept with the game's secrets, for the last few decisions of each seat: when the writer says that the letter was written,
its record, and a mark of every order it played. A rollback forgets it, since what was played is no longer played.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from datetime import datetime

from engine.catalog import Msg, T
from engine.kit.words import folded
from pbem.desk import commands
from pbem.desk.commands.word import Does
from pbem.reading.line import read
from pbem.store.table import Ends, Heard

KEPT = 8
"""Decisions of a seat that are remembered."""

_CONTACT = re.compile(r"\S+@\S+\.\w|\bwww\.|https?://|\+?\d[\d ()./-]{6,}\d")
"""An address, a link, a telephone."""

_NAMED = 3
"""Words of a name at most."""

ENDS = 40
"""Blocks that a person's letters end with that are remembered."""


_ONCE = "once "
"""Before the mark of lines that are no signature: they may stand under the answer to the question, and no longer."""


def heard(kept: Sequence[Heard], number: int) -> Heard | None:
    """What a seat has said on a decision; None when it has said nothing."""
    return next((words for words in kept if words.number == number), None)


def is_older(words: Heard, at: datetime | None, record: int) -> bool:
    """Whether a letter is older than these words, or may be: only what is surely newer takes their place.

    `at` is its Date and `record` that of the newest mail it refers to: who answers the receipt writes later.
    """
    if record >= words.record:
        return False
    return at is None or not words.at or at <= datetime.fromisoformat(words.at)


def older() -> Msg:
    """Why an older letter plays nothing."""
    return T(
        "You have answered this in another letter already, and this one is older, or does not tell when it was "
        "written. If you want this one to count, answer this mail with it."
    )


def repeated() -> Msg:
    """What is told of an order that comes again."""
    return T("Already played; nothing was done again. Here is the position now.")


def repeats(words: Heard, lines: Sequence[str], verbs: Collection[str]) -> bool:
    """Whether a letter holds word for word the orders of one that was played on this decision, and no others."""
    marks = [(line, _mark(line)) for line in lines if line.strip()]
    for played in words.played:
        rest = [line for line, mark in marks if mark not in played]
        same = [mark for _, mark in marks if mark in played] == list(played)
        if same and not any(_is_order(line, verbs) for line in rest):
            return True
    return False


def also_said(
    kept: Sequence[Heard], number: int, at: datetime | None, record: int, played: Sequence[str], *, anew: bool
) -> tuple[Heard, ...]:
    """With one more letter. `anew`: it takes the place of what the seat has said on this decision."""
    before = heard(kept, number)
    orders = () if before is None or anew else before.played
    if played:
        orders = (*orders, tuple(_mark(line) for line in played))
    words = Heard(number, at.isoformat() if at else "", record, orders)
    return (*(other for other in kept if other is not before), words)[-KEPT:]


def forgotten(kept: Sequence[Heard], record: int) -> tuple[Heard, ...]:
    """Without what was said from this record on."""
    return tuple(words for words in kept if words.record < record)


def signs(kept: Ends, block: Sequence[str], *, chosen: bool) -> bool:
    """Whether these lines under an order are known: this person's letters end with them, or they were just asked about
    and a choice of that question is `chosen`. A program may put them under the answer, too."""
    mark = _mark("\n".join(block))
    return mark in kept.passed or (chosen and not {mark, f"{_ONCE}{mark}"}.isdisjoint(kept.asked))


def ended(kept: Ends, block: Sequence[str], own: Collection[str], *, asked: bool, passed: bool) -> Ends:
    """With how one more letter ends, the lines under its orders. `asked`: it was asked back for them, and played
    nothing; `passed`: it passes over those that the one before was asked back for. `own` are the writer's names.

    Only what is a signature by its form is kept: it holds a name, an address, a telephone or a link, and no sentence.
    """
    if asked:
        mark = _mark("\n".join(block))
        return Ends(kept.passed, (mark if is_signature(block, own) else f"{_ONCE}{mark}",) if block else ())
    known = (mark for mark in kept.asked if passed and not mark.startswith(_ONCE))
    return Ends(tuple(dict.fromkeys((*kept.passed, *known)))[-ENDS:])


def is_signature(block: Sequence[str], own: Collection[str]) -> bool:
    """Whether lines are how somebody signs: each begins as no sentence does, none ends as one, and one of them is the
    writer's name, or holds an address, a telephone or a link."""
    names = {word for name in own for word in folded(name).split() if len(word) > 1}
    told = False
    for line in map(str.strip, block):
        words = line.split()
        if _CONTACT.search(line):
            told = True
        elif line.endswith((".", "!", "?", "…", ":")) or line[:1].islower():
            return False
        else:
            called = len(words) <= _NAMED and all(word[:1].isupper() for word in words)
            told = told or (called and not names.isdisjoint(map(folded, words)))
    return told


def _mark(line: str) -> str:
    return hashlib.sha256(" ".join(folded(line).split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_order(line: str, verbs: Collection[str]) -> bool:
    one = read(line)
    if one.number is not None:
        return True
    found = commands.command_of(commands.line_of(one))
    # A question beside the orders changes nothing, and the position is told anyway.
    return found[0].does not in (Does.ASK, Does.STOP) if found else folded(one.text.split()[0]) in verbs
