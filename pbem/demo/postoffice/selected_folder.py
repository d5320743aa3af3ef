"""The folder that one client has opened: its sequence numbers, and what the client has yet to be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.demo.postoffice.imap_fetch import FetchedLetter, fetch_items, marks_read
from pbem.demo.postoffice.imap_grammar import BadCommand, Word, atom, in_set
from pbem.demo.postoffice.imap_search import search_criterion
from pbem.demo.postoffice.mail_storage import Folder, StoredMail, flag_letters


class SelectedFolder:
    """Numbers change only when `changes` is called, never in the middle of an answer (RFC 3501 section 7.4.1).

    `tell` is called at each change of the folder, until `close`. All that reads words raises BadCommand.
    """

    def __init__(self, folder: Folder, read_only: bool, tell: Callable[[], None]) -> None:
        self.folder = folder
        self.read_only = read_only
        self.mails = list(folder.mails.values())
        self._tell = tell
        self._told = {mail.uid: mail.flags for mail in self.mails}
        self._highest = self.mails[-1].uid if self.mails else 0
        self._version = folder.version
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
                del self._told[self.mails.pop(place).uid]
                told.append(f"* {place + 1} EXPUNGE")
        if fresh := [mail for mail in self.folder.mails.values() if mail.uid > self._highest]:
            self.mails += fresh
            self._told |= {mail.uid: mail.flags for mail in fresh}
            self._highest = fresh[-1].uid
            told.append(f"* {len(self.mails)} EXISTS")
        for number, mail in enumerate(self.mails, 1):
            if not mail.gone and self._told[mail.uid] != mail.flags:
                self._told[mail.uid] = mail.flags
                told.append(f"* {number} FETCH (UID {mail.uid} FLAGS ({mail.flag_words}))")
        if not any(mail.gone for mail in self.mails):
            self._version = self.folder.version
        return "".join(f"{line}\r\n" for line in told).encode()

    def _numbered(self, numbers: str, by_uid: bool) -> list[tuple[int, StoredMail]]:
        """The letters that a set names, with their sequence numbers."""
        known: Sequence[int] = [mail.uid for mail in self.mails] if by_uid else range(1, len(self.mails) + 1)
        places = {number: place for place, number in enumerate(known)}
        found = [places[number] for number in in_set(numbers, known)]
        return [(place + 1, self.mails[place]) for place in found if not self.mails[place].gone]

    def fetch(self, words: list[Word], by_uid: bool) -> Iterable[bytes]:
        """The answers of FETCH, one line (with its literals) per letter."""
        if len(words) != 2:
            raise BadCommand("FETCH needs a set of numbers and what to fetch")
        items = fetch_items(words[1])
        if by_uid and "UID" not in items:
            items = ["UID", *items]
        reads = not self.read_only and any(map(marks_read, items))
        for number, mail in self._numbered(atom(words[0]), by_uid):
            newly_read = reads and "S" not in mail.flags
            try:
                if newly_read:
                    self._mark(mail, mail.flags | {"S"})
                letter, wanted = FetchedLetter(mail), [*items, "FLAGS"] if newly_read else items
                yield b"* %d FETCH (" % number + b" ".join(map(letter.value, dict.fromkeys(wanted))) + b")\r\n"
            except FileNotFoundError:
                # Somebody has deleted the file with another program; from now on the folder knows.
                self.folder.remove([mail])

    def store(self, words: list[Word], by_uid: bool) -> Iterable[bytes]:
        """Change flags; the answers tell the new ones unless SILENT was asked for."""
        if len(words) < 3:
            raise BadCommand("STORE needs a set of numbers, a word and flags")
        verb, _, silent = atom(words[1]).upper().partition(".")
        letters = flag_letters(atom(word) for word in (words[2] if isinstance(words[2], list) else words[2:]))
        if verb not in ("FLAGS", "+FLAGS", "-FLAGS") or silent not in ("", "SILENT"):
            raise BadCommand("STORE knows FLAGS, +FLAGS and -FLAGS")
        for number, mail in self._numbered(atom(words[0]), by_uid):
            flags = {"FLAGS": letters, "+FLAGS": mail.flags | letters, "-FLAGS": mail.flags - letters}[verb]
            try:
                self._mark(mail, flags)
            except FileNotFoundError:
                self.folder.remove([mail])
                continue
            if not silent:
                uid = f"UID {mail.uid} " if by_uid else ""
                yield f"* {number} FETCH ({uid}FLAGS ({mail.flag_words}))\r\n".encode()

    def _mark(self, mail: StoredMail, flags: frozenset[str]) -> None:
        """Set flags by this client's own wish, which it is not told of again."""
        self.folder.mark(mail, flags)
        self._told[mail.uid] = mail.flags

    def search(self, words: list[Word], by_uid: bool) -> list[int]:
        """The numbers, or UIDs, of the letters that fit."""

        def uids(text: str, by_uid: bool) -> frozenset[int]:
            return frozenset(mail.uid for _, mail in self._numbered(text, by_uid))

        fits = search_criterion(words, uids)
        found = ((number, mail) for number, mail in enumerate(self.mails, 1) if not mail.gone and fits(mail))
        return [mail.uid if by_uid else number for number, mail in found]

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
        if not pairs:
            return ""
        old, new = (",".join(str(mail.uid) for mail in side) for side in zip(*pairs, strict=True))
        return f"[COPYUID {target.uidvalidity} {old} {new}] "
