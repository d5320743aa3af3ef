"""Further lines to learn from which order a line means, made of those of the sheets: with a small word more, less, or
turned into one that nobody knows, with its parts turned round; two orders in one line, which mean neither; and lines of
one position read at another.

What is picked of each follows from its letters, so that the same lines are made each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zlib import crc32

from engine.kit.certainty import Case
from engine.kit.nearness import playable
from engine.troyes import game as troyes
from engine.troyes.notation import certain
from engine.troyes.notation.covering import tells
from engine.troyes.notation.lexicon import spread
from engine.troyes.phases import conduct
from engine.troyes.repairs import Alike
from engine.troyes_dice.notation import case as likely
from engine.troyes_dice.notation import gist as half_day
from engine.troyes_dice.phases import conduct as course
from pbem.reading.bars import bars
from pbem.reading.line import read
from tests.dice import test_wordings as wordings
from tests.understood.mailed import alike

_WORD = re.compile(r"[^\W\d_]{3,}")
_LEAD = re.compile(r", | with | avec ")
_MORE = ["own", "please", "just", "my", "for", "me", "here", "it", "them", "this", "time", "so", "right", "now", "good", "little", "dear", "use", "in", "on", "with", "of", "ok", "done", "hop", "ici", "donc", "moi", "pour", "bon", "alors", "le", "ce", "ma", "thing", "put"]
"""Words that change no order."""
_UNKNOWN = ("zorpel", "zorpels")
_JOINS = (". ", ", then ", " and ", " puis ", " et ", ", ")
_CHANGED = 4
"""Words of a line that are left out or made unknown."""


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


def changed(one: Written) -> Iterator[Written]:
    """A line with some words changed; its meaning stays."""
    texts = list(_fewer(one)) + list(_longer(one.line)) + ([] if one.trap else list(_turned(one.line)))
    yield from (replace(one, how="changed", line=text) for text in texts)


def _fewer(one: Written) -> Iterator[str]:
    """Without a small word, or with one that nobody knows in its place."""
    small = [found for found in _WORD.finditer(one.line) if _is_small(one.state, found[0])]
    for found in sorted(small, key=lambda found: _number(f"{one.line}{found.start()}"))[:_CHANGED]:
        number = _number(f"{one.line}{found.start()}")
        before, behind = one.line[: found.start()], one.line[found.end() :]
        if number % 2:
            yield before + _UNKNOWN[number % 3 == 0] + behind
        elif behind:
            yield before + behind.lstrip()


def _longer(line: str) -> Iterator[str]:
    """With a small word more."""
    words, number = line.split(" "), _number(line)
    for nth in range(2):
        at = (number >> 4 * nth) % len(words)
        yield " ".join([*words[:at], _MORE[(number >> 5 + 6 * nth) % len(_MORE)], *words[at:]])


def _turned(line: str) -> Iterator[str]:
    """With what stands behind the comma, or behind «with», first."""
    parts = _LEAD.split(line)
    if len(parts) == 2:
        led = line[len(parts[0]) : len(line) - len(parts[1])].strip(" ,")
        yield f"{led} {parts[1]} {parts[0]}" if led else f"{parts[1]}, {parts[0]}"


def joined(lines: Sequence[Written]) -> Iterator[Written]:
    """Each line with another one of its position behind it: two orders, of which neither is meant alone."""
    for one in lines:
        others = [two for two in lines if _is_other(one, two)]
        if others:
            number = _number(one.line)
            behind = others[number % len(others)].line
            text = one.line.rstrip(".! ") + _JOINS[number // 7 % len(_JOINS)] + behind
            yield replace(one, how="joined", line=text, meant=())


def _is_other(one: Written, two: Written) -> bool:
    return (one.sheet, one.at, one.language) == (two.sheet, two.at, two.language) and alike(one.meant) != alike(two.meant)


def elsewhere(lines: Sequence[Written]) -> Iterator[Written]:
    """Each line at another position, where what it names may not be."""
    for one in lines:
        there = lines[_number(one.line) % len(lines)]
        if there.at != one.at and one.meant != ("pass",):
            yield replace(one, how="elsewhere", state=there.state, seat=there.seat)


def _is_small(state: Any, word: str) -> bool:
    """Whether a word of the order language says nothing by itself."""
    senses = [token for _, token in spread(state, word)]
    return len(senses) == 1 and senses[0] is not None and not tells(senses[0])


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
                    yield Written(f"dice-{sheet}", position, "", "sheet", state, wordings.ANNA, text, meant, not meant)


def held(kind: str, state: Any, seat: str, line: str) -> Case | None:
    """The orders that a game of a kind holds against a line."""
    if kind == "troyes":
        like = Alike(state, seat, line, conduct.apply)
        return certain.case(state, seat, line, partial(troyes.after, state, seat), like)
    parts = half_day.heard(state, seat, line)
    plays = partial(playable, course.apply, state, seat)
    return likely.case(state, seat, parts, plays) if parts is not None else None
