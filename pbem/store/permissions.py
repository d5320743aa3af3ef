"""Checks who owns a host's files, who else can read them, and how much room their disk has.

Typically `sudo pbem …` made files that the service's user cannot open, or a folder was copied with an open umask.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem.store.errors import StoreError

ROOT = 0

LOW_SPACE = 64 * 1024 * 1024
"""Octets of free space below which a disk is nearly full: room for some thousand letters."""

NO_SPACE = 2 * 1024 * 1024
"""Octets of free space below which a commit or a letter may not fit."""


def user_name(user: int) -> str:
    """The name of a user, or the number where none is known."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def owner_problem(path: Path, whole: Path | None = None) -> str:
    """What is wrong, and what helps, when `path` belongs to another user; empty when it is ours or missing.

    `whole` is the folder whose owner to change, where more than `path` may be affected. Running as root is never the
    advice: files that root makes stop the daemon.
    """
    with suppress(OSError):
        owner, us = path.stat().st_uid, os.geteuid()
        if owner != us:
            run = f"run `sudo -u {user_name(owner)} pbem …`" if owner != ROOT else ""
            me = user_name(us)
            give = f"give it to {me} with `sudo chown -R {me} {whole or path}`" if us != ROOT else ""
            ways = ", or ".join(filter(None, (run, give)))
            return f"{path} belongs to {user_name(owner)}, and pbem runs as {me}: {ways}"
    return ""


def refuse_root(*paths: Path) -> None:
    """Raises StoreError when we are root and one of the paths belongs to another user.

    Root may write anywhere, but the daemon could not open what root makes.
    """
    for path in paths if os.geteuid() == ROOT else ():
        if whose := owner_problem(path):
            raise StoreError(f"{whose}; nothing was done")


def foreign_files(folder: Path) -> Iterator[Path]:
    """Everything in `folder`, itself included, that belongs to another user or that we cannot read."""
    for path in _below(folder):
        with suppress(OSError):
            found = path.lstat()
            closed = stat.S_ISDIR(found.st_mode) and not os.access(path, os.R_OK | os.X_OK)
            if found.st_uid != os.geteuid() or closed or not os.access(path, os.R_OK, follow_symlinks=False):
                yield path


def world_readable(folder: Path) -> Iterator[Path]:
    """Everything in `folder`, itself included, that other users may read or write."""
    for path in _below(folder):
        with suppress(OSError):
            mode = path.lstat().st_mode
            if not stat.S_ISLNK(mode) and mode & 0o077:
                yield path


def close_to_others(folder: Path) -> int:
    """Close `folder` and everything in it to other users; how many modes were changed. Raises OSError."""
    found = list(world_readable(folder))
    for path in found:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
    return len(found)


def _below(folder: Path) -> Iterator[Path]:
    yield folder
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(where, name)


def free_space(path: Path) -> int:
    """Free octets on the disk of `path`, which need not exist."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return shutil.disk_usage(path).free


def is_read_only(path: Path) -> bool:
    """Whether the disk of `path` is mounted read-only."""
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def space_problem(path: Path, least: int = NO_SPACE) -> str:
    """What is wrong when fewer than `least` octets are free on the disk of `path`; empty when there is enough."""
    left = free_space(path)
    if left >= least:
        return ""
    return f"the disk of {path} is {'' if left < NO_SPACE else 'nearly '}full: {left // 1024:,} kB are free"
