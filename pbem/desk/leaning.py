"""The commands nearest to a sentence by single words of it, where no reader is certain of any: only ever asked back."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, islice

from pbem.desk import commands
from pbem.desk.commands.word import Command, Does
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.wanted import finder
from pbem.reading.wants import Sentence, leanings, stem

_ENOUGH, _ASKED = 1.05, 0.5
"""How much words must tell of a command, and in a question, for it to be offered."""
_NAMED = 1.1
"""What a command's own word tells."""
_TERM = 0.7
"""What a word of the game tells of help about it, in a question."""
_TELLS = ("others", "perhaps", "over", "denied", "musing", "doubtful")
"""Meanings in a sentence that tells something."""
_LOOKED = 12
"""Wants that are looked at."""


def nearest(
    request: Request, session: Session, sentence: Sentence, people: Collection[str], most: int
) -> list[str]:
    """Up to so many commands, the likest first; none where words tell too little, nor for what is no question and tells
    of `people` (words of their names) or others, of what is denied, over, or may be."""
    asks = sentence.begins_asking
    if not asks and (any(map(sentence.holds, _TELLS)) or not set(people).isdisjoint(sentence.words)):
        return []
    found: dict[str, float] = {}
    told = chain(_wanted(request, session, sentence), _named(sentence), _explained(request, session, sentence))
    for line, weight in told:
        if weight >= (_ASKED if asks else _ENOUGH):
            found[line] = max(found.get(line, 0.0), weight)
    return sorted(found, key=lambda line: -found[line])[:most]


def _wanted(request: Request, session: Session, sentence: Sentence) -> Iterator[tuple[str, float]]:
    """By the table of wants."""
    for row in islice(leanings(sentence), _LOOKED):
        want = row.want
        sets = _does(want.line.replace("{}", "").strip()) not in (Does.ASK, Does.TRY)
        if sets and not want.denies and sentence.denies(row.spent):
            continue
        if sets and (sentence.is_loose(row.spent) or (sentence.holds("over") - row.spent and not want.over)):
            continue
        for text, places in islice(finder(want.takes, request, session)(sentence, row.spent), 2):
            yield want.line.replace("{}", text).strip(), row.weight + 0.3 * bool(places)


def _named(sentence: Sentence) -> Iterator[tuple[str, float]]:
    """By the words of commands themselves, also bent."""
    by_stem = {stem(word): command for command in commands.COMMANDS for word in command.words()}
    for at, word in enumerate(sentence.words):
        command, place = by_stem.get(stem(word)), frozenset({at})
        if command is None or command.needs or command.does is Does.STOP or place <= sentence.idle:
            continue
        if command.does is Does.ASK or not (sentence.denies(place) or sentence.is_loose(place)):
            yield command.word, _NAMED


def _explained(request: Request, session: Session, sentence: Sentence) -> Iterator[tuple[str, float]]:
    """Help about words of the game that a question names."""
    if sentence.begins_asking:
        for word, places in islice(finder("term", request, session)(sentence, frozenset()), 2):
            yield f"help {word}", _TERM + 0.1 * len(places)


def _does(line: str) -> Does | None:
    found: tuple[Command, str] | None = commands.command_of(line)
    return found[0].does if found else None
