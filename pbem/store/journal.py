"""The one line that tells a crash from a person's edit.

Before the branch moves to a new commit, the journal says `begin OLD NEW`; after the work files are in their place, and
all of it on the disk, it says `done OLD NEW`. A work tree that differs from HEAD while the journal says `begin` fell to
a crash and is finished; one that differs while it says `done` was edited by somebody. It also remembers the last commit
this program wrote, should the branch be lost.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from pathlib import Path

NOTHING = "0" * 40


@dataclass(frozen=True, slots=True)
class Written:
    """What the journal says: which commit was being left, which written, and whether it was finished."""

    done: bool
    old: str
    new: str


class Journal:
    """The journal in one file of fixed length, rewritten in place: one disk block, so never half old, half new."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Written | None:
        """What it says; None when there is none or its check sum is wrong (a crash while it was being written)."""
        try:
            word, old, new, check = self._path.read_text("ascii").split()
        except (OSError, ValueError):
            return None
        if check != _check(word, old, new):
            return None
        return Written(word == "done", old, new)

    def begin(self, old: str, new: str) -> None:
        """Not synced: `pbem.store.landing` does, before anything is moved."""
        self._put("begin", old, new)

    def done(self, old: str, new: str) -> None:
        """Not synced: should it be lost, the checkout is finished once more, which changes nothing."""
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
