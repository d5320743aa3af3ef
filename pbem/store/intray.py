"""Letters that have come: kept before the mailbox is touched, answered once, and then filed there."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Any

from pbem.store.ledger import Handled
from pbem.store.ledger import Incoming
from pbem.store.ledger import Ledger
from pbem.store.ledger import text_of
from pbem.store.ledger import time_of


class Intray(Ledger):
    """The letters' half of the spool. A letter is known by its digest and by its place in the mailbox."""

    def take(self, raw: bytes, digest: str, uidvalidity: int, uid: int, received: datetime) -> bool:
        """Keep a letter that was fetched; False when its content was known already."""
        with self.change() as db:
            db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?, 0)", (uidvalidity, uid, digest))
            if db.execute("SELECT 1 FROM handled WHERE digest = ?", (digest,)).fetchone():
                return False
            text = "INSERT OR IGNORE INTO letters (digest, raw, received) VALUES (?, ?, ?)"
            return db.execute(text, (digest, raw, text_of(received))).rowcount > 0

    def fetched(self, uidvalidity: int, uid: int) -> str:
        """The digest of what the mailbox has at that place; empty when it was not fetched yet."""
        rows = self.ask("SELECT digest FROM places WHERE uidvalidity = ? AND uid = ?", uidvalidity, uid)
        return str(rows[0][0]) if rows else ""

    def seen(self, digest: str) -> Handled | None:
        """How a letter was answered; None when it was not."""
        rows = self.ask("SELECT game, record FROM handled WHERE digest = ?", digest)
        return Handled(*rows[0]) if rows else None

    def waiting(self) -> list[Incoming]:
        """The letters that nobody has answered, in the order they came."""
        return self._letters("state = 'new'")

    def letter(self, digest: str) -> Incoming | None:
        found = self._letters("digest = ?", digest)
        return found[0] if found else None

    def _letters(self, which: str, *values: Any) -> list[Incoming]:
        query = f"""SELECT digest, raw, received, state, attempts, note,
            (SELECT min(uidvalidity) FROM places p WHERE p.digest = l.digest),
            (SELECT min(uid) FROM places p WHERE p.digest = l.digest) FROM letters l WHERE {which} ORDER BY rowid"""
        return [
            Incoming(digest, raw or b"", validity or 0, uid or 0, time_of(received), state, attempts, note)
            for digest, raw, received, state, attempts, note, validity, uid in self.ask(query, *values)
        ]

    def attempt(self, digest: str) -> int:
        """Count one more try at a letter, before it is made; a letter that kills us is known by its count."""
        with self.change() as db:
            db.execute("UPDATE letters SET attempts = attempts + 1 WHERE digest = ?", (digest,))
            row = db.execute("SELECT attempts FROM letters WHERE digest = ?", (digest,)).fetchone()
        return int(row[0]) if row else 0

    def done(self, digest: str, note: str = "", game: str = "", record: int = 0) -> None:
        """A letter needs nothing more; `committed` says so for those that a record answers."""
        with self.change() as db:
            mark_handled(db, digest, Handled(game, record), note)

    def quarantine(self, digest: str, note: str) -> None:
        """Put a letter aside for the moderator; it is not tried again."""
        with self.change() as db:
            mark_handled(db, digest, Handled("", 0), note, "quarantined")

    def to_file(self) -> list[tuple[int, int, str]]:
        """Places in the mailbox whose letters are done with and not yet moved: uidvalidity, uid, and their state."""
        return self.ask(
            """SELECT p.uidvalidity, p.uid, coalesce(l.state, 'handled') FROM places p JOIN handled h USING (digest)
            LEFT JOIN letters l USING (digest) WHERE p.filed = 0 ORDER BY p.uidvalidity, p.uid"""
        )

    def filed(self, uidvalidity: int, uid: int) -> None:
        """The letter at that place was moved, or is no longer there."""
        with self.change() as db:
            db.execute("UPDATE places SET filed = 1 WHERE uidvalidity = ? AND uid = ?", (uidvalidity, uid))


def mark_handled(db: sqlite3.Connection, digest: str, by: Handled, note: str = "", state: str = "handled") -> None:
    """Within a transaction: the letter was answered, and its raw copy, if we have one, waits no longer."""
    db.execute("INSERT OR REPLACE INTO handled VALUES (?, ?, ?)", (digest, by.game, by.record))
    db.execute("UPDATE letters SET state = ?, note = ? WHERE digest = ?", (state, note, digest))
