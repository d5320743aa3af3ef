"""The letters' half of the spool: a letter is kept before the mailbox is touched, answered once, then filed there.

A letter that the mailbox lists but does not give out has a row without bytes, which counts how often we asked for it.
A stray letter led to nothing (from a stranger, a robot, beyond the caps). Only the newest of these keep their bytes, so
that nobody can fill the disk by writing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pbem.store.database import TODAY, AnsweredBy, SpooledLetter, SqliteFile, parse_time, sortable_time

MAX_STRAYS = 200
MAX_STRAY_BYTES = 8 * 1024 * 1024
"""How many stray letters keep their bytes, and how many octets these may have together."""

MAX_ATTEMPTS = 3
"""Tries at a letter before it is put aside."""

REMINDED_DAYS = 30
"""Days for which somebody is reminded of a letter that was put aside."""

_AMONG = "among others"
"""The note of a letter whose handling began after that of others since the program started."""

Place = tuple[int, int]
"""Where a letter lies in the mailbox: UIDVALIDITY and UID."""


class InboundQueue(SqliteFile):
    """Letters, each known by its digest and by its place in the mailbox."""

    def take(self, raw: bytes, digest: str, uidvalidity: int, uid: int, received: datetime) -> bool:
        """Keep a fetched letter; False when its content is known. One that was put aside and moved back is new.

        It need not be on the disk before its answer is: until then the mailbox has it.
        """
        with self.change(survives="a kill") as db:
            db.execute("DELETE FROM letters WHERE digest = ?", (_unread(uidvalidity, uid),))
            if _moved_back(db, digest, uidvalidity, uid):
                db.execute("DELETE FROM handled WHERE digest = ?", (digest,))
                db.execute("DELETE FROM letters WHERE digest = ?", (digest,))
            text = "INSERT OR REPLACE INTO places (uidvalidity, uid, digest) VALUES (?, ?, ?)"
            db.execute(text, (uidvalidity, uid, digest))
            if db.execute("SELECT 1 FROM handled WHERE digest = ?", (digest,)).fetchone():
                return False
            text = f"INSERT OR IGNORE INTO letters (digest, raw, received, day) VALUES (?, ?, ?, {TODAY})"
            return db.execute(text, (digest, raw, sortable_time(received))).rowcount > 0

    def asks(self, uidvalidity: int, uid: int, received: datetime) -> None:
        """Count one more request for a single letter, before it is made; `take` drops the count."""
        with self.change(survives="a kill") as db:
            digest = _unread(uidvalidity, uid)
            text = f"INSERT OR IGNORE INTO letters (digest, received, day) VALUES (?, ?, {TODAY})"
            db.execute(text, (digest, sortable_time(received)))
            db.execute("UPDATE letters SET attempts = attempts + 1 WHERE digest = ?", (digest,))

    def unread(self) -> dict[Place, int]:
        """The letters that did not come though we asked for each alone, with how often we asked."""
        rows = self.ask("SELECT digest, attempts FROM letters WHERE state = 'new' AND raw IS NULL")
        return {_place(digest): attempts for digest, attempts in rows}

    def forget_unread(self, uidvalidity: int, uid: int) -> None:
        """Drop the count of a letter that somebody has taken out of the mailbox."""
        self.do("DELETE FROM letters WHERE digest = ?", _unread(uidvalidity, uid), survives="a kill")

    def unreadable(self, uidvalidity: int, uid: int, note: str) -> None:
        """Put aside a letter that the mailbox does not give out; it is not asked for again."""
        with self.change() as db:
            digest = _unread(uidvalidity, uid)
            text = "INSERT OR REPLACE INTO places (uidvalidity, uid, digest) VALUES (?, ?, ?)"
            db.execute(text, (uidvalidity, uid, digest))
            mark_handled(db, digest, AnsweredBy("", 0), note, "quarantined")

    def aside(self) -> list[tuple[str, str]]:
        """The letters put aside within `REMINDED_DAYS`: when each came, and why."""
        which = f"state = 'quarantined' AND day > {TODAY} - {REMINDED_DAYS}"
        return self.ask(f"SELECT received, note FROM letters WHERE {which} ORDER BY rowid")

    def fetched(self, uidvalidity: int, uid: int) -> str:
        """The digest of the letter at that place; empty when it was not fetched yet, or was filed."""
        rows = self.ask("SELECT digest FROM places WHERE uidvalidity = ? AND uid = ? AND filed = 0", uidvalidity, uid)
        return str(rows[0][0]) if rows else ""

    def seen(self, digest: str) -> AnsweredBy | None:
        """The record that answered a letter; None when none did."""
        rows = self.ask("SELECT game, record FROM handled WHERE digest = ?", digest)
        return AnsweredBy(*rows[0]) if rows else None

    def waiting(self) -> list[SpooledLetter]:
        """The unanswered letters, in the order they came."""
        return self._letters("state = 'new' AND raw IS NOT NULL", " AND p.filed = 0")

    def letter(self, digest: str) -> SpooledLetter | None:
        found = self._letters("digest = ?", "", digest)
        return found[0] if found else None

    def _letters(self, which: str, there: str, *values: Any) -> list[SpooledLetter]:
        """The letters of a condition; `there` restricts the places that are looked at, so that not all are read."""
        query = f"""SELECT digest, raw, received, state, attempts, excused, note = '{_AMONG}',
            (SELECT min(uidvalidity) FROM places p WHERE p.digest = l.digest{there}),
            (SELECT min(uid) FROM places p WHERE p.digest = l.digest{there})
            FROM letters l WHERE {which} ORDER BY rowid"""
        return [
            SpooledLetter(
                digest, raw or b"", validity or 0, uid or 0, parse_time(came), state, attempts, excused, bool(among)
            )
            for digest, raw, came, state, attempts, excused, among, validity, uid in self.ask(query, *values)
        ]

    def attempt(self, digest: str, among: bool = False) -> None:
        """Count one more attempt at a letter, before it is made; a letter that kills us is known by its count.

        If we die and others were begun since the start (`among`), this attempt is excused at the next one.
        """
        text = f"""UPDATE letters SET excused = excused + (note = '{_AMONG}' AND attempts > excused),
            attempts = attempts + 1, note = ? WHERE digest = ?"""
        self.do(text, _AMONG if among else "", digest, survives="a kill")

    def failed_at(self, digest: str) -> None:
        """The present attempt met a defect, which counts against the letter whatever was begun before it."""
        self.do("UPDATE letters SET note = '' WHERE digest = ?", digest, survives="a kill")

    def attempts(self, digest: str) -> int:
        """How many attempts there were at a letter, the present one included."""
        rows = self.ask("SELECT attempts FROM letters WHERE digest = ?", digest)
        return int(rows[0][0]) if rows else 0

    def deaths(self, digest: str) -> int:
        """How many of these attempts did not end, or met a defect, the present one included."""
        return found.deaths if (found := self.letter(digest)) else 0

    def excuse(self, digest: str, times: int = 1) -> None:
        """Excuse so many attempts, which ended for a reason outside the letter (a locked game, a full disk)."""
        self.do("UPDATE letters SET excused = excused + ? WHERE digest = ?", times, digest)

    def done(self, digest: str, note: str = "", game: str = "", record: int = 0) -> None:
        """Mark a letter as handled. `settle_record` marks one that a record answers."""
        with self.change() as db:
            mark_handled(db, digest, AnsweredBy(game, record), note)
            if not record:
                _stray(db, digest)

    def quarantine(self, digest: str, note: str) -> None:
        """Put a letter aside for the moderator; there is no further attempt."""
        with self.change() as db:
            mark_handled(db, digest, AnsweredBy("", 0), note, "quarantined")

    def to_file(self) -> list[tuple[int, int, str]]:
        """Places of letters that are handled and not yet filed: uidvalidity, uid, and the letter's state."""
        return self.ask(
            """SELECT p.uidvalidity, p.uid, coalesce(l.state, 'handled') FROM places p INDEXED BY places_open
            JOIN handled h USING (digest) LEFT JOIN letters l USING (digest) WHERE p.filed = 0
            ORDER BY p.uidvalidity, p.uid"""
        )

    def filed(self, places: Mapping[tuple[int, int], tuple[int, int]]) -> None:
        """Note that the letters at these places (uidvalidity, uid) were moved, and where to; (0, 0) where unknown."""
        text = f"UPDATE places SET filed = 1, now_in = ?, now_as = ?, day = {TODAY} WHERE uidvalidity = ? AND uid = ?"
        with self.change() as db:
            db.executemany(text, ((*now_at, *place) for place, now_at in places.items()))

    def filed_before(self, days: int) -> dict[int, list[int]]:
        """Handled letters that we filed at least so many of the host's days ago: UIDs by UIDVALIDITY."""
        found: dict[int, list[int]] = {}
        query = f"""SELECT p.now_in, p.now_as FROM places p LEFT JOIN letters l USING (digest)
            WHERE p.now_as > 0 AND p.day <= {TODAY} - ? AND coalesce(l.state, 'handled') = 'handled'"""
        for validity, uid in self.ask(query, days):
            found.setdefault(int(validity), []).append(int(uid))
        return found

    def removed(self, uidvalidity: int, uids: Iterable[int]) -> None:
        """Note that these filed letters are no longer in the mailbox."""
        text = "UPDATE places SET now_as = 0 WHERE now_in = ? AND now_as = ? AND now_as > 0"
        with self.change() as db:
            db.executemany(text, ((uidvalidity, uid) for uid in uids))


