"""What the post room remembers beside letters and mails: which letters were taken, which mail a Message-ID names,
how often a seat was answered, and whose answers wait to be sent together.

The first two and the last are told by the games' records, and are filled again from them when the spool was lost. The
counts are not: a spool that was lost begins to count anew, which only lets somebody ask more that day.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pbem.store.database import AnsweredBy, Ledger, text_of, time_of
from pbem.store.record import Record

LATER = "later"
"""In a record: when what its letter is to be told goes out, together with what comes until then."""
TOGETHER = "together"
"""In a record: the seat whose waiting answers it sends."""

Naming = Callable[[str, str, str], str]
"""The name of a mail: from game, seat and intent (`pbem.host.keys.Keys.mail`)."""


@dataclass(frozen=True, slots=True)
class Mailed:
    """The mail that a Message-ID names: of which record, about which decision, and the seat's holder then."""

    game: str
    seat: str
    record: int
    decision: int
    handed: int


class Memory(Ledger):
    """Another part of the spool. Nothing here holds an address, a token or a word that somebody wrote."""

    naming: Naming | None = None
    """Set by the desk; without it (a spool that is only looked into) no mail's name is known."""

    def taken(self, name: str) -> AnsweredBy | None:
        """What has answered a letter of this mark (`Keys.letter`); None when there was none."""
        rows = self.ask("SELECT game, record FROM taken WHERE name = ?", name)
        return AnsweredBy(*rows[0]) if rows else None

    def mailed(self, name: str) -> Mailed | None:
        """The mail of this name; None when we never wrote one."""
        rows = self.ask("SELECT game, seat, record, decision, handed FROM mails WHERE name = ?", name)
        return Mailed(*rows[0]) if rows else None

    def remember(self, db: sqlite3.Connection, game: str, record: Record) -> None:
        """Within a transaction: what a committed record tells. Again is the same."""
        if record.letter and record.letter.name:
            db.execute("INSERT OR IGNORE INTO taken VALUES (?, ?, ?)", (record.letter.name, game, record.number))
        for intent in record.intents if self.naming else ():
            name = self.naming(game, intent.seat, intent.message_id) if self.naming else ""
            row = (name, game, intent.seat, record.number, intent.decision, intent.handed)
            db.execute("INSERT OR REPLACE INTO mails VALUES (?, ?, ?, ?, ?, ?)", row)
        if due := record.also.get(LATER):
            db.execute("INSERT OR IGNORE INTO later VALUES (?, ?, ?)", (game, record.seat, str(due)))
        if seat := record.also.get(TOGETHER):
            db.execute("DELETE FROM later WHERE game = ? AND seat = ?", (game, str(seat)))

    def forget_after(self, db: sqlite3.Connection, game: str, record: int) -> None:
        """Within a transaction: the records after this one are gone, and their letters are to be taken again."""
        for table in ("taken", "mails"):
            db.execute(f"DELETE FROM {table} WHERE game = ? AND record > ?", (game, record))

    def spend(self, purse: str, letter: str, at: datetime, count: int = 1, says: str = "") -> None:
        """Count a letter against a purse, once however often it is tried. `says` marks what it was answered.

        On the disk with the answer, at the latest.
        """
        with self.change(survives="a kill") as db:
            row = (purse, letter, text_of(at), count, says)
            db.execute("INSERT OR REPLACE INTO spent VALUES (?, ?, ?, ?, ?)", row)

    def spent(self, purse: str, since: datetime, until: datetime, says: str | None = None) -> int:
        """How much was counted against a purse in a time; a clock that was ahead for a while does not count."""
        query = """SELECT coalesce(sum(count), 0) FROM spent WHERE purse = ?1 AND at BETWEEN ?2 AND ?3
            AND (?4 IS NULL OR says = ?4)"""
        return int(self.ask(query, purse, text_of(since), text_of(until), says)[0][0])

    def last_spent(self, purse: str, since: datetime, until: datetime, but: str) -> datetime | None:
        """When something was counted last against a purse in a time, by another letter than this one."""
        query = "SELECT max(at) FROM spent WHERE purse = ? AND at BETWEEN ? AND ? AND letter <> ?"
        at = self.ask(query, purse, text_of(since), text_of(until), but)[0][0]
        return time_of(at) if at else None

    def empty(self, purse: str) -> None:
        """Nothing is counted against a purse any more."""
        with self.change(survives="a kill") as db:
            db.execute("DELETE FROM spent WHERE purse = ?", (purse,))

    def forget_spent(self, before: datetime) -> None:
        """Drop counts from before then."""
        with self.change() as db:
            db.execute("DELETE FROM spent WHERE at < ?", (text_of(before),))

    def later(self, game: str, seat: str) -> datetime | None:
        """When the waiting answers of a seat go out; None when none wait."""
        rows = self.ask("SELECT due FROM later WHERE game = ? AND seat = ?", game, seat)
        return time_of(rows[0][0]) if rows else None

    def due_later(self, now: datetime) -> list[tuple[str, str]]:
        """Games and seats whose waiting answers are due."""
        rows = self.ask("SELECT game, seat FROM later WHERE due <= ? ORDER BY due, game, seat", text_of(now))
        return [(str(game), str(seat)) for game, seat in rows]

    def drop_later(self, game: str, seat: str) -> None:
        """Nothing waits for this seat any more."""
        with self.change() as db:
            db.execute("DELETE FROM later WHERE game = ? AND seat = ?", (game, seat))
