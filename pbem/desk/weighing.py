"""Words for somebody, told by what stands before their colon (`pbem/reading/evidence`); what is to be done when its
writer is asked next; and what a command may do at a table as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.errors import OrderRefused, Unclear
from engine.game import Seat
from engine.kit.words import folded
from pbem.desk import commands
from pbem.desk.commands import hours
from pbem.desk.commands.talk import EVERYBODY, FOR_ME
from pbem.desk.commands.word import Does
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.inbound.speech import relayed
from pbem.reading.evidence import Head, alternatives
from pbem.store.table import Status

_HEAD = re.compile(r"\s*(?P<head>[^:?!]{2,70}?)\s*:\s*(?P<text>\S.*)")
_APART = re.compile(r"\s*(?P<head>[^:?!,]{2,50}?)\s*,\s*(?P<text>\S.*)")
_HEAD_WORDS = 10
_BUT = (
    r"(?:but|except|except for|apart from|not|excluding|besides|other than|sauf|hormis|excepte|pas|a part|autres? que)"
)
HARMLESS = (Does.ASK, Does.TRY)


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
