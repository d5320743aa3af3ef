"""What a sentence may mean by all its words (`pbem/reading/intents`): commands with what stands behind them; and words
for somebody, told by what stands before their colon (`pbem/reading/evidence`).

Nothing that is only likely is carried out; it is asked back as a choice, and a question is answered that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.errors import OrderRefused, Unclear
from engine.game import Seat
from engine.kit.words import folded
from pbem.desk import commands
from pbem.desk.commands import hours
from pbem.desk.commands.talk import EVERYBODY, FOR_ME
from pbem.desk.commands.word import Does
from pbem.desk.moments import towns
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.wanted import finder
from pbem.inbound.speech import relayed
from pbem.reading.evidence import Head, alternatives
from pbem.reading.intents import ORDER, TALK, likeliest, marked, names_in, speaking
from pbem.reading.wants import Sentence
from pbem.store.table import Status

_HEAD = re.compile(r"\s*(?P<head>[^:?!]{2,70}?)\s*:\s*(?P<text>\S.*)")
_APART = re.compile(r"\s*(?P<head>[^:?!,]{2,50}?)\s*,\s*(?P<text>\S.*)")
_HEAD_WORDS = 10
_BY_HEAD = 0.2
"""How likely a setting must be by the words before a colon alone."""
_BUT = (
    r"(?:but|except|except for|apart from|not|excluding|besides|other than|sauf|hormis|excepte|pas|a part|autres? que)"
)
LEAST, _AMONG, _HARDLY = 0.03, 0.1, 0.01
"""How likely a command must be to be a choice: of all, or among the commands, and then hardly of all."""
HARMLESS = (Does.ASK, Does.TRY)
_CHANGES = 0.15
"""What part of the likeliest a command must be that changes something."""
TALKS = 0.9
"""How likely talk must be for a sentence that asks nothing to be let alone."""
_TAKES = {
    "help {}": "name", "options {}": "about", "history {}": "count", "try {}": "like_order", "ruling {}": "ruling",
    "away {}": "dates", "quiet {}": "hours", "remind {}": "span", "mail daily {}": "hour", "language {}": "language",
    "zone {}": "zone", "address {}": "address", "cancel {}": "kept", "{}": "standing",
}  # fmt: skip
"""What is found in a sentence for `{}`; words for somebody are found by what stands before them (`addressed`)."""
_BARE = {"help {}", "options {}", "history {}", "mail daily {}", "cancel {}"}
"""What also stands alone."""
_EXACT = {"away", "quiet", "remind", "zone", "address", "language", "cancel"}
"""What says the most of a command by its argument: dates, hours, an address."""
_BESIDE_TALK = 0.3
"""What part of how likely talk is a command must be."""
_FURTHER, _WITHOUT = 0.6, 0.25
"""How likely each further argument is beside the one before, and none at all."""


class Weight(NamedTuple):
    """A command that a sentence may mean, and how likely it is, of one."""

    share: float
    line: str


class Guessed(NamedTuple):
    """What a sentence may mean by its words: commands, the likeliest first, and how likely an order or talk is."""

    lines: list[Weight]
    order: float
    talk: float


def heard(request: Request, session: Session, sentence: Sentence) -> Guessed:
    """All commands that are likely enough."""
    words = marked_words(request, sentence)
    found, other = dict[str, float](), {ORDER: 0.0, TALK: 0.0}
    shares = likeliest(words, sentence.raw)
    other.update((one.intent, one.share) for one in shares if one.intent in other)
    # What is hardly an order or talk is one of the commands, however unlikely each is.
    least = max(_HARDLY, min(LEAST, _AMONG * (1 - sum(other.values()))))
    for intent, share in shares:
        if intent not in other and share >= least and (intent in _TAKES or "{}" not in intent):
            for line, part in _told(request, session, sentence, intent, speaking(words, intent)):
                found[line] = max(found.get(line, 0.0), share * part)
    most, asks = max(found.values(), default=0.0), sentence.begins_asking or "?" in sentence.raw
    kept = {line: max(_HARDLY, _least(line, most, other[TALK], asks=asks)) for line in found}
    lines = [Weight(share, line) for line, share in found.items() if share >= kept[line]]
    lines.sort(key=lambda one: -one.share)
    return Guessed(lines, other[ORDER], other[TALK])


def _least(line: str, most: float, talk: float, *, asks: bool) -> float:
    """How likely a command must be beside the likeliest and beside `talk`; `asks`: the sentence is a question.

    Nobody is asked by the way whether he leaves the table, nor on a friendly word whether the clocks are to stop.
    """
    if does(line) in HARMLESS:
        return 0.0 if asks else _BESIDE_TALK * talk
    return max(_CHANGES * most, 0.0 if line.partition(" ")[0] in _EXACT else _BESIDE_TALK * talk)


def _told(
    request: Request, session: Session, sentence: Sentence, intent: str, spent: frozenset[int]
) -> Iterator[tuple[str, float]]:
    """The commands of an intent with what the sentence tells for them, each with its part of how likely that is."""
    if intent not in _TAKES:
        yield intent, 1.0
        return
    reference, part = request.game.reference, 1.0
    own = {*map(folded, reference.verbs()), *reference.words()}
    # What the game itself knows is what the sentence is about.
    spent = frozenset(at for at in spent if sentence.words[at] not in own)
    for text, _ in finder(_TAKES[intent], request, session)(sentence, spent):
        yield intent.replace("{}", text).strip(), part
        part *= _FURTHER
    if intent in _BARE:
        yield intent.replace("{}", "").strip(), min(part, _WITHOUT)


def marked_words(request: Request, sentence: Sentence) -> list[str]:
    """The words of a sentence, those marked that stand for people, names of the game, dice, numbers, times, towns."""
    people = {part for name in request.names.values() for part in folded(name).split()}
    known = request.game.reference
    return marked(sentence, people, _names(known.words(), known.verbs()), towns())


@lru_cache(maxsize=8)
def _names(words: tuple[str, ...], verbs: frozenset[str]) -> frozenset[str]:
    return names_in(words, {*map(folded, verbs)} | commands.words())


def addressed(request: Request, raw: str) -> Iterator[str]:
    """Words that are for all, for some or for their writer alone, by what stands before them; as commands."""
    for split in (_HEAD, _APART):
        found = split.match(raw)
        if found is None or len(found["head"].split()) > _HEAD_WORDS:
            continue
        head, text = Head.of(found["head"]), relayed(found["text"], 0)
        seats = [seat for seat in request.names if _is_named(request, seat, head.words)]
        if not text or _leaves_out(head, (form for seat in seats for form in _forms(request, seat))):
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


def sets_by_head(request: Request, lines: Iterable[str], raw: str) -> Iterator[str]:
    """Settings that a sentence may mean of which the words before its colon tell by themselves: «New address: …»."""
    head = Sentence.of(raw.partition(":")[0])
    told = {one.intent.split()[0] for one in likeliest(marked_words(request, head), head.raw) if one.share >= _BY_HEAD}
    yield from (line for line in lines if line.split()[0] in told and does(line) is Does.SET)


def foretold(session: Session, raw: str) -> tuple[str, ...]:
    """What is to be done when its writer is asked next, one thing or else another, as an order; several where it is not
    clear, none where it is none."""
    for split in (_HEAD, _APART):
        if (found := split.match(raw)) and Head.of(found["head"]).says("later"):
            ways = alternatives(found["text"])
            try:
                order = session.understand(f"later: {' | '.join(ways)}")
            except Unclear as unclear:
                return unclear.orders
            except OrderRefused:
                continue
            return (order.text,) if order.anytime else ()
    return ()


def _forms(request: Request, seat: Seat) -> tuple[str, ...]:
    """How a seat is called."""
    return folded(seat), folded(request.names[seat]).split()[0]


def _is_named(request: Request, seat: Seat, words: str) -> bool:
    return not {*words.split()}.isdisjoint(_forms(request, seat))


def _leaves_out(head: Head, forms: Iterable[str]) -> bool:
    """Whether words are for all but somebody, by name or not: «all but Faye», «tous sauf un»."""
    names = "|".join(map(re.escape, forms))
    if not names:
        return head.says("but")
    return re.search(rf"\b{_BUT}\s+(?:(?:a|to|for|pour|de|the|la|le)\s+)*(?:{names})\b", head.words) is not None


def can_be(request: Request, line: str) -> bool:
    """Whether a command may do something at this table as it is; what cannot be is offered to nobody. (A hint may: the
    answer tells where there is none.)"""
    if (found := commands.command_of(line)) is None:
        return True
    (command, argument), status = found, request.table.status
    if status is Status.ENDED:
        changes = command.does in (Does.SET, Does.UNDO, Does.BACK)
        return not changes or command.word in hours.OWN or command.word == "again"
    return command.word != "vote" or command.meant(argument) != "resume" or status is Status.HELD


def does(line: str) -> Does | None:
    """What a command does; None for an order of the game."""
    found = commands.command_of(line)
    return found[0].does if found else None
