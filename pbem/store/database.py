"""A SQLite file with transactions that survive a power cut, and the tables of the spool with their rows as values."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.store.durable_files import private_umask
from pbem.store.errors import StoreError

SPOOL_SCHEMA = 3
OPEN_MAILS = "state IN ('prepared', 'gathered', 'ready')"
"""Mails that still have to go. A query for one of these states repeats this text, so that SQLite uses the partial index
`outbox_open`. Without it SQLite would read every mail that was ever written."""

BOUND_WITHIN = "within = ? AND within <> ''"
"""The mails bound within another one; the second half makes SQLite use the index `outbox_within`."""

_TABLES = f"""
CREATE TABLE letters (
    digest TEXT PRIMARY KEY, raw BLOB, received TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new',
    attempts INTEGER NOT NULL DEFAULT 0, excused INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT '',
    day INTEGER NOT NULL DEFAULT 0, stray INTEGER NOT NULL DEFAULT 0);
CREATE INDEX letters_new ON letters(state) WHERE state = 'new';
CREATE INDEX letters_stray ON letters(stray) WHERE stray > 0;
CREATE TABLE places (
    uidvalidity INTEGER NOT NULL, uid INTEGER NOT NULL, digest TEXT NOT NULL, filed INTEGER NOT NULL DEFAULT 0,
    now_in INTEGER NOT NULL DEFAULT 0, now_as INTEGER NOT NULL DEFAULT 0, day INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (uidvalidity, uid)) WITHOUT ROWID;
