"""Caches rows that are worked out from the games, so that a start need not read every game.

Without the file everything is read from the games again, and only time is lost. Each row names its source (`of`: a
commit, stamps of files), which the reader compares with the present one. A seal over the row and its maker leaves out
rows of another program version or of a damaged disk. A file that cannot be read is thrown away, and logged.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem.store.database import SqliteFile
from pbem.store.errors import StoreError

log = logging.getLogger(__name__)

T = TypeVar("T")

CACHE_FILE = "derived.sqlite"
"""The file in the mail folder; no backup has it."""

_PASSES = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
})  # fmt: skip
"""Errors that are no damage of the file."""


class CachedRow(NamedTuple):
    """What is kept of a game: its source and what follows from it, as texts."""

    of: str
    holds: str


class _Rows(SqliteFile):
    NAME, SCHEMA = CACHE_FILE, 1
    TABLES = """
CREATE TABLE rows (
    kind TEXT NOT NULL, game TEXT NOT NULL, follows TEXT NOT NULL, holds TEXT NOT NULL, seal TEXT NOT NULL,
    PRIMARY KEY (kind, game)) WITHOUT ROWID
"""


class CachedRows:
    """The rows of one kind in `folder`; `maker` names all that they depend on beside the games."""

    def __init__(self, folder: Path, kind: str, maker: str) -> None:
        self._folder, self._kind, self._maker = folder, kind, maker

    def all(self) -> dict[str, CachedRow]:
        """The valid rows of this maker by game; none where the file cannot be read."""

        def read(rows: _Rows) -> dict[str, CachedRow]:
            found = rows.ask("SELECT game, follows, holds, seal FROM rows WHERE kind = ?", self._kind)
            valid = (row for *row, seal in found if seal == self._seal(*row))
            return {name: CachedRow(of, holds) for name, of, holds in valid}

        return self._tried(read, "read") or {}

    def keep(self, rows: Mapping[str, CachedRow | None]) -> None:
        """Keep these rows, and drop those that are None. A kill leaves all of the changes or none."""

        def put(there: _Rows) -> None:
            sealed = [(self._kind, name, *row, self._seal(name, *row)) for name, row in rows.items() if row]
            with there.change(survives="a kill") as db:
                gone = [(self._kind, name) for name, row in rows.items() if row is None]
                db.executemany("DELETE FROM rows WHERE kind = ? AND game = ?", gone)
                db.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)", sealed)

        if rows:
            self._tried(put, "written")

    def _seal(self, *words: str) -> str:
        return short_hash("\n".join(map(str, (self._maker, self._kind, *words))))

    def _tried(self, work: Callable[[_Rows], T], how: str) -> T | None:
        """Do something with the file, and again with a new one where it is damaged; None where both fail."""
        for last in (False, True):
            try:
                with closing(_Rows(self._folder)) as rows:
                    return work(rows)
            except (sqlite3.Error, StoreError, OSError, ValueError) as odd:
                passes = isinstance(odd, OSError) or getattr(odd, "sqlite_errorcode", -1) & 0xFF in _PASSES
                if passes or last:
                    log.warning("%s cannot be %s; what it saves is read again: %s", CACHE_FILE, how, odd)
                    return None
                log.warning("%s is thrown away, and made again from the games: %s", CACHE_FILE, odd)
                for name in (CACHE_FILE, f"{CACHE_FILE}-wal", f"{CACHE_FILE}-shm"):
                    (self._folder / name).unlink(missing_ok=True)
        return None


def short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
