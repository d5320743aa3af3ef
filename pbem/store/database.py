"""The SQLite file under the spool: its tables, its transactions, and what its rows look like outside."""

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

from pbem.store.durable import private
from pbem.store.trouble import StoreError

SCHEMA = 3
OPEN = "state IN ('prepared', 'gathered', 'ready')"
"""Mails that are not done with. A query that asks for one of these states says this beside it, word for word: only so
SQLite knows that it may use the index, without which it reads every mail that was ever written."""

WITHIN = "within = ? AND within <> ''"
"""The mails that one holds; `OPEN` says why in so many words."""

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
CREATE INDEX outbox_open ON outbox(state, rcpt) WHERE {OPEN};
CREATE INDEX outbox_within ON outbox(within) WHERE within <> '';
CREATE TABLE days (number INTEGER NOT NULL);
INSERT INTO days VALUES (1);
"""
# The host's days are counted, one at each daily housekeeping, and what is kept for some days is kept for so many of
# them: a clock that jumps ten years ahead makes nothing old.

TODAY = "(SELECT number FROM days)"
"""The host's present day, within a statement."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one recipient, as bytes. `message_id` is the name of its intent, or any other that is unique."""

    message_id: str
    seat: str
    rcpt: str
    raw: bytes
    kind: str = ""
    mail_from: str = ""


@dataclass(frozen=True, slots=True)
class Queued:
    """A row of the outbox. `state`: prepared, ready, sent or failed; `raw` may have been emptied.

    One is moved when its game has gone to another host, which sends it.
    A mail of the day is gathered until all of its reader's are, and bound while the mail that holds them is to go.

    `spent`: seconds that we have really been trying, as `Outtray.delayed` counts them.
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
class Incoming:
    """A letter as it came. `state`: new, handled or quarantined; `uidvalidity` and `uid` say where it was first met.

    `attempts`: how often its handling was begun; `excused`: how often it ended for a reason outside the letter;
    `among`: whether others were begun before it the last time, so that it need not be what we died of.
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
        """Whether it was begun, and what came of that is not known."""
        return self.attempts > self.excused

    @property
    def deaths(self) -> int:
        """How often its handling, begun before any other, did not come to an end, or met a defect."""
        return self.attempts - self.excused - (self.open and self.among)


@dataclass(frozen=True, slots=True)
class AnsweredBy:
    """Which record of which game answered a letter; empty and 0 for a letter that belonged to none."""

    game: str
    record: int


class Ledger:
    """The file `NAME` in `folder`. Threads share a ledger, and other processes may open the same file."""

    NAME, SCHEMA, TABLES = "spool.sqlite", SCHEMA, _TABLES
    DAMAGED = "`pbem mend` makes a new one"
    """What to do where the file is damaged."""

    def __init__(self, folder: Path) -> None:
        self._guard = threading.RLock()
        self._survives = ""
        """What the transaction before this one had to survive."""
        self.file = folder / self.NAME
        with private():
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
        """Nothing can be asked afterwards."""
        with self._guard:
            self._db.close()

    @contextmanager
    def change(self, *, survives: str = "a power cut") -> Iterator[sqlite3.Connection]:
        """One transaction: on the disk when the block ends, undone when it raises.

        One that survives only «a kill» is not waited for, and is on the disk with the next one that is.
        """
        with self._guard, self._named():
            if survives != self._survives:
                self._db.execute(f"PRAGMA synchronous={'FULL' if survives == 'a power cut' else 'NORMAL'}")
                self._survives = survives
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                # After some errors, a full disk among them, SQLite has gone back by itself.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextmanager
    def emptying(self) -> Iterator[sqlite3.Connection]:
        """A change after which what it takes away stands nowhere in the files."""
        with self.change() as db:
            yield db
        # Else the old pages would stand in the log until it is begun anew.
        self.ask("PRAGMA wal_checkpoint(TRUNCATE)")

    def ask(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query."""
        with self._guard, self._named():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """SQLite says «disk I/O error» without saying of which disk."""
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


def text_of(moment: datetime) -> str:
    """A moment as text that sorts by time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def time_of(text: str) -> datetime:
    """Read what `text_of` wrote."""
    return datetime.fromisoformat(text)
