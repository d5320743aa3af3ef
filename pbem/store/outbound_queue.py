"""The mails' half of the spool: prepared before the commit that promises them, released by it, sent at least once.

Daily mails are gathered first, and bound into one mail for each address (`bind`), whose state they share.

The next try is a time of day, which may jump: a row tried in the future was tried by a wrong clock and may go at once.
How long a mail has been tried is counted in seconds that really passed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.store.commit_record import DAILY_MAIL, Intent, Record
from pbem.store.database import (
    BOUND_WITHIN,
    OPEN_MAILS,
    TODAY,
    AnsweredBy,
    OutgoingMail,
    QueuedMail,
    parse_time,
    sortable_time,
)
from pbem.store.inbound_queue import mark_handled
from pbem.store.message_index import MessageIndex

_CARRIED = (
    "message_id", "record", "seat", "kind", "mail_from", "rcpt", "raw", "state", "attempt", "attempts", "error",
    "created", "changed",
)  # fmt: skip
"""The columns that go to another host with a game."""

_QUEUED = ("message_id", "game", "seat", "kind", "mail_from", "rcpt", "raw", "state", "attempts", "next_try", "error",
           "created", "spent")  # fmt: skip
"""The columns of a `QueuedMail`, in its order."""


class OutboundQueue(MessageIndex):
    """Mails, by the name of their intent. A row stays for good, so that no mail goes twice."""

    def committed(self, game: str, head: str, record: Record) -> None:
        """Release the mails of a record that the commit `head` holds, and mark its letter. Under the game's lock.

        A power cut may take this back; the next start reads it from the record.
        """
        with self.change(survives="a kill") as db:
            settle_record(db, game, head, record)
            self.remember(db, game, record)

    def enqueue(self, mail: OutgoingMail, game: str = "") -> bool:
        """Queue a mail that no record promises, such as one to the moderator; False when its name is known."""
        with self.change() as db:
            return insert_mail(db, game, mail, "ready")

    def restock(self, game: str, mails: Sequence[OutgoingMail]) -> None:
        """Queue mails that were rendered again for `missing` intents."""
        with self.change() as db:
            for mail in mails:
                _make_room(db, mail.message_id)
                insert_mail(db, game, mail, "ready")

    def gathered(self) -> list[QueuedMail]:
        """The daily mails that are not bound yet, oldest first."""
        return self._queued(f"{OPEN_MAILS} AND state = 'gathered' ORDER BY number")

    def bind(self, message_ids: Sequence[str], whole: OutgoingMail | None = None) -> None:
        """Let gathered mails go, within a `whole` one that holds them all, or each by itself."""
        text = "UPDATE outbox SET state = ?, within = ? WHERE message_id = ? AND state = 'gathered'"
        found = ("bound", whole.message_id) if whole is not None else ("ready", "")
        with self.change() as db:
            if whole is not None:
                insert_mail(db, "", whole, "ready")
            db.executemany(text, ((*found, name) for name in message_ids))

    def parts(self, mail: QueuedMail) -> list[QueuedMail]:
        """The mails bound within one; itself, if there are none."""
        return self._queued(f"{BOUND_WITHIN} ORDER BY number", mail.message_id) or [mail]

    def assume_sent(self, game: str, intents: Iterable[Intent], at: datetime, seats: Iterable[str] = ()) -> None:
        """Mark these as sent: their rows were lost, and they went out long ago.

        So did what still waits for the `seats` in an older spool, since newer mails were promised later. `at` stands
        for the unknown time of sending; the present time shortens nobody's clock.
        """
        with self.change() as db:
            for seat in seats:
                waits = "game = ? AND seat = ? AND state IN ('gathered', 'ready')"
                sent = f"UPDATE outbox SET state = 'sent', error = '', changed = ? WHERE {waits}"
                db.execute(sent, (sortable_time(at), game, seat))
            for intent in intents:
                _make_room(db, intent.message_id)
                insert_mail(db, game, OutgoingMail(intent.message_id, intent.seat, "", b"", intent.kind), "ready")
                mark_mail(db, intent.message_id, "sent", "", at)

    def missing(self, record: Record) -> list[Intent]:
        """The intents of a committed record without a row; what another attempt at the record prepared is none."""
        attempt = record.fingerprint() if record.intents else ""
        query = "SELECT 1 FROM outbox WHERE message_id = ? AND (state <> 'prepared' OR attempt = ?)"
        return [one for one in record.intents if not self.ask(query, one.message_id, attempt)]

    def due(self, now: datetime, limit: int = 50) -> list[QueuedMail]:
        """The mails that may go now, oldest first; none overtakes an earlier one to the same address."""
        return self._queued(
            f"""{OPEN_MAILS} AND state = 'ready' AND (next_try <= ?1 OR tried > ?1)
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.{OPEN_MAILS} AND o.rcpt = outbox.rcpt AND o.state = 'ready'
            AND o.number < outbox.number AND o.next_try > ?1 AND o.tried <= ?1) ORDER BY number LIMIT ?2""",
            sortable_time(now),
            limit,
        )

    def next_due(self, now: datetime) -> datetime | None:
        """When the next mail may be tried, `now` at the earliest; None when none waits."""
        soonest = "min(CASE WHEN tried > ?1 THEN ?1 ELSE max(next_try, ?1) END)"
        rows = self.ask(f"SELECT {soonest} FROM outbox WHERE {OPEN_MAILS} AND state = 'ready'", sortable_time(now))
        return parse_time(rows[0][0]) if rows[0][0] else None

    def sent(self, message_ids: Iterable[str], at: datetime) -> None:
        """Mark mails as taken by the server."""
        with self.change() as db:
            for name in message_ids:
                mark_mail(db, name, "sent", "", at)

    def delayed(
        self, message_id: str, now: datetime, wait: timedelta, error: str, era: str, at: float, longest: float
    ) -> float:
        """Put a mail off by `wait`; returns the seconds spent trying so far.

        `at` is a reading, in seconds, of a clock that nobody sets and that starts anew with each `era`. The time since
        the last try counts if that was in the same era, at most `longest`.
        """
        with self.change() as db:
            db.execute(
                """UPDATE outbox SET attempts = attempts + 1, tried = ?1, next_try = ?2, error = ?3,
                spent = spent + CASE WHEN era = ?4 AND ?5 > era_at THEN min(?5 - era_at, ?6) ELSE 0 END,
                era = ?4, era_at = ?5 WHERE message_id = ?7""",
                (sortable_time(now), sortable_time(now + wait), error, era, at, longest, message_id),
            )
            row = db.execute("SELECT spent FROM outbox WHERE message_id = ?", (message_id,)).fetchone()
        return float(row[0]) if row else 0.0

    def accepted(self, message_id: str) -> datetime | None:
        """When the server took a mail; None when it did not."""
        rows = self.ask("SELECT changed FROM outbox WHERE message_id = ? AND state = 'sent'", message_id)
        return parse_time(rows[0][0]) if rows else None

    def failed(self, message_id: str, error: str) -> None:
        """Mark a mail as refused for good."""
        with self.change() as db:
            mark_mail(db, message_id, "failed", error, datetime.now(UTC))

    def again(self, message_ids: Iterable[str]) -> None:
        """Let refused mails go again, because the refusal was not about them."""
        if names := [(name,) for name in message_ids]:
            with self.change() as db:
                db.executemany("UPDATE outbox SET state = 'ready' WHERE state = 'failed' AND message_id = ?", names)
                db.executemany(f"UPDATE outbox SET state = 'bound' WHERE state = 'failed' AND {BOUND_WITHIN}", names)

    # The rows of a game that goes to another host stay, since the game may come back.

    def waits(self, game: str) -> bool:
        """Whether a mail of a game is still to go."""
        return bool(self.ask("SELECT 1 FROM outbox WHERE game = ? AND state IN ('gathered', 'ready') LIMIT 1", game))

    def hold_back(self, game: str) -> None:
        """Leave the waiting mails of a game to another host, except those bound within a daily mail."""
        self.do("UPDATE outbox SET state = 'moved' WHERE game = ? AND state IN ('gathered', 'ready')", game)

    def of_game(self, game: str) -> list[dict[str, Any]]:
        """All mails of a game as rows for another host's outbox, with bytes where they are still to go."""
        found = self.ask(f"SELECT {', '.join(_CARRIED)} FROM outbox WHERE game = ? ORDER BY number", game)
        rows = [dict(zip(_CARRIED, row, strict=True)) for row in found]
        there = {"moved": "ready", "bound": "sent"}
        for row in rows:
            row["raw"] = bytes(row["raw"]) if row["state"] == "moved" else b""
            row["state"] = there.get(row["state"], row["state"])
        return rows

    def carry_in(self, game: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take in the mails of a game that has come, as `of_game` gives them. Known ones stay, unless moved."""
        put = ", ".join(f"{name} = excluded.{name}" for name in _CARRIED)
        text = f"""INSERT INTO outbox (game, day, {", ".join(_CARRIED)}) VALUES (?, {TODAY}{", ?" * len(_CARRIED)})
            ON CONFLICT (message_id) DO UPDATE SET {put} WHERE outbox.state = 'moved'"""
        with self.change() as db:
            db.executemany(text, ((game, *(row[name] for name in _CARRIED)) for row in rows))

    def gone(self, game: str) -> None:
        """Empty the mails of a game that has gone, except those bound within a daily mail."""
        with self.emptying() as db:
            db.execute("UPDATE outbox SET raw = x'' WHERE game = ? AND state <> 'bound'", (game,))

    def rows(self, game: str | None = None, state: str | None = None) -> list[QueuedMail]:
        """The outbox without the bytes, oldest first."""
        which = "(?1 IS NULL OR game = ?1) AND (?2 IS NULL OR state = ?2) ORDER BY number"
        return self._queued(which, game, state, raw="x''")

    def raw(self, message_id: str) -> bytes:
        """The bytes of a mail; empty when they were pruned. Raises KeyError."""
        rows = self.ask("SELECT raw FROM outbox WHERE message_id = ?", message_id)
        if not rows:
            raise KeyError(message_id)
        return bytes(rows[0][0])

    def _queued(self, which: str, *values: Any, raw: str = "raw") -> list[QueuedMail]:
        columns = ", ".join(_QUEUED).replace("raw", raw)
        rows = self.ask(f"SELECT {columns} FROM outbox WHERE {which}", *values)
        return [_queued(**dict(zip(_QUEUED, row, strict=True))) for row in rows]


def _queued(next_try: str, created: str, **row: Any) -> QueuedMail:
    return QueuedMail(next_try=parse_time(next_try) if next_try else None, created=parse_time(created), **row)


def insert_mail(
    db: sqlite3.Connection, game: str, mail: OutgoingMail, state: str, record: Record | None = None
) -> bool:
    """Within a transaction: add a row, unless its message_id is known; whether it was added."""
    now = sortable_time(datetime.now(UTC))
    number, attempt = (record.number, record.fingerprint()) if record else (0, "")
    columns = "message_id, game, record, seat, kind, mail_from, rcpt, raw, state, attempt, created, changed, day"
    row = (mail.message_id, game, number, mail.seat, mail.kind, mail.mail_from, mail.rcpt, mail.raw, state, attempt)
    text = f"INSERT OR IGNORE INTO outbox ({columns}) VALUES ({', '.join('?' * 12)}, {TODAY})"
    return db.execute(text, (*row, now, now)).rowcount > 0


def mark_mail(db: sqlite3.Connection, message_id: str, state: str, error: str, at: datetime) -> None:
    """Within a transaction: note what became of a ready mail, and of those bound within it."""
    text = "UPDATE outbox SET state = ?, error = ?, changed = ?, attempts = attempts + 1"
    values = (state, error, sortable_time(at), message_id)
    if db.execute(f"{text} WHERE message_id = ? AND state = 'ready'", values).rowcount:
        db.execute(f"{text} WHERE {BOUND_WITHIN} AND state = 'bound'", values)


def settle_record(db: sqlite3.Connection, game: str, head: str, record: Record) -> None:
    """Within a transaction: release the mails of a committed record, drop other prepared ones, mark its letter.

    Each record passes here after its commit, and again when a lost or older spool is filled from the history.
    """
    attempt = record.fingerprint()
    state = "gathered" if record.what == DAILY_MAIL else "ready"
    text = "UPDATE outbox SET state = ? WHERE message_id = ? AND state = 'prepared' AND game = ? AND attempt = ?"
    for intent in record.intents:
        db.execute(text, (state, intent.message_id, game, attempt))
    drop_prepared(db, game)
    if letter := record.letter:
        mark_handled(db, letter.digest, AnsweredBy(game, record.number))
        if letter.uid:
            place = (letter.uidvalidity, letter.uid, letter.digest)
            db.execute("INSERT OR IGNORE INTO places (uidvalidity, uid, digest) VALUES (?, ?, ?)", place)
    db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (game, record.number, head))


def drop_prepared(db: sqlite3.Connection, game: str) -> None:
    """Within a transaction: drop the mails of a record that was never committed."""
    # The plus makes SQLite read the few prepared mails, not all mails of the game.
    db.execute(f"DELETE FROM outbox WHERE {OPEN_MAILS} AND state = 'prepared' AND +game = ?", (game,))


def _make_room(db: sqlite3.Connection, message_id: str) -> None:
    """Within a transaction: drop a mail that was prepared and never promised, which would stand for the real one."""
    db.execute("DELETE FROM outbox WHERE message_id = ? AND state = 'prepared'", (message_id,))
