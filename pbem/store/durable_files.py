"""Writes files that are on the disk when the call returns, whole or not at all.

A file is written beside its place, fsynced, renamed, and its folder fsynced, since a rename lives in the folder. After
a power cut there is the old text or the new one. `Disks` brings many files to the disk at one moment.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)

_guard = threading.Lock()
_private: list[int] = []


def file_stamp(path: str | Path) -> str:
    """A text that changes with the file, whoever writes it; «-» where there is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for thousands of files at each start
    except OSError:
        return "-"
    return f"{found.st_mtime_ns}.{found.st_ino}.{found.st_size}"


@contextmanager
def private_umask() -> Iterator[None]:
    """Files made in this block get the modes 0700 and 0600, whatever the umask, also from libgit2, SQLite and git.

    The umask belongs to the whole process. So blocks of several threads are counted, and the last one puts it back.
    """
    with _guard:
        _private.append(os.umask(0o077))
    try:
        yield
    finally:
        with _guard:
            # The first block found the umask of before.
            os.umask(_private.pop(1 if len(_private) > 1 else 0))


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    _sync(folder, os.O_DIRECTORY)


def _sync(path: Path, flags: int = 0) -> None:
    fd = os.open(path, os.O_RDONLY | flags)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Disks:
    """The disks of some folders. Whatever any library wrote there is on them after `sync`.

    Open them before the writing begins: Linux (5.8 and later) reports a failed write to whoever held a file of the disk
    open by then.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._open: dict[int, int] = {}
        self._folders: dict[Path, None] = {}
        for folder in folders:
            self.add(folder)

    def add(self, folder: Path) -> None:
        """Add another folder, which may lie on another disk."""
        self._folders[folder] = None
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if self._open.setdefault(os.fstat(fd).st_dev, fd) != fd:
            os.close(fd)

    def sync(self) -> None:
        """One syncfs(2) a disk; without it every file in the folders. Raises OSError after a failed write."""
        if _syncfs is None:
            for folder in self._folders:
                sync_tree(folder)
            return
        for fd in self._open.values():
            if _syncfs(fd):
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), str(Path(f"/proc/self/fd/{fd}").resolve()))

    def close(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1])


def write_file(path: Path, data: bytes, *, sync: bool = False) -> None:
    """Write a file in place; with `sync` its bytes are on the disk then, but not its name."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        if sync:
            os.fsync(fd)
    except OSError as odd:
        # The system names no file in errors of os.write.
        raise OSError(odd.errno, odd.strerror, str(path)) from None
    finally:
        os.close(fd)


def replace_file(path: Path, data: bytes, scratch: Path | None = None) -> None:
    """Replace or create one file, whole or not at all, also when several processes do so.

    It is written in `scratch` first, a folder of the same disk; without one beside its place. Whoever gives a `scratch`
    holds a lock: its file has one name, so that a kill leaves one copy at most.
    """
    beside = scratch / f".{path.name}.new" if scratch else path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        write_file(beside, data, sync=True)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_tree(folder: Path) -> None:
    """Fsync a folder with every file and folder below it."""
    for where, _, names in os.walk(folder, topdown=False):
        for name in names:
            # A file may go meanwhile.
            with suppress(FileNotFoundError):
                _sync(Path(where, name))
        sync_folder(Path(where))