CREATE INDEX places_open ON places(digest) WHERE filed = 0;
CREATE INDEX places_kept ON places(day) WHERE now_as > 0;
CREATE TABLE handled (digest TEXT PRIMARY KEY, game TEXT NOT NULL, record INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE taken (name TEXT PRIMARY KEY, game TEXT NOT NULL, record INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE mails (
    name TEXT PRIMARY KEY, game TEXT NOT NULL, seat TEXT NOT NULL, record INTEGER NOT NULL,
    decision INTEGER NOT NULL, handed INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE spent (
    purse TEXT NOT NULL, letter TEXT NOT NULL, at TEXT NOT NULL, count INTEGER NOT NULL, says TEXT NOT NULL,
    PRIMARY KEY (purse, letter)) WITHOUT ROWID;
CREATE INDEX spent_at ON spent(at);
CREATE TABLE later (game TEXT NOT NULL, seat TEXT NOT NULL, due TEXT NOT NULL, PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE TABLE games (game TEXT PRIMARY KEY, record INTEGER NOT NULL, head TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, record INTEGER NOT NULL,
    seat TEXT NOT NULL, kind TEXT NOT NULL, mail_from TEXT NOT NULL, rcpt TEXT NOT NULL, raw BLOB NOT NULL,
    state TEXT NOT NULL, attempt TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
    next_try TEXT NOT NULL DEFAULT '', tried TEXT NOT NULL DEFAULT '', spent REAL NOT NULL DEFAULT 0,
    era TEXT NOT NULL DEFAULT '', era_at REAL NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',
    created TEXT NOT NULL, changed TEXT NOT NULL, day INTEGER NOT NULL DEFAULT 0, within TEXT NOT NULL DEFAULT '');
CREATE INDEX outbox_game ON outbox(game);
CREATE INDEX outbox_open ON outbox(state, rcpt) WHERE {OPEN_MAILS};
CREATE INDEX outbox_within ON outbox(within) WHERE within <> '';
CREATE TABLE days (number INTEGER NOT NULL);
INSERT INTO days VALUES (1);
"""

TODAY = "(SELECT number FROM days)"
"""The host's present day, for use in a statement. Each daily housekeeping counts one day, and rows are pruned by these
days: a clock that jumps ten years ahead makes nothing old."""


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail to one recipient, as bytes. `message_id` is its intent's name, or any other unique name."""

    message_id: str
    seat: str
    rcpt: str
    raw: bytes
    kind: str = ""
    mail_from: str = ""


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """A row of the outbox; `raw` may have been emptied.

    `state` is prepared, ready, sent or failed. A daily mail is gathered, then bound within the mail that holds it; the
    mail of a game that has gone to another host is moved. `spent` counts seconds of trying (`OutboundQueue.delayed`).
    """

    message_id: str
    game: str
    seat: str
    kind: str
    mail_from: str
    rcpt: str
    raw: bytes
    state: str
    attempts: int
    next_try: datetime | None
    error: str
    created: datetime
    spent: float = 0.0


@dataclass(frozen=True, slots=True)
class SpooledLetter:
    """A letter as it came. `state` is new, handled or quarantined; `uidvalidity` and `uid` are its first place.

    `attempts` counts how often its handling began, `excused` how often that ended for a reason outside the letter.
    `among`: other letters were begun before it the last time, so that another may have killed us.
    """

    digest: str
    raw: bytes
    uidvalidity: int
    uid: int
    received: datetime
    state: str
    attempts: int
    excused: int = 0
    among: bool = False

    @property
    def open(self) -> bool:
        """Whether its handling began and did not end."""
        return self.attempts > self.excused

    @property
    def deaths(self) -> int:
        """How often its handling met a defect, or began before any other and did not end."""
        return self.attempts - self.excused - (self.open and self.among)


@dataclass(frozen=True, slots=True)
class AnsweredBy:
    """The record that answered a letter; empty and 0 for a letter of no game."""

    game: str
    record: int


class SqliteFile:
    """The SQLite file `NAME` in `folder`. Threads may share it, and other processes may open the same file."""

    NAME, SCHEMA, TABLES = "spool.sqlite", SPOOL_SCHEMA, _TABLES
    DAMAGED = "`pbem mend` makes a new one"
    """What helps when the file is damaged."""

    def __init__(self, folder: Path) -> None:
        self._guard = threading.RLock()
        self._survives = ""
        """What the last transaction had to survive."""
        self.file = folder / self.NAME
        with private_umask():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._named():
                self._db = sqlite3.connect(self.file, timeout=30, isolation_level=None, check_same_thread=False)
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA secure_delete=ON")
            with self.change() as db:
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if version == 0:
                    for statement in self.TABLES.strip().split(";\n"):
                        db.execute(statement)
                    db.execute(f"PRAGMA user_version={self.SCHEMA}")
                elif version != self.SCHEMA:
                    raise StoreError(f"{self.file} is of another version ({version}); this one reads {self.SCHEMA}")

    def close(self) -> None:
        with self._guard:
            self._db.close()

    @contextmanager
    def change(self, *, survives: str = "a power cut") -> Iterator[sqlite3.Connection]:
        """One transaction: on the disk when the block ends, rolled back when it raises.

        One that survives only «a kill» does not wait for the disk; it gets there with the next one that waits.
        """
        with self._guard, self._named():
            if survives != self._survives:
                self._db.execute(f"PRAGMA synchronous={'FULL' if survives == 'a power cut' else 'NORMAL'}")
                self._survives = survives
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                # After some errors, such as a full disk, SQLite has rolled back by itself.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def do(self, statement: str, *values: Any, survives: str = "a power cut") -> int:
        """One statement as a transaction; how many rows it changed."""
        with self.change(survives=survives) as db:
            return db.execute(statement, values).rowcount

    @contextmanager
    def emptying(self) -> Iterator[sqlite3.Connection]:
        """One transaction that leaves no copy of what it deletes in the files."""
        with self.change() as db:
            yield db
        # Otherwise the old pages would stay in the log.
        self.ask("PRAGMA wal_checkpoint(TRUNCATE)")

    def ask(self, query: str, *values: Any) -> list[Any]:
        with self._guard, self._named():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Name the file in errors: SQLite says «disk I/O error» without saying which disk."""
        try:
            yield
        except sqlite3.Error as odd:
            text = str(odd)
            if str(self.file) in text:
                raise
            if "disk" in text:
                text += f" ({shutil.disk_usage(self.file.parent).free // 1024:,} kB are free there)"
            if "not a database" in text or "malformed" in text:
                text += f"; {self.DAMAGED}"
            raise type(odd)(f"{self.file}: {text}") from None


def sortable_time(moment: datetime) -> str:
    """A moment as text that sorts by time, in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)
