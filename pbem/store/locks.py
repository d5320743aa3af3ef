"""Locks a game or a store, and tells whoever waits who holds the lock.

The lock is the kernel's (flock through filelock), so a killed holder lets go by dying. The holder's name lies in a file
beside it, because every attempt empties the lock file itself.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from pbem.store.errors import LockHeld, StoreError
from pbem.store.permissions import owner_problem, refuse_root


def process_exists(process: str | int) -> bool:
    """Whether a process of that number runs on this machine, whoever owns it."""
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError, PermissionError) as odd:
        return isinstance(odd, PermissionError)
    return True


class Lock:
    """A lock at `path`; `what` names the locked thing in errors. Re-entrant within one thread."""

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        self._holder = path.with_suffix(".holder")
        self._what = what

    @cached_property
    def _lock(self) -> BaseFileLock:
        # Made on first use: most games are only read.
        return FileLock(self._path, mode=0o600)

    @property
    def held(self) -> bool:
        return self._lock.is_locked

    @contextmanager
    def taken(self, why: str, wait: float) -> Iterator[bool]:
        """Hold the lock; yields whether it was free before. Raises LockHeld after `wait` seconds, StoreError where the
        files belong to another user."""
        first = not self._lock.is_locked
        refuse_root(self._path.parent)
        try:
            self._lock.acquire(timeout=wait, poll_interval=0.02)
        except Timeout:
            raise LockHeld(self._what, self.holder(), wait) from None
        except PermissionError as odd:
            raise StoreError(f"{self._what} cannot be locked: {owner_problem(self._path) or odd}") from None
        try:
            if first:
                since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
                self._holder.write_text(f"{why}, process {os.getpid()} on {socket.gethostname()}, since {since}\n")
            yield first
        finally:
            self._lock.release()

    def holder(self) -> str:
        """Who held it last, in their words."""
        try:
            return self._holder.read_text().strip() or "somebody unnamed"
        except OSError:
            return "somebody unnamed"
