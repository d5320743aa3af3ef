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


def not_ours(path: Path) -> str:
    """What to say, and to do, when `path` belongs to another user; empty when it is ours or is not there."""
    with suppress(OSError):
        owner = path.stat().st_uid
        if owner != os.geteuid():
            us, them = name_of(os.geteuid()), name_of(owner)
            return (
                f"{path} belongs to {them}, and pbem runs as {us}: run `sudo -u {them} pbem …`, "
                f"or give it to {us} with `sudo chown -R {us} {path}`"
            )
    return ""


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


def filled(path: Path, least: int = FULL) -> str:
    """What to say when less than `least` is free on the disk of `path`; empty when there is enough."""
    left = free(path)
    if left >= least:
        return ""
    return f"the disk of {path} is {'' if left < FULL else 'nearly '}full: {left // 1024:,} kB are free"
