"""The files of a game that people open: the work files at the root of the repository, and git's index of them.

Folders (the chronicle) are not checked out; they stand in the history and in every clone.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pbem.store.durable_files import replace_file, sync_folder, write_file
from pbem.store.git_objects import blob_id

KEPT_PREFIX = "kept-"
"""How the names of files begin that are kept aside in `.git/pbem`."""

_FILE = 0o100644
_FOLDER = 0o040000
_EXTENDED = 0x4000
_SKIPPED = 0x4000
_NOBODY = os.stat_result((0,) * 10)


@dataclass(frozen=True, slots=True)
class Difference:
    """A work file that differs from the last commit: `how` is changed or missing."""

    path: str
    how: str


class WorkTree:
    """The work files in `folder`; `own` is our folder inside its .git, for scratch files and kept edits."""

    def __init__(self, folder: Path, own: Path) -> None:
        self.folder = folder
        self._own = own

    def found(self, name: str) -> str:
        """The git id of a work file as it lies there; empty when it is missing."""
        try:
            return blob_id((self.folder / name).read_bytes())
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return ""

    def changes(self, wanted: Mapping[str, str]) -> tuple[Difference, ...]:
        found = ((name, self.found(name)) for name in wanted)
        return tuple(Difference(name, "changed" if lies else "missing") for name, lies in found if lies != wanted[name])

    def write(self, files: Mapping[str, bytes], removed: Collection[str]) -> None:
        """Write and remove files; durable when it returns. Raises OSError, as for a full disk."""
        for name, data in files.items():
            replace_file(self.folder / name, data, self._own)
        for name in removed:
            (self.folder / name).unlink(missing_ok=True)
        if removed:
            sync_folder(self.folder)

    def stage(self, files: Mapping[str, bytes], place: Path) -> None:
        """Write files into a folder beside their place. Not synced."""
        place.mkdir()
        for name, data in files.items():
            write_file(place / name, data)

    def publish(self, place: Path, removed: Collection[str]) -> None:
        """Move staged files to its place, and remove files. Not synced. Raises OSError."""
        for laid in sorted(place.iterdir()):
            laid.replace(self.folder / laid.name)
        for name in removed:
            (self.folder / name).unlink(missing_ok=True)

    def set_aside(self, name: str) -> Path | None:
        """Keep an edited file before it is replaced; None when there is nothing to keep."""
        if not (source := self.folder / name).exists():
            return None
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        kept = self._own / f"{KEPT_PREFIX}{stamp}-{name}"
        source.rename(kept)
        sync_folder(self._own)
        return kept

    def write_index(self, files: Mapping[str, str], folders: Mapping[str, str]) -> None:
        """Write git's index of the `files` and `folders` (ids by name) at the root, so that `git status` is right.

        A plain index names every file and would grow with the history. This one has one entry a folder («sparse
        directory», version 3, read by git 2.32 and later), which libgit2 cannot write. Not synced: a lost or torn index
        is written again with the next commit. Source: Documentation/gitformat-index of git.
        """
        rows = [(name.encode(), found, False) for name, found in files.items()]
        rows += [(name.encode() + b"/", found, True) for name, found in folders.items()]
        text = struct.pack(">4sII", b"DIRC", 3, len(rows)) + b"".join(self._entry(*row) for row in sorted(rows))
        if folders:
            text += struct.pack(">4sI", b"sdir", 0)
        temp = self._own.with_name("index.pbem")
        temp.write_bytes(text + hashlib.sha1(text, usedforsecurity=False).digest())
        temp.replace(temp.with_name("index"))

    def _entry(self, name: bytes, found: str, folder: bool) -> bytes:
        stat = _NOBODY
        if not folder and (self.folder / os.fsdecode(name)).exists():
            stat = (self.folder / os.fsdecode(name)).stat()
        changed, modified = getattr(stat, "st_ctime_ns", 0) or 0, getattr(stat, "st_mtime_ns", 0) or 0
        numbers = (
            *(*divmod(changed, 10**9), *divmod(modified, 10**9), stat.st_dev, stat.st_ino),
            *(_FOLDER if folder else _FILE, stat.st_uid, stat.st_gid, stat.st_size),
        )
        flags = min(len(name), 0xFFF) | (_EXTENDED if folder else 0)
        raw = struct.pack(">10I20sH", *(one & 0xFFFFFFFF for one in numbers), bytes.fromhex(found), flags)
        raw += struct.pack(">H", _SKIPPED) if folder else b""
        raw += name
        return raw + bytes(8 - len(raw) % 8)
