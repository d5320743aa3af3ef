"""What lies in folders and files: octets, room on the disk, and how many files."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BLOCK = 4096
"""Octets that the least file takes on a disk as most hosts have one."""


@dataclass(frozen=True)
class Size:
    """Octets, octets in whole blocks, and files with folders."""

    octets: int = 0
    on_disk: int = 0
    files: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.octets + other.octets, self.on_disk + other.on_disk, self.files + other.files)

    def told(self) -> dict[str, int]:
        return {"octets": self.octets, "on_disk": self.on_disk, "files": self.files}


def size_of(*places: Path) -> Size:
    """All that lies there, folders included. What is taken away meanwhile is not counted."""
    octets = on_disk = files = 0
    for place in places:
        found = [place] if place.is_file() else []
        for where, _, names in os.walk(place):
            found += [Path(where), *(Path(where, name) for name in names)]
        for path in found:
            try:
                size = BLOCK if path.is_dir() else path.stat().st_size
            except FileNotFoundError:
                continue
            octets, files = octets + size, files + 1
            on_disk += -(-size // BLOCK) * BLOCK
    return Size(octets, on_disk, files)


def spool(file: Path) -> dict[str, Any]:
    """The spool: its octets, those of letters and mails in it, rows, how many of these have their bytes, and of how
    many days ago the oldest of them is."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:

        def one(query: str) -> int:
            return int(db.execute(query).fetchone()[0] or 0)

        bytes_of = "SELECT sum(length(raw)) FROM"
        free, page = one("PRAGMA freelist_count"), one("PRAGMA page_size")
        oldest = "SELECT max((SELECT number FROM days) - day) FROM"
        done = "state IN ('sent', 'failed')"
        return {
            "octets": file.stat().st_size,
            "free": free * page,
            "letters": one(f"{bytes_of} letters"),
            "mails": one(f"{bytes_of} outbox"),
            "kept": one("SELECT count(*) FROM letters WHERE raw IS NOT NULL")
            + one("SELECT count(*) FROM outbox WHERE length(raw) > 0"),
            "rows": sum(one(f"SELECT count(*) FROM {table}") for table in ROWS),
            "oldest": max(
                one(f"{oldest} letters WHERE state <> 'new' AND raw IS NOT NULL"),
                one(f"{oldest} outbox WHERE {done} AND length(raw) > 0"),
            ),
        }


ROWS = ("letters", "places", "handled", "taken", "mails", "spent", "later", "games", "outbox")
