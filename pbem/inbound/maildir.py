"""The games' mailbox where mail is delivered on this very machine: a Maildir, beside `mailbox` for one behind IMAP.

A mail server puts each letter as a file of its own into `new/`; a person who looks with a mail program moves it to
`cur/`. Letters that are done with go to a folder beside it, `.Handled/cur/` (Maildir++, as Dovecot and mutt know it).
A file's name, up to its colon, is the letter's own for ever, so the UID that the spool knows is a number made of it.

Every call may be repeated, and a broken one loses nothing: letters are moved by one rename each. What a letter's bytes
are does not depend on the way: line ends are CR LF, as IMAP gives them.
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
from pbem.store.durable import sync_folder

VALIDITY = 1
"""What stands for UIDVALIDITY (RFC 3501): names are never given anew."""

PARTS = ("tmp", "new", "cur")


class Maildir:
    """A folder of letters at `path`; `poll` is how often it is looked at while waiting, in seconds."""

    def __init__(self, path: Path, poll: float = 1.0) -> None:
        self.path = path
        self.poll = poll
        self._known: frozenset[str] = frozenset()

    async def connect(self) -> None:
        """Look that the folder is there and may be written; its three parts are made where they are missing.

        Raises MailboxError: no letter is ever looked for in a place that nobody delivers to.
        """
        with self._told("opening"):
            if not self.path.parent.is_dir():
                raise MailboxError(f"{self.path}: there is no folder {self.path.parent} for it to lie in")
            for part in PARTS:
                (self.path / part).mkdir(mode=0o700, parents=True, exist_ok=True)
                if not os.access(self.path / part, os.R_OK | os.W_OK | os.X_OK):
                    raise MailboxError(f"{self.path / part}: the user {os.getuid()} may not read and write it")

    async def arrived(self, since: date | None = None) -> list[Arrived]:
        """Every letter in the folder, oldest first; `since`: come on that day or later. Raises MailboxError."""
        with self._told("listing"):
            found = sorted(self._files(), key=lambda row: (row[1].st_mtime_ns, row[0].name))
        self._known = frozenset(_base(path) for path, _ in found)
        begin = 0.0 if since is None else datetime.combine(since, time.min, UTC).timestamp()
        return [Arrived(VALIDITY, uid(path), info.st_size) for path, info in found if info.st_mtime >= begin]

    async def fetch(self, letters: Sequence[Arrived], limit: int = FETCH_LIMIT) -> dict[Arrived, bytes]:
        """Each letter's octets; of one larger than `limit`, the first `limit`. What is gone, empty or cannot be read
        is not among them."""
        with self._told("listing"):
            places = self._places()
        found: dict[Arrived, bytes] = {}
        for one in letters:
            with suppress(OSError, KeyError):
                if raw := _read(places[one.uid], limit):
                    found[one] = raw
        return found

    async def head(self, letter: Arrived) -> bytes:
        """Nothing: of a file that cannot be read, nothing is known."""
        return b""

    async def file(self, letters: Sequence[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        """Mark the letters read and move them to a folder beside, made where needed; where each lies then.

        Letters that are gone are passed over. Raises NotFiled.
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
        """Make a folder beside, where it is missing; where it lies. Raises NotFiled where letters cannot go there."""
        there = self.beside(folder)
        try:
            await there.connect()
        except MailboxError as odd:
            raise NotFiled(str(odd)) from None
        return str(there.path)

    async def expunge(self, uidvalidity: int, uids: Sequence[int]) -> bool:
        """Remove exactly these letters for good; False, and nothing is done, where they were counted elsewhere."""
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
        return {uid(path): path for path, _ in self._files()}

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


def uid(path: Path) -> int:
    """The number that a letter has for as long as it lies in any folder of the mailbox."""
    return int.from_bytes(hashlib.sha256(os.fsencode(_base(path))).digest()[:7], "big")


def _base(path: Path) -> str:
    return path.name.partition(":")[0]


def _filed(path: Path) -> str:
    """The name of a letter that was read; one that leaves no room for the mark (255 octets) keeps as much as fits."""
    return os.fsdecode(os.fsencode(f"{_base(path)}:2,S")[:255])


def _read(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        raw = file.read(limit + 1)
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")[:limit]
