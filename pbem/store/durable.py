"""Files that are on the disk when the call returns, whole or not at all.

A file is written beside its place, fsynced, renamed, and the folder fsynced: after a power cut there is the old
text or the new one. Folders are fsynced because a rename lives in the folder, not in the file. Where many files have to
be on the disk at one moment, `Disks` brings all of them there at once.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)

_guard = threading.Lock()
_private: list[int] = []


def stamp_of(path: str | Path) -> str:
    """What another text of a file would have otherwise, whoever wrote it; «-» where there is no such file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - of thousands of files at each start
    except OSError:
        return "-"
    return f"{found.st_mtime_ns}.{found.st_ino}.{found.st_size}"


@contextmanager
def private() -> Iterator[None]:
    """What is made in this block can be read by its owner only, whatever the umask: 0700 and 0600.

    By libgit2, SQLite and git programs as well, which take no mode from us. The umask is the whole process's, so that
    blocks of several threads are counted: the last one to end puts it back.
    """
    with _guard:
        _private.append(os.umask(0o077))
    try:
        yield
    finally:
        with _guard:
            # The first one found the umask that was there before us.
            before = _private.pop() if len(_private) == 1 else _private.pop(1)
            os.umask(before)


def sync_folder(folder: Path) -> None:
    """Fsync a folder, so that the names in it are on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Disks:
    """The disks that some folders lie on. Whatever was written there, by whatever library, is on them after `sync`.

    Opened before the writing begins: Linux (5.8 and later) tells of a write that failed to whoever held a file of the
    disk open by then. A system that has no syncfs is asked to sync every file in the folders.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders: dict[Path, None] = {}
        self._open: dict[int, int] = {}
        for folder in folders:
            self.add(folder)

    def add(self, folder: Path) -> None:
        """Another folder, which may lie on another disk."""
        self._folders[folder] = None
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if self._open.setdefault(os.fstat(fd).st_dev, fd) != fd:
            os.close(fd)

    def sync(self) -> None:
        """One syncfs(2) a disk. Raises OSError when something could not be written."""
        if _syncfs is None:
            for folder in self._folders:
                sync_everything(folder)
            return
        for fd in self._open.values():
            if _syncfs(fd):
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), str(Path(f"/proc/self/fd/{fd}").resolve()))

    def close(self) -> None:
        """Let go of the disks."""
        while self._open:
            os.close(self._open.popitem()[1])


def write_unsynced(path: Path, data: bytes) -> None:
    """Write a new file; it is on the disk when its disk was synced."""
    _write(path, data, sync=False)


def write_synced(path: Path, data: bytes) -> None:
    """Write a file in place and fsync it; its name is not yet safe."""
    _write(path, data, sync=True)


def _write(path: Path, data: bytes, *, sync: bool) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        if sync:
            os.fsync(fd)
    except OSError as odd:
        # Of a call that is given no name the system names none: «No space left on device» of which?
        raise OSError(odd.errno, odd.strerror, str(path)) from None
    finally:
        os.close(fd)


def replace_file(path: Path, data: bytes) -> None:
    """Replace or create one file, whole or not at all; whatever process does so at the same time."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        write_synced(beside, data)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def replace_files(folder: Path, files: Mapping[str, bytes], scratch: Path) -> None:
    """Replace or create files of one folder, each whole or not at all. `scratch` is a folder of the same disk."""
    if not files:
        return
    for name, data in files.items():
        write_synced(scratch / f"{name}.new", data)
    for name in files:
        (scratch / f"{name}.new").replace(folder / name)
    sync_folder(folder)


def sync_everything(folder: Path) -> None:
    """Fsync every file and folder below `folder`, and itself."""
    for where, _, names in os.walk(folder, topdown=False):
        for name in names:
            # What somebody has taken away meanwhile needs no disk.
            with suppress(FileNotFoundError):
                fd = os.open(Path(where, name), os.O_RDONLY)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)
        sync_folder(Path(where))
