"""A mailbox on this machine, as a Maildir: the local counterpart of `mailbox`, which speaks IMAP.

A mail server writes each letter as a file into `new/`; mail programs move it to `cur/`. Answered letters go to
`.Handled/cur/` (Maildir++, as in Dovecot and mutt). The file name up to its colon never changes, so the UID in the
spool is a hash of it.

Every call can be repeated and a failed one loses nothing, because a letter is moved by one rename. Letters have CR LF
line ends, as from IMAP.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time
from pathlib import Path

from pbem.inbound.mailbox import FETCH_LIMIT, Arrived, MailboxError, NotFiled
from pbem.store.durable_files import sync_folder

VALIDITY = 1
"""The UIDVALIDITY (RFC 3501), constant because file names are never reused."""

PARTS = ("tmp", "new", "cur")


class Maildir:
    """A folder of letters at `path`. While waiting, it is listed every `poll` seconds."""

    def __init__(self, path: Path, poll: float = 1.0) -> None:
        self.path = path
        self.poll = poll
        self._known: frozenset[str] = frozenset()

    async def connect(self) -> None:
        """Check that the folder is writable, and make missing parts. Raises MailboxError if its parent is missing."""
        with self._told("opening"):
            if not self.path.parent.is_dir():
                raise MailboxError(f"{self.path}: there is no folder {self.path.parent} for it to lie in")
            for part in PARTS:
                (self.path / part).mkdir(mode=0o700, parents=True, exist_ok=True)
                if not os.access(self.path / part, os.R_OK | os.W_OK | os.X_OK):
                    raise MailboxError(f"{self.path / part}: the user {os.getuid()} may not read and write it")

    async def arrived(self, since: date | None = None) -> list[Arrived]:
        """Every letter in the folder, oldest first; `since`: only of that day or later. Raises MailboxError."""
        with self._told("listing"):
            found = sorted(self._files(), key=lambda row: (row[1].st_mtime_ns, row[0].name))
        self._known = frozenset(_base(path) for path, _ in found)
        begin = 0.0 if since is None else datetime.combine(since, time.min, UTC).timestamp()
        return [Arrived(VALIDITY, uid_of(path), info.st_size) for path, info in found if info.st_mtime >= begin]

    async def fetch(self, letters: Sequence[Arrived], limit: int = FETCH_LIMIT) -> dict[Arrived, bytes]:
        """The first `limit` octets of each letter. Missing, empty and unreadable letters are left out."""
        with self._told("listing"):
            places = self._places()
        found: dict[Arrived, bytes] = {}
        for one in letters:
            with suppress(OSError, KeyError):
                if raw := _read(places[one.uid], limit):
                    found[one] = raw
        return found

    async def head(self, letter: Arrived) -> bytes:
        """Always empty: nothing is known of a file that cannot be read."""
        return b""

    async def file(self, letters: Sequence[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        """Mark the letters read and move them to another folder, making it if needed. Returns their new places.

        Missing letters are ignored. Raises NotFiled.
        """
        target = self.beside(folder).path / "cur"
        await self.make(folder)
        with self._told(f"moving letters to {folder}", NotFiled):
            places = self._places()
            moved = [one for one in letters if one.uid in places]
            for one in moved:
                places[one.uid].rename(target / _filed(places[one.uid]))
            for directory in (target, self.path / "new", self.path / "cur"):
                sync_folder(directory)
        return {one: (VALIDITY, one.uid) for one in moved}

    async def make(self, folder: str) -> str:
        """Make a folder if it is missing, and return its path. Raises NotFiled."""
        there = self.beside(folder)
        try:
            await there.connect()
        except MailboxError as odd:
            raise NotFiled(str(odd)) from None
        return str(there.path)

    async def expunge(self, uidvalidity: int, uids: Sequence[int]) -> bool:
        """Remove exactly these letters for good. Returns False and does nothing for another UIDVALIDITY."""
        if uidvalidity != VALIDITY:
            return False
        with self._told("removing letters"):
            places = self._places()
            for one in uids:
                if one in places:
                    places[one].unlink(missing_ok=True)
            sync_folder(self.path / "cur")
        return True

    async def wait(self, seconds: float) -> None:
        """Return when a letter has come since the last `arrived`, or after `seconds`. Raises MailboxError."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (left := end - loop.time()) > 0:
            with self._told("looking"):
                if any(_base(path) not in self._known for path, _ in self._files()):
                    return
            await asyncio.sleep(min(left, self.poll))

    async def close(self) -> None:
        """Nothing is held open."""

    def beside(self, folder: str) -> Maildir:
        """Another folder of the same mailbox."""
        return Maildir(self.path / f".{folder}", self.poll)

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        return [found for part in ("new", "cur") for found in _letters(self.path / part)]

    def _places(self) -> dict[int, Path]:
        return {uid_of(path): path for path, _ in self._files()}

    @contextmanager
    def _told(self, what: str, kind: type[MailboxError] = MailboxError) -> Iterator[None]:
        try:
            yield
        except OSError as odd:
            which = f" ({os.fsencode(odd.filename).decode(errors='replace')})" if odd.filename else ""
            raise kind(f"{self.path}: {what} failed: {odd.strerror or odd}{which}") from None


def _letters(directory: Path) -> Iterator[tuple[Path, os.stat_result]]:
    with os.scandir(directory) as entries:
        for entry in entries:
            try:
                info = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # Somebody's mail program has just moved it.
            if stat.S_ISREG(info.st_mode) and not entry.name.startswith("."):
                yield Path(entry.path), info


def uid_of(path: Path) -> int:
    """The UID of a letter, the same in every folder of the mailbox."""
    return int.from_bytes(hashlib.sha256(os.fsencode(_base(path))).digest()[:7], "big")


def _base(path: Path) -> str:
    return path.name.partition(":")[0]


def _filed(path: Path) -> str:
    """The file name with the flag for «seen», cut to 255 octets."""
    return os.fsdecode(os.fsencode(f"{_base(path)}:2,S")[:255])


def _read(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        raw = file.read(limit + 1)
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")[:limit]
