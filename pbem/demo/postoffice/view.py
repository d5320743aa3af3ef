"""One client's view of the folder it has opened: sequence numbers, and what it has yet to be told."""

from __future__ import annotations

import bisect
from collections.abc import Callable

from pbem.demo.postoffice.fetch import FetchedLetter, items
from pbem.demo.postoffice.maildir import Folder, StoredMail, flag_letters
from pbem.demo.postoffice.search import test
from pbem.demo.postoffice.words import BadCommand, Word, as_set, atom, chosen


class SelectedView:
    """Numbers change only when `changes` is called, never in the middle of an answer (RFC 3501 section 7.4.1)."""

    def __init__(self, folder: Folder, read_only: bool, tell: Callable[[], None]) -> None:
        self.folder = folder
        self.read_only = read_only
        self._tell = tell
        self.mails: list[StoredMail] = list(folder.mails.values())
        self._uids = [mail.uid for mail in self.mails]
        self._added: list[StoredMail] = []
        self._removed: list[StoredMail] = []
        self._marked: dict[int, StoredMail] = {}
        folder.watchers.append(self)

    def close(self) -> None:
        self.folder.watchers.remove(self)

    def added(self, mail: StoredMail) -> None:
        self._added.append(mail)
        self._tell()

    def removed(self, mail: StoredMail) -> None:
        if mail in self._added:
            self._added.remove(mail)
        else:
            self._removed.append(mail)
        self._tell()

    def marked(self, mail: StoredMail) -> None:
        self._marked[mail.uid] = mail
        self._tell()

    def changes(self, removals: bool) -> bytes:
        """What has happened since the last call, as untagged answers; removals wait unless they may be told."""
        told = bytearray()
        if removals and self._removed:
            for mail in self._removed:
                place = bisect.bisect_left(self._uids, mail.uid)
                del self.mails[place], self._uids[place]
                told += b"* %d EXPUNGE\r\n" % (place + 1)
            self._removed.clear()
        if self._added:
            self.mails += self._added
            self._uids += [mail.uid for mail in self._added]
            self._added.clear()
            told += b"* %d EXISTS\r\n" % len(self.mails)
        if self._marked:
            for mail in self._marked.values():
                place = bisect.bisect_left(self._uids, mail.uid)
                if place < len(self._uids) and self._uids[place] == mail.uid:
                    told += f"* {place + 1} FETCH (UID {mail.uid} FLAGS ({mail.flag_words}))\r\n".encode()
            self._marked.clear()
        return bytes(told)

    def _chosen(self, numbers: str, by_uid: bool) -> list[tuple[int, StoredMail]]:
        """Sequence numbers and letters that a set names."""
        if by_uid:
            places = [bisect.bisect_left(self._uids, uid) for uid in chosen(numbers, self._uids)]
        else:
            places = [number - 1 for number in chosen(numbers, range(1, len(self.mails) + 1))]
        return [(place + 1, self.mails[place]) for place in places if not self.mails[place].gone]

    def fetch(self, words: list[Word], by_uid: bool) -> list[bytes]:
        """The answers of FETCH, one line (with its literals) per letter. Raises BadCommand."""
        if len(words) != 2:
            raise BadCommand("FETCH needs a set of numbers and what to fetch")
        wanted = items(words[1])
        if by_uid and all(item.name != "UID" for item in wanted):
            wanted = [*items(b"UID"), *wanted]
        marks_read = not self.read_only and any(item.marks_read for item in wanted)
        flags = items(b"FLAGS") if marks_read and all(item.name != "FLAGS" for item in wanted) else []
        answers = []
        for number, mail in self._chosen(atom(words[0]), by_uid):
            reading = FetchedLetter(mail)
            try:
                newly_read = marks_read and "S" not in mail.flags
                if newly_read:
                    self.folder.mark(mail, mail.flags | {"S"}, self)
                told = b" ".join(reading.answer(item) for item in (*wanted, *(flags if newly_read else ())))
            except FileNotFoundError:
                # Somebody has deleted the file with another program; from now on the folder knows.
                self.folder.remove([mail])
                continue
            answers.append(b"* %d FETCH (" % number + told + b")\r\n")
        return answers

    def store(self, words: list[Word], by_uid: bool) -> list[bytes]:
        """Change flags; the answers tell the new ones unless SILENT was asked for. Raises BadCommand."""
        if len(words) < 3:
            raise BadCommand("STORE needs a set of numbers, a word and flags")
        verb = atom(words[1]).upper()
        silent = verb.endswith(".SILENT")
        verb = verb.removesuffix(".SILENT")
        given = words[2] if isinstance(words[2], list) else words[2:]
        letters = flag_letters(atom(word) for word in given)
        if verb not in ("FLAGS", "+FLAGS", "-FLAGS"):
            raise BadCommand("STORE knows FLAGS, +FLAGS and -FLAGS")
        answers = []
        for number, mail in self._chosen(atom(words[0]), by_uid):
            if verb == "FLAGS":
                new = letters
            else:
                new = mail.flags | letters if verb == "+FLAGS" else mail.flags - letters
            try:
                self.folder.mark(mail, new, self)
            except FileNotFoundError:
                self.folder.remove([mail])
                continue
            if not silent:
                uid = f"UID {mail.uid} " if by_uid else ""
                answers.append(f"* {number} FETCH ({uid}FLAGS ({mail.flag_words}))\r\n".encode())
        return answers

    def search(self, words: list[Word], by_uid: bool) -> bytes:
        """The answer of SEARCH. Raises BadCommand."""

        def numbers(text: str, uids: bool) -> frozenset[int]:
            return frozenset(mail.uid for _, mail in self._chosen(text, uids))

        fits = test(words, numbers)
        found = [
            mail.uid if by_uid else number
            for number, mail in enumerate(self.mails, 1)
            if not mail.gone and fits(number, mail)
        ]
        return b"* SEARCH" + b"".join(b" %d" % number for number in found) + b"\r\n"

    def expunge(self, numbers: str = "") -> None:
        """Delete the letters marked so; only those among `numbers`, UIDs, if given. Raises BadCommand."""
        among = [mail for _, mail in self._chosen(numbers, True)] if numbers else self.mails
        self.folder.remove([mail for mail in among if "T" in mail.flags and not mail.gone])

    def transfer(self, numbers: str, target: Folder, by_uid: bool, move: bool) -> str:
        """Copy or move letters; the COPYUID answer code, or "" if there were none. Raises BadCommand."""
        mails = [mail for _, mail in self._chosen(numbers, by_uid)]
        if move:
            pairs = self.folder.move(mails, target)
        else:
            # All are read before the first is written: a letter that is gone must not leave half a copy.
            raws = [mail.raw() for mail in mails]
            pairs = [(mail, target.add(raw, mail.flags, mail.date)) for mail, raw in zip(mails, raws, strict=True)]
        if not pairs:
            return ""
        old, new = ([mail.uid for mail in side] for side in zip(*pairs, strict=True))
        return f"[COPYUID {target.account.uidvalidity} {as_set(old)} {as_set(new)}] "
