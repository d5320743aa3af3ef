"""A machine whose disk fails, or whose power is cut, at any of its calls, below everything that writes.

What is on the disk is what was synced. At a cut each write since then is there, or not, or in part, and each name that
was made, moved or taken away is so, or not, whatever the order: only what a disk's journal keeps is kept, that a file
which is moved lies in one of its two places.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.store.database import SqliteFile
from pbem.store.durable_files import Disks
from pbem.store.history import History


class Cut(BaseException):
    """The power is cut: nothing more is done."""


@dataclass(frozen=True)
class Kept:
    """A file: which one it is, and what it holds."""

    inode: int
    data: bytes


def lying(folder: Path) -> dict[Path, Kept]:
    """The files below a folder."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = Path(where, name)
            found[path] = Kept(path.stat().st_ino, path.read_bytes())
    return found


class Machine:
    """Watches what is written below `folder`. At call number `at` (from 1; 0: never) it fails or loses power."""

    def __init__(self, folder: Path, at: int, *, cut: bool) -> None:
        self.folder, self.at, self.cut = folder, at, cut
        self.count = 0
        self.disk = lying(folder)

    def _may(self, what: str) -> None:
        self.count += 1
        if self.cut and 0 < self.at <= self.count:
            raise Cut
        if self.count == self.at:
            raise sqlite3.OperationalError("disk I/O error") if what == "change" else OSError(5, "Input/output error")

    def _synced(self, fd: int) -> None:
        path = Path(f"/proc/self/fd/{fd}").readlink()
        if path.is_dir():
            there = {one: Kept(one.stat().st_ino, b"") for one in path.iterdir() if one.is_file()}
            known = {kept.inode: kept for kept in self.disk.values()}
            for one in [one for one in self.disk if one.parent == path and one not in there]:
                del self.disk[one]
            self.disk |= {one: known.get(kept.inode, kept) for one, kept in there.items()}
        else:
            self.disk[path] = Kept(path.stat().st_ino, path.read_bytes())

    @contextmanager
    def running(self) -> Iterator[None]:
        """Whatever is written in this block goes through this machine."""

        def through(real: Callable[..., Any], what: str) -> Callable[..., Any]:
            def call(*values: Any, **named: Any) -> Any:
                self._may(what)
                done = real(*values, **named)
                if what == "fsync":
                    self._synced(values[0])
                elif what == "sync":
                    self.disk = lying(self.folder)
                return done

            return call

        real = SqliteFile.change

        @contextmanager
        def change(ledger: SqliteFile, *, survives: str = "a power cut") -> Iterator[sqlite3.Connection]:
            self._may("change")
            with real(ledger, survives=survives) as db:
                yield db
            self._may("change")
            if survives == "a power cut":
                for path in (ledger.file, Path(f"{ledger.file}-wal")):
                    self.disk[path] = Kept(path.stat().st_ino, path.read_bytes())

        with pytest.MonkeyPatch.context() as patch:
            for name in ("write", "pwrite", "fsync", "rename", "replace", "unlink", "mkdir", "rmdir"):
                patch.setattr(os, name, through(getattr(os, name), name))
            patch.setattr(Disks, "sync", through(Disks.sync, "sync"))
            patch.setattr(History, "stage", through(History.stage, "pack"))
            patch.setattr(SqliteFile, "change", change)
            yield

    def left(self, dice: random.Random, lost: float) -> dict[Path, bytes]:
        """What lies on the disk when the power comes back, as the dice would have it: `lost` is how likely a write is."""
        now = {path: kept for path, kept in lying(self.folder).items() if path.suffix != ".sqlite-shm"}
        found = {path: kept.data for path, kept in self.disk.items() if not path.name.endswith("-shm")}
        whole = {kept.inode: kept.data for kept in self.disk.values()}
        places = {kept.inode: path for path, kept in self.disk.items()}
        standing = {kept.inode for kept in now.values()}
        paths = sorted(now)
        dice.shuffle(paths)
        for path in paths:
            kept, before = now[path], self.disk.get(path)
            if before == kept or path.name.endswith("-shm") or dice.random() < lost:
                continue
            old = whole.get(kept.inode, b"")
            found[path] = kept.data if old == kept.data else torn(old, kept.data, dice)
            from_ = places.get(kept.inode)
            if from_ is not None and from_ not in now:
                found.pop(from_, None)
        for path, kept in self.disk.items():
            if path not in now and kept.inode not in standing and dice.random() >= lost:
                found.pop(path, None)
        return found

    def restart(self, dice: random.Random, lost: float, close: Callable[[], object]) -> None:
        """Put what is left on the disk into the folder. `close` lets go of what was open, which is no part of it."""
        found = self.left(dice, lost)
        close()
        shutil.rmtree(self.folder / "games")
        shutil.rmtree(self.folder / "mail")
        for path, data in found.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o600)
        for path in self.folder.glob("games/*/.git"):
            for name in ("objects/info", "refs/tags", "pbem"):
                (path / name).mkdir(parents=True, exist_ok=True)


def torn(old: bytes, new: bytes, dice: random.Random) -> bytes:
    """Some of what was written over a file: all, none, up to somewhere, or with a hole of zeros."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    end = dice.randint(same, len(new))
    return dice.choice((new, old, new[:end], new[:end] + bytes(len(new) - end)))
