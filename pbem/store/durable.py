"""Files that are on the disk when the call returns, whole or not at all.

A file is written beside its place, fsynced, renamed, and the folder fsynced: after a power cut there is the old
text or the new one. Folders are fsynced because a rename lives in the folder, not in the file.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_guard = threading.Lock()
_private: list[int] = []


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


def write_synced(path: Path, data: bytes) -> None:
    """Write a file in place and fsync it; its name is not yet safe."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
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
            fd = os.open(Path(where, name), os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        sync_folder(Path(where))
