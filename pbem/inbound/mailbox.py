"""The games' mailbox, read over IMAP (RFC 3501, 2177, 2342, 4315, 6851). One call at a time.

Every call ends within the timeout: if the server is slow, silent, gone or odd, it raises `MailboxError` and drops the
connection. The caller then calls `connect` again, with growing pauses. Letters stay in the folder until `file` has
moved them, so a failed call loses nothing and can be repeated. A refusal to deliver or move single letters leaves the
connection open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from pbem.inbound import imap_client, imap_syntax
from pbem.inbound.imap_connection import (
    AccountTrouble,
    ImapConnection,
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
"""Octets fetched of one letter: 256 kB, with room for headers and line ends."""

_FETCH_BATCH = 25
_MOVE_BATCH = 100
_SIZE_BATCH = 200


@dataclass(frozen=True, order=True)
class Arrived:
    """A letter in the folder; `size` is in octets, as the server reports it."""

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


class Mailbox(ImapConnection):
    """The letters of the open folder, and the other folders of the mailbox."""

    async def arrived(self, since: date | None = None, after: Arrived | None = None) -> list[Arrived]:
        """Every letter in the folder that is not marked deleted, oldest first.

        `since`: only letters of that day or later. `after`: only those behind that letter, in the same folder.
        """
        client = self._connection()
        await self._do("NOOP", client.noop())
        # SEARCH lists what NOOP has announced; what is announced from here on may be missing from it.
        client.protocol.news.clear()
        asked = f"UNDELETED SINCE {imap_syntax.search_date(since)}" if since else "UNDELETED"
        last = after.uid if after is not None and after.uidvalidity == self._uidvalidity else 0
        asked += f" UID {last + 1}:*" if last else ""
        answer = await self._do("SEARCH", client.uid_search(asked, charset=None))
        # `9:*` also names the last letter if that is older (RFC 3501, section 9, `seq-range`).
        uids = sorted(uid for uid in imap_syntax.read_uids(answer.lines) if uid > last)
        found: list[Arrived] = []
        for chunk in imap_syntax.chunks(uids, _SIZE_BATCH):
            answer = await self._call("FETCH", client.uid("fetch", imap_syntax.uid_set(chunk), "(UID RFC822.SIZE)"))
            sizes = imap_syntax.read_sizes(answer.lines)
            # If the server reports no size, only the beginning is fetched.
            found += [Arrived(self._uidvalidity, uid, sizes.get(uid, FETCH_LIMIT + 1)) for uid in chunk]
        return found

    async def quota(self) -> tuple[int, int] | None:
        """Used and allowed kB of the mailbox (RFC 9208); None if the server does not say."""
        if "QUOTA" not in self._words:
            return None
        answer = await self._call("GETQUOTAROOT", self._connection().getquotaroot(self.settings.folder))
        return imap_syntax.read_quota(answer.lines)

    async def fetch(self, letters: Sequence[Arrived], limit: int = FETCH_LIMIT) -> dict[Arrived, bytes]:
        """The first `limit` octets of each letter, without marking it read.

        Letters whose body the server refuses, omits or sends empty are left out. A refusal does not say which letter
        it is about: fetch them one by one then. Raises MailboxError if the UIDVALIDITY has changed since the listing.
        """
        self._same_folder(letters)
        fetched: dict[Arrived, bytes] = {}
        for large in (False, True):
            section = f"(UID BODY.PEEK[]<0.{limit}>)" if large else "(UID BODY.PEEK[])"
            for chunk in imap_syntax.chunks([one for one in letters if (one.size > limit) is large], _FETCH_BATCH):
                bodies = await self._bodies(chunk, section)
                # A wrong size must not bring a large letter past the limit.
                fetched |= {one: bodies[one.uid][:limit] for one in chunk if bodies.get(one.uid)}
        return fetched

    async def head(self, letter: Arrived) -> bytes:
        """The header of a letter whose body is not delivered; empty if the server refuses that, too."""
        self._same_folder([letter])
        return (await self._bodies([letter], "(UID BODY.PEEK[HEADER])")).get(letter.uid, b"")[:FETCH_LIMIT]

    async def _bodies(self, letters: Sequence[Arrived], section: str) -> dict[int, bytes]:
        uids = imap_syntax.uid_set(one.uid for one in letters)
        answer = await self._call("FETCH", self._connection().uid("fetch", uids, section))
        return imap_syntax.read_bodies(answer.lines)

    async def file(self, letters: Sequence[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        """Mark the letters read and move them, making `folder` if needed. Missing letters are ignored.

        Returns the new UIDVALIDITY and UID of the letters, as far as the server reports them (UIDPLUS). Raises NotFiled
        if the server refuses; the connection stays open.
        """
        client = self._connection()
        moved: dict[Arrived, tuple[int, int]] = {}
        self._same_folder(letters)
        self._quoted(folder)
        for chunk in imap_syntax.chunks(letters, _MOVE_BATCH):
            uids = imap_syntax.uid_set(one.uid for one in chunk)
            await self._refusable("STORE", client.uid("store", uids, "+FLAGS.SILENT", r"(\Seen)"))
            verb = "move" if "MOVE" in self._words else "copy"
            client.protocol.copied = b""
            answer = await self._call(verb.upper(), client.uid(verb, uids, self._quoted(folder)))
            if answer.result != "OK":
                # CREATE also says NO if the folder exists; the second attempt shows which it was.
                refused = await self._create(client, folder)
                answer = await self._refusable(verb.upper(), client.uid(verb, uids, self._quoted(folder)), refused)
            told = imap_syntax.read_copyuid((client.protocol.copied, *answer.lines))
            moved |= {one: told[one.uid] for one in chunk if one.uid in told}
            if verb == "copy":
                await self._remove(client, uids, {one.uid for one in chunk})
        return moved

    async def make(self, folder: str) -> str:
        """Make a folder if it is missing, and return its name on the server. Raises NotFiled."""
        client = self._connection()
        if (await self._call("STATUS", client.status(self._quoted(folder), "(MESSAGES)"))).result != "OK":
            refused = await self._create(client, folder)
            await self._refusable("STATUS", client.status(self._quoted(folder), "(MESSAGES)"), refused)
        return self._named(folder)

    async def _create(self, client: imap_client.ImapClient, folder: str) -> str:
        """Make a folder. Returns the server's reason for a refusal, for an error text."""
        answer = await self._call("CREATE", client.create(self._quoted(folder)))
        return "" if answer.result == "OK" else f"; CREATE {self._quoted(folder)}: {self._said(answer)}"

    async def _refusable(self, what: str, work: Any, before: str = "") -> Any:
        answer = await self._call(what, work)
        if answer.result != "OK":
            raise NotFiled(f"{self.settings.host}:{self.settings.port}: {what} failed: {self._said(answer)}{before}")
        return answer

    async def expunge(self, uidvalidity: int, uids: Sequence[int]) -> bool:
        """Remove exactly these letters of the open folder for good.

        Returns False and does nothing if the UIDVALIDITY has changed or the server cannot expunge single letters.
        """
        client = self._connection()
        if uidvalidity != self._uidvalidity or "UIDPLUS" not in self._words:
            return False
        for chunk in imap_syntax.chunks(uids, _MOVE_BATCH):
            await self._remove(client, imap_syntax.uid_set(chunk), set(chunk))
        return True

    async def _remove(self, client: imap_client.ImapClient, uids: str, ours: set[int]) -> None:
        await self._refusable("STORE", client.uid("store", uids, "+FLAGS.SILENT", r"(\Deleted)"))
        if "UIDPLUS" in self._words:
            await self._refusable("EXPUNGE", client.uid("expunge", uids))
            return
        answer = await self._do("SEARCH", client.uid_search("DELETED", charset=None))
        # A plain EXPUNGE removes whatever anybody has marked. `arrived` ignores letters left marked.
        if imap_syntax.read_uids(answer.lines) <= ours:
            await self._refusable("EXPUNGE", client.expunge())

    def _same_folder(self, letters: Sequence[Arrived]) -> None:
        if any(one.uidvalidity != self._uidvalidity for one in letters):
            self._fail("using UIDs", "the folder was made anew since these letters were listed")
