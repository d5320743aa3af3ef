"""The folder that one client has opened: its sequence numbers, what is done in it, and what the client is told."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from contextlib import suppress

from pbem.demo.postoffice.imap_fetch import FetchedLetter, fetch_items, marks_read
from pbem.demo.postoffice.imap_grammar import BadCommand, Word, atom, in_set, read_date
from pbem.demo.postoffice.mail_storage import Folder, StoredMail, flag_letters

Criterion = Callable[[StoredMail], bool]

_FLAGS = {"ANSWERED": "R", "DELETED": "T", "DRAFT": "D", "FLAGGED": "F", "SEEN": "S"}
_DATES = {"BEFORE": operator.lt, "ON": operator.eq, "SINCE": operator.ge}


class SelectedFolder:
    """Numbers change only when `changes` is called, never in the middle of an answer (RFC 3501 section 7.4.1).

    `tell` is called at each change of the folder, until `close`. All that reads words raises BadCommand.
    """

    def __init__(self, folder: Folder, read_only: bool, tell: Callable[[], None]) -> None:
        self.folder = folder
        self.read_only = read_only
        self.mails = list(folder.mails.values())
        self._told = {mail.uid: mail.flags for mail in self.mails}
        self._version = folder.version
        self._tell = tell
        folder.watchers.add(tell)

    def close(self) -> None:
        """Watch no longer."""
        self.folder.watchers.discard(self._tell)

    def changes(self, removals: bool) -> bytes:
        """What has happened since the last call, as untagged answers; removals wait unless they may be told."""
        if self._version == self.folder.version:
            return b""
        told: list[str] = []
        for place in reversed(range(len(self.mails))) if removals else ():
            if self.mails[place].gone:
                del self.mails[place]
                told.append(f"* {place + 1} EXPUNGE")
        if fresh := [mail for mail in self.folder.mails.values() if mail.uid not in self._told]:
            self.mails += fresh
            self._told |= {mail.uid: mail.flags for mail in fresh}
            told.append(f"* {len(self.mails)} EXISTS")
        for number, mail in enumerate(self.mails, 1):
            if self._told[mail.uid] != mail.flags:
                self._told[mail.uid] = mail.flags
                told.append(f"* {number} FETCH (UID {mail.uid} FLAGS ({mail.flag_words}))")
        if not any(mail.gone for mail in self.mails):
            self._version = self.folder.version
        return "".join(f"{line}\r\n" for line in told).encode()

    def _numbered(self, numbers: str, by_uid: bool) -> list[tuple[int, StoredMail]]:
        """The letters that a set names, with their sequence numbers."""
        known = {mail.uid if by_uid else number: number for number, mail in enumerate(self.mails, 1)}
        found = [known[one] for one in in_set(numbers, list(known))]
        return [(number, self.mails[number - 1]) for number in found if not self.mails[number - 1].gone]

    def fetch(self, words: list[Word], by_uid: bool) -> Iterable[bytes]:
        """The answers of FETCH, one line (with its literals) per letter."""
        if len(words) != 2:
            raise BadCommand("FETCH needs a set of numbers and what to fetch")
        items = fetch_items(words[1])
        if by_uid and "UID" not in items:
            items = ["UID", *items]
        reads = not self.read_only and any(map(marks_read, items))
        for number, mail in self._numbered(atom(words[0]), by_uid):
            if mail.gone:
                # Another client was served while this one was written to.
                continue
            newly_read = reads and "S" not in mail.flags
            if newly_read and not self._mark(mail, mail.flags | {"S"}):
                continue
            letter, wanted = FetchedLetter(mail), [*items, "FLAGS"] if newly_read else items
            try:
                yield b"* %d FETCH (" % number + b" ".join(map(letter.value, dict.fromkeys(wanted))) + b")\r\n"
            except FileNotFoundError:
                self.folder.remove([mail])

    def store(self, words: list[Word], by_uid: bool) -> Iterable[bytes]:
        """Change flags; the answers tell the new ones unless SILENT was asked for."""
        verb, _, silent = atom(words[1]).upper().partition(".") if len(words) > 2 else ("", "", "")
        if verb not in ("FLAGS", "+FLAGS", "-FLAGS") or silent not in ("", "SILENT"):
            raise BadCommand("STORE needs a set of numbers, FLAGS, +FLAGS or -FLAGS, and flags")
        letters = flag_letters(map(atom, words[2] if isinstance(words[2], list) else words[2:]))
        for number, mail in self._numbered(atom(words[0]), by_uid):
            flags = {"FLAGS": letters, "+FLAGS": mail.flags | letters, "-FLAGS": mail.flags - letters}[verb]
            if self._mark(mail, flags) and not silent:
                uid = f"UID {mail.uid} " if by_uid else ""
                yield f"* {number} FETCH ({uid}FLAGS ({mail.flag_words}))\r\n".encode()

    def _mark(self, mail: StoredMail, flags: frozenset[str]) -> bool:
        """Set flags by this client's own wish, which it is not told of again; False if the file is gone."""
        try:
            self.folder.mark(mail, flags)
        except FileNotFoundError:
            # Somebody has deleted the file with another program; from now on the folder knows.
            self.folder.remove([mail])
            return False
        self._told[mail.uid] = mail.flags
        return True

    def expunge(self, uids: str = "1:*") -> None:
        """Delete those of some letters that are marked so."""
        self.folder.remove([mail for _, mail in self._numbered(uids, True) if "T" in mail.flags])

    def transfer(self, numbers: str, target: Folder, by_uid: bool, move: bool) -> str:
        """Copy or move letters; the COPYUID answer code, or "" if there were none. Raises FileNotFoundError."""
        mails = [mail for _, mail in self._numbered(numbers, by_uid)]
        if move:
            pairs = self.folder.move(mails, target)
        else:
            # All are read before the first is written: a letter that is gone must not leave half a copy.
            raws = [mail.raw() for mail in mails]
            pairs = [(mail, target.add(raw, mail.flags, mail.date)) for mail, raw in zip(mails, raws, strict=True)]
        old, new = (",".join(str(pair[side].uid) for pair in pairs) for side in (0, 1))
        return f"[COPYUID {target.uidvalidity} {old} {new}] " if pairs else ""

    def search(self, words: list[Word], by_uid: bool) -> list[int]:
        """The numbers, or UIDs, of the letters that fit (RFC 3501 section 6.4.4)."""
        if len(words) > 2 and words[0] == b"CHARSET":
            words = words[2:]
        fits = self._criterion(words)
        found = ((number, mail) for number, mail in enumerate(self.mails, 1) if not mail.gone and fits(mail))
        return [mail.uid if by_uid else number for number, mail in found]

    def _criterion(self, words: list[Word]) -> Criterion:
        words, tests = list(words), list[Criterion]()
        while words or not tests:
            tests.append(self._key(words))
        return lambda mail: all(one(mail) for one in tests)

    def _key(self, words: list[Word]) -> Criterion:
        """One search key, taken from the beginning of the words: flags, days, numbers and header fields."""
        if not words:
            raise BadCommand("the search ends too early")
        first = words.pop(0)
        if isinstance(first, list):
            return self._criterion(first)
        key = atom(first).upper()
        if key == "ALL":
            return lambda mail: True
        if (flag := _FLAGS.get(key.removeprefix("UN"))) is not None:
            return lambda mail: (flag in mail.flags) is not key.startswith("UN")
        if key == "NOT":
            inner = self._key(words)
            return lambda mail: not inner(mail)
        if key == "OR":
            one, other = self._key(words), self._key(words)
            return lambda mail: one(mail) or other(mail)
        told = atom(words.pop(0)) if words and key in ("CC", "FROM", "SUBJECT", "TO", "UID", *_DATES) else ""
        if key in ("CC", "FROM", "SUBJECT", "TO"):
            return lambda mail: told.lower() in _field(mail, key).lower()
        if key in _DATES:
            day = read_date(told).date()
            return lambda mail: bool(_DATES[key](mail.date.date(), day))
        uids = {mail.uid for _, mail in self._numbered(told or key, key == "UID")}
        return lambda mail: mail.uid in uids


def _field(mail: StoredMail, name: str) -> str:
    """A field of a letter's header; empty where there is none, or no letter any more."""
    with suppress(FileNotFoundError):
        return str(FetchedLetter(mail).tree.get(name, ""))
    return ""
