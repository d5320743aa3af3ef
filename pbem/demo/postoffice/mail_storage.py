"""Accounts and folders of the local post office: one Maildir++ per account, with an index in memory.

`ACCOUNT/{cur,new,tmp}` is INBOX and `ACCOUNT/.NAME/{cur,new,tmp}` another folder, so mutt and others can open them.
Files have line feeds only. UIDs hold while the office is open: a later one has another UIDVALIDITY.
"""

from __future__ import annotations

import itertools
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pbem.store.durable_files import sync_folder

FLAGS = {"D": "\\Draft", "F": "\\Flagged", "R": "\\Answered", "S": "\\Seen", "T": "\\Deleted"}
"""Maildir's letters and IMAP's words for the same flags."""

_LETTERS = {word.lower(): letter for letter, word in FLAGS.items()}
_FOLDER = re.compile(r"(?!inbox$)(?=.{1,100}$)[a-z0-9_&,+@' -]+(\.[a-z0-9_&,+@' -]+)*", re.IGNORECASE)
_counter = itertools.count()


def flag_letters(words: Iterable[str]) -> frozenset[str]:
    """Maildir letters of IMAP flag words; keywords and unknown flags are left out."""
    return frozenset(_LETTERS[word.lower()] for word in words if word.lower() in _LETTERS)


@dataclass(eq=False)
class StoredMail:
    """One letter in a folder. `size` in octets with CR LF; `gone` once removed."""

    uid: int
    size: int
    date: datetime
    flags: frozenset[str]
    path: Path
    gone: bool = False

    @property
    def flag_words(self) -> str:
        """The flags as IMAP writes them."""
        return " ".join(FLAGS[letter] for letter in sorted(self.flags) if letter in FLAGS)

    def raw(self) -> bytes:
        """The letter with CR LF. Raises FileNotFoundError if somebody has deleted the file."""
        return self.find().read_bytes().replace(b"\n", b"\r\n")

    def find(self) -> Path:
        """Where the file is now: another mail program renames what follows the colon. Raises FileNotFoundError."""
        if not self.path.exists():
            stem, folder = self.path.name.partition(":")[0], self.path.parent.parent
            found = (path for part in ("cur", "new") for path in folder.glob(f"{part}/{stem}*"))
            self.path = next(found, self.path)
        return self.path


def _time(file: Path) -> datetime:
    return datetime.fromtimestamp(int(file.stat().st_mtime), UTC)


class Folder:
    """The letters of one folder by UID, ascending. `version` grows with each change, and the watchers are called."""

    def __init__(self, name: str, path: Path, durable: bool) -> None:
        self.name = name
        self.path = path
        self.uidvalidity = secrets.randbits(31) + 1
        self.uidnext = 1
        self.mails: dict[int, StoredMail] = {}
        self.version = 0
        self.watchers: set[Callable[[], None]] = set()
        self._durable = durable
        for part in ("tmp", "new", "cur"):
            (path / part).mkdir(parents=True, exist_ok=True)
        found = [file for part in ("new", "cur") for file in (path / part).iterdir()]
        for file in sorted(found, key=lambda file: file.stat().st_mtime_ns):
            flags = frozenset(file.name.partition(":2,")[2])
            size = len(file.read_bytes().replace(b"\n", b"\r\n"))
            self._insert(StoredMail(0, size, _time(file), flags, file))

    def add(self, raw: bytes, flags: frozenset[str] = frozenset(), date: datetime | None = None) -> StoredMail:
        """Write a letter. It is on the disk, file and directory entry, before this returns."""
        stored = raw.replace(b"\r\n", b"\n")
        base = f"{time.time_ns() // 1000}.P{os.getpid()}Q{next(_counter)}.localhost"
        draft, path = self.path / "tmp" / base, self._place(base, flags)
        with draft.open("xb") as file:
            file.write(stored)
            if self._durable:
                file.flush()
                os.fsync(file.fileno())
        if date is not None:
            os.utime(draft, (date.timestamp(),) * 2)
        draft.rename(path)
        self._sync(path.parent)
        return self._insert(StoredMail(0, len(stored) + stored.count(b"\n"), _time(path), flags, path))

    def mark(self, mail: StoredMail, flags: frozenset[str]) -> None:
        """Set exactly these flags. Raises FileNotFoundError."""
        if mail.flags != flags:
            path = self.path / "cur" / f"{mail.path.name.partition(':')[0]}:2,{''.join(sorted(flags))}"
            mail.find().rename(path)
            mail.path, mail.flags = path, flags
            self._changed()

    def remove(self, mails: Iterable[StoredMail]) -> None:
        """Delete letters from the disk for good."""
        for mail in mails:
            mail.find().unlink(missing_ok=True)
            self._forget(mail)
        self._sync(self.path / "cur")
        self._changed()

    def move(self, mails: Iterable[StoredMail], target: Folder) -> list[tuple[StoredMail, StoredMail]]:
        """Move letters; pairs of what it was here and what it is there. Files that are gone are passed over."""
        pairs: list[tuple[StoredMail, StoredMail]] = []
        for mail in mails:
            path = target._place(mail.path.name.partition(":")[0], mail.flags)
            self._forget(mail)
            try:
                mail.find().rename(path)
            except FileNotFoundError:
                continue
            pairs.append((mail, target._insert(StoredMail(0, mail.size, mail.date, mail.flags, path))))
        for folder in (target, self):
            folder._sync(folder.path / "cur")
            folder._sync(folder.path / "new")
        self._changed()
        return pairs

    def _place(self, base: str, flags: frozenset[str]) -> Path:
        return self.path / "cur" / f"{base}:2,{''.join(sorted(flags))}" if flags else self.path / "new" / base

    def _insert(self, mail: StoredMail) -> StoredMail:
        mail.uid = self.uidnext
        self.uidnext += 1
        self.mails[mail.uid] = mail
        self._changed()
        return mail

    def _forget(self, mail: StoredMail) -> None:
        mail.gone = True
        self.mails.pop(mail.uid, None)

    def _changed(self) -> None:
        self.version += 1
        for tell in tuple(self.watchers):
            tell()

    def _sync(self, directory: Path) -> None:
        if self._durable:
            sync_folder(directory)


class Account:
    """One person's mail. Without `durable` nothing is forced to the disk."""

    def __init__(self, path: Path, durable: bool) -> None:
        self._path = path
        self._durable = durable
        self.inbox = Folder("INBOX", path, durable)
        self.folders = {"INBOX": self.inbox}
        for entry in sorted(path.glob(".*/")):
            self.create(entry.name[1:])

    def folder(self, name: str) -> Folder | None:
        """The folder of that name, INBOX in whatever case."""
        return self.folders.get("INBOX" if name.upper() == "INBOX" else name)

    def create(self, name: str) -> bool:
        """Open a folder, new or from before; False if the name is taken or cannot be one."""
        if not _FOLDER.fullmatch(name) or name in self.folders:
            return False
        self.folders[name] = Folder(name, self._path / f".{name}", self._durable)
        return True
