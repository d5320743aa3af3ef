"""What a sentence may mean by what its words weigh (`pbem/reading/evidence`): commands with what stands behind them,
and words for somebody, told by what stands before their colon.

Nothing that only weighs is carried out; it is asked back as a choice, and a question is answered that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from engine.errors import OrderRefused
from engine.game import Seat
from engine.kit.words import folded
from pbem.desk import commands
from pbem.desk.commands.talk import EVERYBODY, FOR_ME
from pbem.desk.commands.word import Does
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.wanted import finder
from pbem.inbound.speech import relayed
from pbem.reading.evidence import ENOUGH, Head, Weighed, alternatives, weighed
from pbem.reading.wants import Sentence

_HEAD = re.compile(r"\s*(?P<head>[^:?!]{2,70}?)\s*:\s*(?P<text>\S.*)")
_APART = re.compile(r"\s*(?P<head>[^:?!,]{2,50}?)\s*,\s*(?P<text>\S.*)")
_HEAD_WORDS = 10
_ARGUMENT = 1.0
"""What it weighs that what a command needs is told."""
_OTHER = 1.0
"""What it weighs against a wish that somebody else is told of, or what is over; twice that, that it may only tell."""
_DENIED = 2.5
"""What it weighs against a wish that all of it is denied, over or behind a condition."""
_IF = ("if", "si")
_DOUBTS = ("denied", "over", "perhaps", "musing", "others", "thanked")
_HARMLESS = (Does.ASK, Does.TRY)
_FURTHER = {"name": 1.0, "about": 1.0, "like_order": 0.4}
"""How much less each further argument weighs: the first name in a question is mostly what it is about."""


class Weight(NamedTuple):
    """A command that a sentence may mean, and what it weighs."""

    weight: float
    line: str
    plain: bool = False
    """Whether words say it by themselves, and the sentence says nothing else."""


def likely(request: Request, session: Session, sentence: Sentence) -> list[Weight]:
    """Commands that enough speaks for, the likeliest first."""
    found: dict[str, Weight] = {}
    apart = _of_others(request, sentence)
    asked = (one for one in weighed(sentence) if does(one.line) in _HARMLESS)
    wished = (one for one in weighed(sentence, apart) if does(one.line) not in _HARMLESS)
    for one in (*asked, *wished):
        weight = one.weight + _ARGUMENT * bool(one.takes)
        weight -= _OTHER * sentence.muses if does(one.line) in _HARMLESS else _against(sentence, one)
        if weight < ENOUGH:
            continue
        for text, places in finder(one.takes, request, session)(sentence, one.places):
            line = one.line.replace("{}", text).strip()
            if weight >= max(ENOUGH, found[line].weight if line in found else 0.0):
                found[line] = Weight(weight, line, one.alone and _is_plain(sentence, one.places | places))
            weight -= _FURTHER.get(one.takes, 0.1)
    return sorted(found.values(), key=lambda one: -one.weight)


def _is_plain(sentence: Sentence, spent: frozenset[int]) -> bool:
    """Whether a sentence holds nothing beside some words that denies or doubts them, or tells of anything else."""
    doubts = frozenset().union(*map(sentence.holds, _DOUBTS))
    whole = spent | sentence.idle >= frozenset(range(len(sentence.words)))
    return whole and not (doubts - spent or "?" in sentence.raw or sentence.is_doubtful)


def _against(sentence: Sentence, one: Weighed) -> float:
    """What speaks against a wish: that it may only tell, is denied or over where it is told, or stands behind «if»."""
    said = {sentence.parts[at] for at in one.places}
    past = {sentence.parts[at] for at in sentence.holds("over") - one.places}
    denied = {sentence.parts[at] for at in sentence.holds("denied") - one.places}
    # What a standing order waits for is no doubt.
    perhaps = sentence.words[0] in _IF and one.takes != "standing" and not sentence.holds("request")
    return 2 * _OTHER * sentence.is_doubtful + _DENIED * ((said <= past) + (said <= denied) + perhaps)


def _of_others(request: Request, sentence: Sentence) -> frozenset[int]:
    """The places of all words in parts of a sentence that tell of somebody else, or only thank for something."""
    people = {part for name in request.names.values() for part in folded(name).split()}
    others, parts = sentence.holds("others") | sentence.holds("thanked"), set[int]()
    seen = set[int]()
    for at, part in enumerate(sentence.parts):
        if part not in seen and (at not in sentence.idle or at in others):
            seen.add(part)
            if at in others or sentence.words[at] in people:
                parts.add(part)
    return frozenset(at for at, part in enumerate(sentence.parts) if part in parts)


def addressed(request: Request, raw: str) -> Iterator[str]:
    """Words that are for all, for some or for their writer alone, by what stands before them; as commands."""
    for split in (_HEAD, _APART):
        found = split.match(raw)
        if found is None or len(found["head"].split()) > _HEAD_WORDS:
            continue
        head, text = Head.of(found["head"]), relayed(found["text"], 0)
        seats = [seat for seat in request.names if _is_named(request, seat, head.words)]
        if head.says("but") or not text:
            return
        if seats and head.says("one" if split is _HEAD else "apart"):
            everybody = {*seats, request.seat} == {*request.names}
            # Of several no command tells some alone; to all of them it may be said to all.
            yield from (f"say {EVERYBODY}: {text}",) * (len(seats) > 1 and everybody)
            yield from (f"tell {seat}: {text}" for seat in seats if seat != request.seat)
        elif not seats and split is _HEAD:
            if head.says("me"):
                note = f"note {text}"
                yield note if commands.command_of(note) else f"note {FOR_ME} {text}"
            if head.says("all"):
                yield f"say {EVERYBODY}: {text}"
        return


def sets_by_head(heavy: Iterable[Weight], raw: str) -> Iterator[str]:
    """Settings that a sentence may mean of which the words before its colon tell by themselves: «New address: …»."""
    head = Sentence(raw.partition(":")[0])
    told = {one.line.split()[0] for one in weighed(head) if one.alone and does(one.line) is Does.SET}
    yield from (one.line for one in heavy if one.line.split()[0] in told)


def foretold(session: Session, raw: str) -> str:
    """What is to be done when its writer is asked next, one thing or else another, as an order; empty for none."""
    for split in (_HEAD, _APART):
        if (found := split.match(raw)) and Head.of(found["head"]).says("later"):
            ways = alternatives(found["text"])
            with suppress(OrderRefused):
                order = session.understand(f"later: {' | '.join(ways)}")
                return order.text if order.anytime else ""
    return ""


def _is_named(request: Request, seat: Seat, words: str) -> bool:
    said = words.split()
    return any(form in said for form in (folded(seat), folded(request.names[seat]).split()[0]))


def does(line: str) -> Does | None:
    """What a command does; None for an order of the game."""
    found = commands.command_of(line)
    return found[0].does if found else None
