"""Accounts and folders of the local post office: one Maildir++ per account, with an index in memory.

On disk: `ACCOUNT/{cur,new,tmp}` is INBOX and `ACCOUNT/.NAME/{cur,new,tmp}` another folder, so that mutt, or any
program that reads Maildir, opens them. Files have line feeds only. A file's name holds what the index needs:
`1763683200.M12P34Q5.localhost,U=17,W=2345:2,S` has UID 17, 2,345 octets with CR LF, and is read. UIDs grow over the
whole account, so that a folder's next UID can be found again from the names alone; `uidnext` remembers it when
letters were removed. A letter is on disk, file and directory entry, before `deliver` returns.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_NAME = re.compile(r"(?P<base>.+),U=(?P<uid>\d+),W=(?P<size>\d+)(?::2,(?P<flags>[A-Z]*))?")
_FOLDER = re.compile(r"[A-Za-z0-9_&,+@' -]+(\.[A-Za-z0-9_&,+@' -]+)*")
_counter = itertools.count()

FLAGS = {"D": "\\Draft", "F": "\\Flagged", "R": "\\Answered", "S": "\\Seen", "T": "\\Deleted"}
"""Maildir's letters and IMAP's words for the same flags."""

_LETTERS = {word.lower(): letter for letter, word in FLAGS.items()}


@dataclass(eq=False)
class StoredMail:
    """One letter in a folder. `size` in octets with CR LF; `date` in seconds since 1970; `gone` once removed."""

    uid: int
    size: int
    date: int
    flags: frozenset[str]
    path: Path
    gone: bool = False

    @property
    def flag_words(self) -> str:
        return " ".join(FLAGS[letter] for letter in sorted(self.flags) if letter in FLAGS)

    def raw(self) -> bytes:
        """The letter with CR LF. Raises FileNotFoundError if somebody has deleted the file."""
        self.path = _present(self.path)
        data = self.path.read_bytes()
        return data.replace(b"\n", b"\r\n")


def _present(path: Path) -> Path:
    """`path`, or what another mail program has made of it: marking read, it renames what follows the colon."""
    if path.exists():
        return path
    stem = path.name.partition(":")[0]
    for directory in ("cur", "new"):
        for candidate in (path.parent.parent / directory).glob(f"{_escaped(stem)}*"):
            return candidate
    raise FileNotFoundError(path)


def _escaped(text: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", text)


def flag_letters(words: Iterable[str]) -> frozenset[str]:
    """Maildir letters of IMAP flag words; keywords and unknown flags are left out."""
    return frozenset(_LETTERS[word.lower()] for word in words if word.lower() in _LETTERS)


class Watcher(Protocol):
    """Somebody who has a folder open; told at once of what happens in it."""

    def added(self, mail: StoredMail) -> None: ...
    def removed(self, mail: StoredMail) -> None: ...
    def marked(self, mail: StoredMail) -> None: ...


class Folder:
    """The letters of one folder by UID, and who watches it."""

    def __init__(self, account: Account, name: str, path: Path) -> None:
        self.account = account
        self.name = name
        self.path = path
        self.mails: dict[int, StoredMail] = {}
        """In the order of their UIDs."""
        self.watchers: list[Watcher] = []
        for directory in ("tmp", "new", "cur"):
            (path / directory).mkdir(parents=True, exist_ok=True)
        found = [mail for directory in ("new", "cur") for mail in _listed(path / directory)]
        self.mails = {mail.uid: mail for mail in sorted(found, key=lambda mail: mail.uid)}

    def add(self, raw: bytes, flags: frozenset[str] = frozenset(), date: float | None = None) -> StoredMail:
        """Write a letter durably and tell the watchers."""
        stored = raw.replace(b"\r\n", b"\n")
        size = len(stored) + stored.count(b"\n")
        uid = self.account.next_uid()
        seconds, micro = divmod(time.time_ns() // 1000, 1_000_000)
        base = f"{seconds}.M{micro}P{os.getpid()}Q{next(_counter)}.localhost,U={uid},W={size}"
        draft = self.path / "tmp" / base
        with draft.open("xb") as file:
            file.write(stored)
            if self.account.durable:
                file.flush()
                os.fsync(file.fileno())
        when = int(seconds if date is None else date)
        if date is not None:
            os.utime(draft, (when, when))
        path = self._place(base, flags)
        draft.rename(path)
        self.account.sync(path.parent)
        mail = StoredMail(uid, size, when, flags, path)
        self._insert(mail)
        return mail

    def mark(self, mail: StoredMail, flags: frozenset[str], by: Watcher | None = None) -> None:
        """Set exactly `flags`. The watchers except `by` are told."""
        kept = mail.flags - FLAGS.keys()
        if mail.gone or mail.flags == flags | kept:
            return
        base = mail.path.name.partition(":")[0]
        path = self._place(base, flags | kept, cur=True)
        _present(mail.path).rename(path)
        mail.path, mail.flags = path, flags | kept
        for watcher in self.watchers:
            if watcher is not by:
                watcher.marked(mail)

    def remove(self, mails: Iterable[StoredMail]) -> None:
        """Delete the letters from the disk for good."""
        self.account.remember_uids()
        for mail in mails:
            mail.path.unlink(missing_ok=True)
            self._forget(mail)
        self.account.sync(self.path / "cur")

    def move(self, mails: Iterable[StoredMail], target: Folder) -> list[tuple[StoredMail, StoredMail]]:
        """Move letters; pairs of what it was here and what it is there."""
        pairs: list[tuple[StoredMail, StoredMail]] = []
        vanished = []
        for mail in mails:
            uid = self.account.next_uid()
            base = re.sub(r",U=\d+,", f",U={uid},", mail.path.name.partition(":")[0])
            path = target._place(base, mail.flags)
            try:
                _present(mail.path).rename(path)
            except FileNotFoundError:
                vanished.append(mail)
                continue
            moved = StoredMail(uid, mail.size, mail.date, mail.flags, path)
            pairs.append((mail, moved))
        for directory in (target.path / "cur", target.path / "new", self.path / "cur", self.path / "new"):
            self.account.sync(directory)
        for mail in vanished:
            self._forget(mail)
        for mail, moved in pairs:
            self._forget(mail)
            target._insert(moved)
        return pairs

    def _place(self, base: str, flags: frozenset[str], *, cur: bool = False) -> Path:
        if not flags and not cur:
            return self.path / "new" / base
        return self.path / "cur" / f"{base}:2,{''.join(sorted(flags))}"

    def _insert(self, mail: StoredMail) -> None:
        self.mails[mail.uid] = mail
        for watcher in self.watchers:
            watcher.added(mail)

    def _forget(self, mail: StoredMail) -> None:
        mail.gone = True
        del self.mails[mail.uid]
        for watcher in self.watchers:
            watcher.removed(mail)


class Account:
    """One person's mail."""

    def __init__(self, name: str, path: Path, durable: bool = True) -> None:
        self.name = name
        self.path = path
        self.durable = durable
        path.mkdir(parents=True, exist_ok=True)
        self._uid_file = path / "uidnext"
        self._uid = int(self._uid_file.read_text()) if self._uid_file.exists() else 1
        validity = path / "uidvalidity"
        if not validity.exists():
            validity.write_text(f"{int(time.time())}\n")
        self.uidvalidity = int(validity.read_text())
        self.folders = {"INBOX": Folder(self, "INBOX", path)}
        for entry in sorted(path.iterdir()):
            if entry.is_dir() and entry.name.startswith(".") and folder_name(entry.name[1:]):
                self.folders[entry.name[1:]] = Folder(self, entry.name[1:], entry)
        highest = max((uid for folder in self.folders.values() for uid in folder.mails), default=0)
        self._uid = max(self._uid, highest + 1)

    def sync(self, directory: Path) -> None:
        """Force the entries of a directory to the disk."""
        if not self.durable:
            return
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    @property
    def uidnext(self) -> int:
        return self._uid

    def next_uid(self) -> int:
        self._uid += 1
        return self._uid - 1

    def remember_uids(self) -> None:
        """Called before letters are deleted, whose names were the only record of their UIDs."""
        draft = self._uid_file.with_suffix(".tmp")
        draft.write_text(f"{self._uid}\n")
        draft.replace(self._uid_file)

    def folder(self, name: str) -> Folder | None:
        return self.folders.get("INBOX" if name.upper() == "INBOX" else name)

    def create(self, name: str) -> Folder | None:
        """A new folder, or None if the name is taken or cannot be one."""
        if not folder_name(name) or self.folder(name) is not None:
            return None
        folder = self.folders[name] = Folder(self, name, self.path / f".{name}")
        self.sync(self.path)
        return folder

    def delete(self, name: str) -> bool:
        """Remove a folder with all its letters; INBOX stays."""
        folder = self.folders.get(name)
        if folder is None or name == "INBOX":
            return False
        folder.remove(list(folder.mails.values()))
        for directory in ("tmp", "new", "cur"):
            for leftover in (folder.path / directory).iterdir():
                leftover.unlink()
            (folder.path / directory).rmdir()
        folder.path.rmdir()
        del self.folders[name]
        return True


def folder_name(name: str) -> bool:
    """Whether a folder can have this name: letters, digits, a few signs, and dots between levels."""
    return len(name) <= 100 and name.upper() != "INBOX" and _FOLDER.fullmatch(name) is not None


def _listed(directory: Path) -> Iterator[StoredMail]:
    for entry in os.scandir(directory):
        known = _NAME.fullmatch(entry.name)
        if known:
            flags = frozenset(known["flags"] or "")
            date = int(entry.stat().st_mtime)
            yield StoredMail(int(known["uid"]), int(known["size"]), date, flags, Path(entry.path))
