"""Further lines to learn from which order a line means, made of those of the sheets: two orders in one line, which mean
neither; and lines of one position read at another.

What is picked of each follows from its letters, so that the same lines are made each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zlib import crc32

from engine.kit.certainty import Case
from engine.kit.nearness import playable
from engine.troyes import game as troyes
from engine.troyes.notation import certain
from engine.troyes.phases import conduct
from engine.troyes.repairs import Alike
from engine.troyes_dice.notation import case as likely
from engine.troyes_dice.notation import gist as half_day
from engine.troyes_dice.phases import conduct as course
from pbem.reading import directive
from pbem.reading.bars import bars
from pbem.reading.intents import marked
from pbem.reading.line import read
from pbem.reading.wants import Sentence
from tests.dice import test_wordings as wordings
from tests.learn_wishes import PEOPLE, names_known
from tests.understood.mailed import alike

_EVERY = 4
"""Of how many lines one is made into another."""
_JOINS = (". ", ", then ", " and ", " puis ", " et ", ", ")


@dataclass(frozen=True)
class Written:
    """A line as a game is asked what it means: what is `meant` by it (nothing for a trap) and whether it is a `trap`.

    `how` is where it is from: refused by the grammar, read by it, or made here; `at` the position.
    """

    sheet: str
    at: str
    language: str
    how: str
    state: Any
    seat: str
    line: str
    meant: tuple[str, ...]
    trap: bool
    says: Mapping[str, float]
    """How surely it is a directive, and what bars it."""


def joined(lines: Sequence[Written]) -> Iterator[Written]:
    """Each line with another one of its position behind it: two orders, of which neither is meant alone."""
    for one in filter(_is_picked, lines):
        others = [two for two in lines if _is_other(one, two)]
        if others:
            number = _number(one.line)
            behind = others[number % len(others)].line
            text = one.line.rstrip(".! ") + _JOINS[number // 7 % len(_JOINS)] + behind
            yield replace(one, how="joined", line=text, meant=())


def _is_picked(one: Written) -> bool:
    return _number(one.line) % _EVERY == 0


def _is_other(one: Written, two: Written) -> bool:
    return (one.sheet, one.at, one.language) == (two.sheet, two.at, two.language) and alike(one.meant) != alike(two.meant)


def elsewhere(lines: Sequence[Written]) -> Iterator[Written]:
    """Each line at another position, where what it names may not be."""
    for one in filter(_is_picked, lines):
        there = lines[_number(one.line) % len(lines)]
        if there.at != one.at and one.meant != ("pass",):
            yield replace(one, how="elsewhere", state=there.state, seat=there.seat)


def _number(text: str) -> int:
    return crc32(text.encode())


def half_days() -> Iterator[Written]:
    """The lines of `dice-*.toml` that nothing bars; one of which it is to be asked which of several is meant is a trap."""
    for sheet in (*wordings.SHEETS, "afterwards", *wordings.TRAPS):
        for position, rows in wordings.lines(sheet).items():
            state = wordings.GAME.moderation.redacted(wordings.position(position), wordings.ANNA)
            for written, said in (dict.fromkeys(rows["plays_nothing"], "") if sheet in wordings.TRAPS else rows).items():
                meant = tuple(said) if isinstance(said, list) else (said,) * bool(said)
                meant = meant if len(meant) == 1 else ()
                if not bars(written, wordings.NAMES):
                    text = read(written, wordings.NAMES).text
                    says = {"directive": surely(written)}
                    yield Written(f"dice-{sheet}", position, "", "sheet", state, wordings.ANNA, text, meant, not meant, says)


def surely(written: str) -> float:
    """How surely a line that nothing bars is a directive."""
    sentence = Sentence.of(written)
    return directive.directive(marked(sentence, PEOPLE, *names_known()), sentence.raw, ())


def held(kind: str, one: Written) -> Case | None:
    """The orders that a game of a kind holds against a line."""
    state, seat, line = one.state, one.seat, one.line
    if kind == "troyes":
        like = Alike(state, seat, line, conduct.apply)
        return certain.case(state, seat, line, one.says, partial(troyes.after, state, seat), like)
    parts = half_day.heard(state, seat, line)
    plays = partial(playable, course.apply, state, seat)
    return likely.case(state, seat, parts, one.says, plays) if parts is not None else None
