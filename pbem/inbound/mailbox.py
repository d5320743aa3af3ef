"""The games' mailbox, read over IMAP (RFC 3501, 2177, 2342, 4315, 6851). One call at a time.

Nothing here waits for ever: a server that is slow, silent, gone or odd raises `MailboxError` within the timeout, and
the connection is thrown away with whatever was under way on it. The caller then calls `connect` again, with a pause
that grows. Letters stay where they are until `file` has moved them, so a broken call loses nothing and repeating it
harms nothing. What a server refuses of single letters (to give them out, to move them) leaves the connection good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from pbem.inbound import answers, imap
from pbem.inbound.connection import (
    AccountTrouble,
    Connected,
    LoginRefused,
    MailboxError,
    MailboxSettings,
    NoFolder,
    NotFiled,
    TooManyConnections,
)

__all__ = [
    "FETCH_LIMIT", "AccountTrouble", "Arrived", "Letterbox", "LoginRefused", "Mailbox", "MailboxError",
    "MailboxSettings", "NoFolder", "NotFiled", "TooManyConnections",
]  # fmt: skip

FETCH_LIMIT = 320 * 1024
"""Octets of one letter that are fetched: the 256 kB a letter may have, and its headers and line ends."""

_FETCH_BATCH = 25
_MOVE_BATCH = 100
_SIZE_BATCH = 200


@dataclass(frozen=True, order=True)
class Arrived:
    """A letter that lies in the folder; `size` in octets as the server tells it."""

    uidvalidity: int
    uid: int
    size: int

    @property
    def place(self) -> tuple[int, int]:
        """UIDVALIDITY and UID, by which the spool knows the letter."""
        return self.uidvalidity, self.uid


class Letterbox(Protocol):
    """A mailbox as the intake uses it: `Mailbox`, or a `Maildir` on this machine."""

    async def arrived(self) -> list[Arrived]: ...
    async def fetch(self, letters: Sequence[Arrived]) -> Mapping[Arrived, bytes]: ...
    async def head(self, letter: Arrived) -> bytes: ...
    async def file(self, letters: Sequence[Arrived], folder: str) -> Mapping[Arrived, tuple[int, int]]: ...


class Mailbox(Connected):
    """The letters of the folder that is opened, and the folders beside it."""

    async def arrived(self, since: date | None = None, after: Arrived | None = None) -> list[Arrived]:
        """Every letter in the folder not marked deleted, oldest first; `since`: that has come on that day or later,
        `after`: behind that one, if the folder is still the same."""
        client = self._connection()
        await self._do("NOOP", client.noop())
        # What NOOP told of, SEARCH will list; what is told from here on may be missing from it.
        client.protocol.news.clear()
        asked = f"UNDELETED SINCE {answers.day(since)}" if since else "UNDELETED"
        last = after.uid if after is not None and after.uidvalidity == self._uidvalidity else 0
        asked += f" UID {last + 1}:*" if last else ""
        answer = await self._do("SEARCH", client.uid_search(asked, charset=None))
        # «9:*» names the last letter as well where that is older (RFC 3501, section 9, `seq-range`).
        uids = sorted(uid for uid in answers.read_uids(answer.lines) if uid > last)
        found: list[Arrived] = []
        for chunk in answers.chunks(uids, _SIZE_BATCH):
            answer = await self._call("FETCH", client.uid("fetch", answers.uid_set(chunk), "(UID RFC822.SIZE)"))
            sizes = answers.read_sizes(answer.lines)
            # Of a letter whose size the server does not tell, the beginning is fetched.
            found += [Arrived(self._uidvalidity, uid, sizes.get(uid, FETCH_LIMIT + 1)) for uid in chunk]
        return found

    async def quota(self) -> tuple[int, int] | None:
        """How much lies in the mailbox, and how much may, in kB (RFC 9208); None where the server tells neither."""
        if "QUOTA" not in self._words:
            return None
        answer = await self._call("GETQUOTAROOT", self._connection().getquotaroot(self.settings.folder))
        return answers.read_quota(answer.lines)

    async def fetch(self, letters: Sequence[Arrived], limit: int = FETCH_LIMIT) -> dict[Arrived, bytes]:
        """Each letter's octets without marking it read; of one larger than `limit`, the first `limit` octets.

        What the server does not give out is not among them: a letter that it lists and sends no body of, or an empty
        one, or refuses. Which one of several a refusal is about, it does not say: ask for them one by one.
        Raises MailboxError if the letters were listed before the folder was made anew (another UIDVALIDITY).
        """
        self._same_folder(letters)
        fetched: dict[Arrived, bytes] = {}
        for large in (False, True):
            section = f"(UID BODY.PEEK[]<0.{limit}>)" if large else "(UID BODY.PEEK[])"
            for chunk in answers.chunks([one for one in letters if (one.size > limit) is large], _FETCH_BATCH):
                bodies = await self._bodies(chunk, section)
                # A size told too small must not smuggle a large letter past the limit.
                fetched |= {one: bodies[one.uid][:limit] for one in chunk if bodies.get(one.uid)}
        return fetched

    async def head(self, letter: Arrived) -> bytes:
        """A letter's header, for one that is not given out; empty where the server does not give that out either."""
        self._same_folder([letter])
        return (await self._bodies([letter], "(UID BODY.PEEK[HEADER])")).get(letter.uid, b"")[:FETCH_LIMIT]

    async def _bodies(self, letters: Sequence[Arrived], section: str) -> dict[int, bytes]:
        uids = answers.uid_set(one.uid for one in letters)
        answer = await self._call("FETCH", self._connection().uid("fetch", uids, section))
        return answers.read_bodies(answer.lines)

    async def file(self, letters: Sequence[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        """Mark the letters read and move them, making `folder` where needed. Letters that are gone are passed over.

        Gives the UIDVALIDITY and UID of those whose new place the server tells (UIDPLUS). Raises NotFiled where the
        server refuses it; the connection is as good as before.
        """
        client = self._connection()
        moved: dict[Arrived, tuple[int, int]] = {}
        self._same_folder(letters)
        self._quoted(folder)
        for chunk in answers.chunks(letters, _MOVE_BATCH):
            uids = answers.uid_set(one.uid for one in chunk)
            await self._refusable("STORE", client.uid("store", uids, "+FLAGS.SILENT", r"(\Seen)"))
            verb = "move" if "MOVE" in self._words else "copy"
            client.protocol.copied = b""
            answer = await self._call(verb.upper(), client.uid(verb, uids, self._quoted(folder)))
            if answer.result != "OK":
                # The folder may exist already, then CREATE says NO; the second attempt tells.
                refused = await self._create(client, folder)
                answer = await self._refusable(verb.upper(), client.uid(verb, uids, self._quoted(folder)), refused)
            told = answers.read_copied((client.protocol.copied, *answer.lines))
            moved |= {one: told[one.uid] for one in chunk if one.uid in told}
            if verb == "copy":
                await self._remove(client, uids, {one.uid for one in chunk})
        return moved

    async def make(self, folder: str) -> str:
        """Make a folder where it is missing; its name on the server. Raises NotFiled where the server refuses it."""
        client = self._connection()
        if (await self._call("STATUS", client.status(self._quoted(folder), "(MESSAGES)"))).result != "OK":
            refused = await self._create(client, folder)
            await self._refusable("STATUS", client.status(self._quoted(folder), "(MESSAGES)"), refused)
        return self._named(folder)

    async def _create(self, client: imap.Client, folder: str) -> str:
        """Make a folder, where needed below INBOX; what the server said if it did not."""
        answer = await self._call("CREATE", client.create(self._quoted(folder)))
        if answer.result != "OK" and await self._goes_below(client):
            below = await self._call("CREATE", client.create(self._quoted(folder)))
            if below.result == "OK":
                return ""
            self._prefixes = ()
        return "" if answer.result == "OK" else f"; CREATE {self._quoted(folder)}: {self._said(answer)}"

    async def _refusable(self, what: str, work: Any, before: str = "") -> Any:
        answer = await self._call(what, work)
        if answer.result != "OK":
            raise NotFiled(f"{self.settings.host}:{self.settings.port}: {what} failed: {self._said(answer)}{before}")
        return answer

    async def expunge(self, uidvalidity: int, uids: Sequence[int]) -> bool:
        """Remove exactly these letters of the open folder for good; False, and nothing is done, where that cannot be.

        That is when the folder was made anew since they were counted, or the server cannot expunge single letters.
        """
        client = self._connection()
        if uidvalidity != self._uidvalidity or "UIDPLUS" not in self._words:
            return False
        for chunk in answers.chunks(uids, _MOVE_BATCH):
            await self._remove(client, answers.uid_set(chunk), set(chunk))
        return True

    async def _remove(self, client: imap.Client, uids: str, ours: set[int]) -> None:
        await self._refusable("STORE", client.uid("store", uids, "+FLAGS.SILENT", r"(\Deleted)"))
        if "UIDPLUS" in self._words:
            await self._refusable("EXPUNGE", client.uid("expunge", uids))
            return
        answer = await self._do("SEARCH", client.uid_search("DELETED", charset=None))
        # A plain EXPUNGE removes what anybody has marked. Ours, left marked, are passed over by `arrived`.
        if answers.read_uids(answer.lines) <= ours:
            await self._refusable("EXPUNGE", client.expunge())

    def _same_folder(self, letters: Sequence[Arrived]) -> None:
        if any(one.uidvalidity != self._uidvalidity for one in letters):
            self._fail("using UIDs", "the folder was made anew since these letters were listed")
