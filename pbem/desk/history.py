"""What a reader is told of a game's past: the records since, as sentences, without what was taken back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.catalog import T
from engine.game import AnyGame, Line, Seat
from pbem.desk import corrections
from pbem.desk.context import Context
from pbem.desk.undo import DEED, UNDO, surviving
from pbem.outbound.mail import Message, Spoken
from pbem.store.record import Record

PAST = 200
"""Records that `history` looks through at most."""


def news(context: Context, message: Message) -> tuple[Line, ...]:
    """What a mail tells its reader: everything since the last one, but for what it answers itself."""
    records: Iterable[Record] = context.past(message.heard)
    number = context.stored.table.records
    if message.own:
        records = [_after(record, message) if record.number == number else record for record in records]
    return told(context.game, context.state, context.names(), records, message.seat, message.told)


def spoken(context: Context, message: Message, upto: int) -> tuple[Spoken, ...]:
    """What was said to a seat since its last mail, up to a record, and was not mailed at once."""
    found: list[Spoken] = []
    for record in context.past(message.heard) if message.waited else ():
        if record.number <= upto and record.seat != message.seat:
            who = context.names().get(Seat(record.seat), record.seat)
            found += (Spoken(who, text) for text in record.also.get("says", ()))
            tells = record.private.get("tells", ())
            found += (Spoken(who, one["text"], True) for one in tells if one["to"] == message.seat)
    return tuple(found)


def _after(record: Record, message: Message) -> Record:
    """The message's own record with what `said` does not tell."""
    entries = record.entries[message.since - record.first + 1 :] if message.since and record.entries else ()
    again = {UNDO, DEED} if corrections.is_answered(record.also.get(DEED, {})) else {UNDO}
    also = {name: part for name, part in record.also.items() if name not in again}
    return replace(record, first=message.since + 1, entries=entries, also=also)


def told(
    game: AnyGame, state: Any, names: dict[Seat, str], records: Iterable[Record], seat: Seat | None, before: int
) -> tuple[Line, ...]:
    """What these records hold, as sentences for one reader, who was told the entries up to number `before`.

    Orders that were taken back before the reader heard of them are not told; of those the reader has heard of, it
    is told that they were taken back.
    """
    lines: list[Line] = []
    for piece in surviving(records):
        if piece.deed:
            lines.append(Line(corrections.says(piece.deed, piece.note, own=piece.by == seat), mine=True))
        elif piece.number and piece.seat:
            if piece.restored < before and piece.seat != seat:
                name = names.get(Seat(piece.seat), piece.seat)
                says = T("{name} took back the last orders; they are as if never given.", name=name)
                lines.append(Line(says, mine=True, seat=piece.seat))
        elif piece.entries:
            lines.extend(game.tell(state, piece.entries, seat, piece.first))
    return tuple(lines)


def history(context: Context, seat: Seat | None, wanted: int) -> tuple[Line, ...]:
    """The last `wanted` lines of the game as a seat may see them. Reads from the end, a bounded number of records."""
    if context.state is None:
        return ()
    last = context.stored.table.records
    look = 16
    while True:
        after = max(0, last - look)
        lines = told(context.game, context.state, context.names(), context.past(after), seat, 0)
        if len(lines) >= wanted or after == 0 or look >= PAST:
            return lines[-wanted:] if wanted else ()
        look *= 2
