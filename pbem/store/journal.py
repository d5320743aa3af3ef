"""Tells a crash from a person's edit, in one line a game.

The journal says `begin OLD NEW` before the branch moves to a new commit, and `done OLD NEW` when the work files are in
their place and all of it is on the disk. Work files that differ from HEAD at `begin` are those of a commit that a crash
interrupted; at `done` somebody edited them. It also keeps the last commit of this program, in case the branch is lost.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from pathlib import Path

NO_COMMIT = "0" * 40


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """What the journal says: the commit that was left, the one that was written, and whether that is done."""

    done: bool
    old: str
    new: str


class Journal:
    """One file of fixed length, rewritten in place: one disk block, so never half old, half new."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> JournalEntry | None:
        """What it says; None when there is none or its check sum is wrong (a crash while it was written)."""
        try:
            word, old, new, check = self._path.read_text("ascii").split()
        except (OSError, ValueError):
            return None
        return JournalEntry(word == "done", old, new) if check == _check(word, old, new) else None

    def begin(self, old: str, new: str) -> None:
        """A commit is staged. Not synced: `pbem.store.group_commit` does it before anything is moved."""
        self._put("begin", old, new)

    def done(self, old: str, new: str) -> None:
        """A commit is published. Not synced: if it is lost, the checkout is done once more, which changes nothing."""
        self._put("done", old, new)

    def _put(self, word: str, old: str, new: str) -> None:
        text = f"{word:<5} {old} {new} {_check(word, old, new)}\n"
        fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(fd, text.encode("ascii"), 0)
        finally:
            os.close(fd)


def _check(word: str, old: str, new: str) -> str:
    return f"{zlib.crc32(f'{word} {old} {new}'.encode()):08x}"
