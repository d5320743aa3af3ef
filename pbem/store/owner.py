"""Whose the files of a host are, and who else can read them.

Typically `sudo pbem …` has made files that the service's user can no longer open, or a folder was copied with an
open umask.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem.store.trouble import StoreError

ROOT = 0

SCARCE = 64 * 1024 * 1024
"""Octets of free space below which a disk counts as nearly full: some thousand letters."""

FULL = 2 * 1024 * 1024
"""Octets of free space below which a commit or a letter may not fit any more."""


def name_of(user: int) -> str:
    """The name of a user, or the number where there is none."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def not_ours(path: Path, whole: Path | None = None) -> str:
    """What to say, and to do, when `path` belongs to another user; empty when it is ours or is not there.

    `whole` is the folder to give to us where more than `path` may be another's. The superuser is never what helps:
    what he has made stops the daemon.
    """
    with suppress(OSError):
        owner, us = path.stat().st_uid, os.geteuid()
        if owner != us:
            run = f"run `sudo -u {name_of(owner)} pbem …`" if owner != ROOT else ""
            give = f"give it to {name_of(us)} with `sudo chown -R {name_of(us)} {whole or path}`" if us != ROOT else ""
            ways = ", or ".join(way for way in (run, give) if way)
            return f"{path} belongs to {name_of(owner)}, and pbem runs as {name_of(us)}: {ways}"
    return ""


def not_for_root(*paths: Path) -> None:
    """Raises StoreError when we are the superuser and one of them is somebody's, before anything is written there.

    He is let in everywhere, and the daemon would no longer be let in to what he has made.
    """
    for path in paths if os.geteuid() == ROOT else ():
        if whose := not_ours(path):
            raise StoreError(f"{whose}; nothing was done")


def strangers(folder: Path) -> Iterator[Path]:
    """Everything in `folder`, itself included, that belongs to another user than us, or that we may not look into."""
    for path in _below(folder):
        with suppress(OSError):
            found = path.lstat()
            closed = stat.S_ISDIR(found.st_mode) and not os.access(path, os.R_OK | os.X_OK)
            if found.st_uid != os.geteuid() or closed or not os.access(path, os.R_OK, follow_symlinks=False):
                yield path


def ajar(folder: Path) -> Iterator[Path]:
    """Everything in `folder`, itself included, that other users may read or write by its mode."""
    for path in _below(folder):
        with suppress(OSError):
            mode = path.lstat().st_mode
            if not stat.S_ISLNK(mode) and mode & 0o077:
                yield path


def close(folder: Path) -> int:
    """Take from everybody else what they may do with `folder` and everything in it; at how many places. OSError."""
    count = 0
    for path in ajar(folder):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
        count += 1
    return count


def _below(folder: Path) -> Iterator[Path]:
    yield folder
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(where, name)


def free(path: Path) -> int:
    """Free octets of the disk that `path` lies, or would lie, on."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return shutil.disk_usage(path).free


def read_only(path: Path) -> bool:
    """Whether nobody can write to the disk of `path`, whatever its mode."""
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def filled(path: Path, least: int = FULL) -> str:
    """What to say when less than `least` is free on the disk of `path`; empty when there is enough."""
    left = free(path)
    if left >= least:
        return ""
    return f"the disk of {path} is {'' if left < FULL else 'nearly '}full: {left // 1024:,} kB are free"