def _unread(uidvalidity: int, uid: int) -> str:
    """The stand-in for the digest of a letter whose bytes nobody has seen."""
    return f"unread {uidvalidity}.{uid}"


def _place(unread: str) -> Place:
    validity, _, uid = unread.removeprefix("unread ").partition(".")
    return int(validity), int(uid)


def _moved_back(db: sqlite3.Connection, digest: str, uidvalidity: int, uid: int) -> bool:
    """Whether a letter was put aside and is back, not just numbered anew in its place (RFC 3501, 2.3.1.1)."""
    if not db.execute("SELECT 1 FROM letters WHERE digest = ? AND state = 'quarantined'", (digest,)).fetchone():
        return False
    text = "SELECT 1 FROM places WHERE digest = ? AND filed = 0 AND (uidvalidity <> ? OR uid = ?)"
    return not db.execute(text, (digest, uidvalidity, uid)).fetchone()


def mark_handled(db: sqlite3.Connection, digest: str, by: AnsweredBy, note: str = "", state: str = "handled") -> None:
    """Within a transaction: mark a letter as answered by a record."""
    db.execute("INSERT OR REPLACE INTO handled VALUES (?, ?, ?)", (digest, by.game, by.record))
    db.execute("UPDATE letters SET state = ?, note = ? WHERE digest = ?", (state, note, digest))


def _stray(db: sqlite3.Connection, digest: str) -> None:
    """Within a transaction: mark a letter as stray, and empty the oldest ones beyond the room for these."""
    db.execute("UPDATE letters SET stray = length(raw) WHERE digest = ? AND raw IS NOT NULL", (digest,))
    db.execute(
        """UPDATE letters SET raw = NULL, stray = 0 WHERE rowid IN (SELECT rowid FROM (SELECT rowid,
        row_number() OVER newest AS nth, sum(stray) OVER newest AS octets FROM letters WHERE stray > 0
        WINDOW newest AS (ORDER BY rowid DESC)) WHERE nth > ? OR octets > ?)""",
        (MAX_STRAYS, MAX_STRAY_BYTES),
    )
