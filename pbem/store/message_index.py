"""What the spool knows of mails and letters by name: which record answered a letter, and which mail a Message-ID names.

Besides, it counts what each person has asked for, and knows which seats' answers wait to be sent together. The
records tell all but the counts, so a lost spool is filled from them; lost counts only let somebody ask more that day.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pbem.store.commit_record import Record
from pbem.store.database import AnsweredBy, SqliteFile, parse_time, sortable_time

ANSWER_DUE = "later"
"""The key in a record of when the answer to its letter goes out, with what comes until then."""
SENT_TOGETHER = "together"
"""The key in a record of the seat whose waiting answers it sends."""

MailNaming = Callable[[str, str, str], str]
"""Makes the name of a mail from game, seat and intent (`pbem.host.keys.Keys.mail`)."""


@dataclass(frozen=True, slots=True)
class IndexedMail:
    """The mail that a Message-ID names: its seat and record, its decision, and how often the seat had changed hands."""

    game: str
    seat: str
    record: int
    decision: int
    handed: int


class MessageIndex(SqliteFile):
    """The names of letters and mails. It holds no address, no token and nothing that somebody wrote."""

    naming: MailNaming | None = None
    """Set by the desk; a spool that is only looked into has none, and knows no mail by name."""

    def taken(self, name: str) -> AnsweredBy | None:
        """The record that answered a letter of this name (`Keys.letter`); None when there was none."""
        rows = self.ask("SELECT game, record FROM taken WHERE name = ?", name)
        return AnsweredBy(*rows[0]) if rows else None

    def mailed(self, name: str) -> IndexedMail | None:
        """The mail of this name; None when we wrote none."""
        rows = self.ask("SELECT game, seat, record, decision, handed FROM mails WHERE name = ?", name)
        return IndexedMail(*rows[0]) if rows else None

    def remember(self, db: sqlite3.Connection, game: str, record: Record) -> None:
        """Within a transaction: index a committed record. Doing it again changes nothing."""
        if record.letter and record.letter.name:
            db.execute("INSERT OR IGNORE INTO taken VALUES (?, ?, ?)", (record.letter.name, game, record.number))
        if naming := self.naming:
            for one in record.intents:
                name = naming(game, one.seat, one.message_id)
                row = (name, game, one.seat, record.number, one.decision, one.handed)
                db.execute("INSERT OR REPLACE INTO mails VALUES (?, ?, ?, ?, ?, ?)", row)
        if due := record.also.get(ANSWER_DUE):
            db.execute("INSERT OR IGNORE INTO later VALUES (?, ?, ?)", (game, record.seat, str(due)))
        if seat := record.also.get(SENT_TOGETHER):
            db.execute("DELETE FROM later WHERE game = ? AND seat = ?", (game, str(seat)))

    def forget_after(self, db: sqlite3.Connection, game: str, record: int) -> None:
        """Within a transaction: forget the records after this one, whose letters may come again."""
        for table in ("taken", "mails"):
            db.execute(f"DELETE FROM {table} WHERE game = ? AND record > ?", (game, record))

    def spend(self, purse: str, letter: str, at: datetime, count: int = 1, says: str = "") -> None:
        """Count a letter against a purse, once for all attempts. `says` marks the answer.

        It is on the disk with the answer, at the latest.
        """
        row = (purse, letter, sortable_time(at), count, says)
        self.do("INSERT OR REPLACE INTO spent VALUES (?, ?, ?, ?, ?)", *row, survives="a kill")

    def spent(self, purse: str, since: datetime, until: datetime, says: str | None = None) -> int:
        """How much was counted against a purse in a time. `until` leaves out what a clock that was ahead counted."""
        query = """SELECT coalesce(sum(count), 0) FROM spent WHERE purse = ?1 AND at BETWEEN ?2 AND ?3
            AND (?4 IS NULL OR says = ?4)"""
        return int(self.ask(query, purse, sortable_time(since), sortable_time(until), says)[0][0])

    def last_spent(self, purse: str, since: datetime, until: datetime, but: str) -> datetime | None:
        """When a letter other than `but` was last counted against a purse in a time."""
        query = "SELECT max(at) FROM spent WHERE purse = ? AND at BETWEEN ? AND ? AND letter <> ?"
        at = self.ask(query, purse, sortable_time(since), sortable_time(until), but)[0][0]
        return parse_time(at) if at else None

    def empty(self, purse: str) -> None:
        """Drop all counts against a purse."""
        self.do("DELETE FROM spent WHERE purse = ?", purse, survives="a kill")

    def forget_spent(self, before: datetime) -> None:
        """Drop the counts of before then."""
        self.do("DELETE FROM spent WHERE at < ?", sortable_time(before))

    def later(self, game: str, seat: str) -> datetime | None:
        """When the waiting answers of a seat go out; None when none wait."""
        rows = self.ask("SELECT due FROM later WHERE game = ? AND seat = ?", game, seat)
        return parse_time(rows[0][0]) if rows else None

    def due_later(self, now: datetime) -> list[tuple[str, str]]:
        """Games and seats whose waiting answers are due."""
        return self.ask("SELECT game, seat FROM later WHERE due <= ? ORDER BY due, game, seat", sortable_time(now))

    def drop_later(self, game: str, seat: str) -> None:
        self.do("DELETE FROM later WHERE game = ? AND seat = ?", game, seat)
