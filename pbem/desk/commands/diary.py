"""Show the notes that players keep: only their author reads them before the game is over, then the whole table.

A record keeps a note as talk to its author (`author_id`), who is no seat, so that it is mailed to nobody and does not
pass on with the seat.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.catalog import Msg, T
from engine.game import Seat
from engine.reference import CardText
from pbem.clocks.dates import local_day
from pbem.desk.core.context import Context
from pbem.store.commit_record import Record
from pbem.store.game_table import Status
from pbem.store.private_text import author_id

SHOWN = 12
"""Notes of one person in the final mail, the newest; `notes` shows all."""


def asks_for_diary(context: Context, seat: Seat) -> tuple[CardText, ...]:
    """All notes that the holder of a seat may read. The past is read only if there are private texts at all."""
    table, words = context.stored.table, context.words
    own = author_id(seat, table.seat(seat).generation)
    readable = "" if table.status is Status.ENDED else own
    if words is not None and not words.told(table.game, readable):
        return ()
    return diaries(context, seat, context.past(0))


def diaries(context: Context, seat: Seat, past: Iterable[Record], most: int = 0) -> tuple[CardText, ...]:
    """The notes of these records that the holder of a seat may read, at most `most` of each author (0: all)."""
    table, zone = context.stored.table, context.zone(seat)
    own = author_id(seat, table.seat(seat).generation)
    found: dict[str, list[Msg]] = {}
    for record in past:
        for author, text in notes_of(record):
            if author == own or table.status is Status.ENDED:
                found.setdefault(author, []).append(T("{day}: «{text}»", day=local_day(record.at, zone), text=text))
    return tuple(_block(context, author, lines, most) for author, lines in found.items())


def notes_of(record: Record) -> tuple[tuple[str, str], ...]:
    """(author, text) of each note of a record."""
    tells = record.private.get("tells", ())
    return tuple((str(one["to"]), str(one["text"])) for one in tells if "." in one["to"])


def _block(context: Context, author: str, lines: list[Msg], most: int) -> CardText:
    row = context.stored.table.seat(author.partition(".")[0])
    title = T("Notes of {name}", name=row.name)
    if author != author_id(row.seat, row.generation):
        title = T("Notes of who sat there before {name}", name=row.name)
    if most and len(lines) > most:
        left = T(
            "{n} earlier note; «notes» shows all.", "{n} earlier notes; «notes» shows all.", n=len(lines) - most
        )
        lines = [left, *lines[-most:]]
    return CardText(title, tuple(lines))
