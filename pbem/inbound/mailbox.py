"""The games' mailbox, read over IMAP (RFC 3501, 2177, 4315, 6851). One call at a time.

Nothing here waits for ever and nothing is silently empty: a server that is slow, silent, gone or odd raises
`MailboxError` within the timeout, and the connection is thrown away with whatever was under way on it. The caller
then calls `connect` again, with a pause that grows. Letters stay where they are until `file` has moved them, so a
broken call loses nothing and repeating it harms nothing.

TLS: "tls" (from the first byte, the usual port is 993), "starttls" (143), "none" on the same machine only, unless
`plaintext_allowed` says that somebody accepts a password in the clear.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NoReturn

from aioimaplib import aioimaplib as lib

from pbem.host.checked import Auth
from pbem.host.passwords import SecretError, discreet
from pbem.host.tls import Tls, TlsError
from pbem.host.tls import context as tls_context
from pbem.inbound import imap
from pbem.inbound.speech import one_line

FETCH_LIMIT = 320 * 1024
"""Octets of one letter that are fetched: the 256 kB a letter may have, and its headers and line ends."""

_FETCH_BATCH = 25
_MOVE_BATCH = 100
_SIZE_BATCH = 200
_LONGEST_IDLE = 9 * 60.0
"""Seconds: servers end an IDLE after 29 minutes, home routers forget a quiet connection after ten."""


class MailboxError(Exception):
    """The mailbox could not do it now; the connection is gone. One line of text, without any password or letter."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text, 500))


class LoginRefused(MailboxError):  # noqa: N818 - what happened, as in engine.errors
    """The server knows the user and password not, or wants another way of login. Trying again will not help."""


class AccountTrouble(MailboxError):  # noqa: N818
    """A mail server of this name was reached and asked for the login; behind it the mailbox was not opened.

    So host, port and TLS are right. The text holds the server's own words.
    """


class NoFolder(AccountTrouble):
    """The login was taken, and the mailbox has no folder of that name."""


@dataclass(frozen=True)
class MailboxSettings:
    """Where the mailbox is. `timeout` is in seconds and holds for each single command; `poll`: see `Mailbox.wait`.

    `renew` gives another password or token once the server has refused the one there was.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: Tls = "tls"
    folder: str = "INBOX"
    timeout: float = 30.0
    idle: bool = True
    poll: float = 20.0
    ca_file: str = ""
    plaintext_allowed: bool = False
    auth: Auth = "password"
    renew: Callable[[], str] | None = None


@dataclass(frozen=True, order=True)
class Arrived:
    """A letter that lies in the folder; `size` in octets as the server tells it."""

    uidvalidity: int
    uid: int
    size: int


class Mailbox:
    """An adapter that is connected or not; every method but `connect` and `close` needs the connection."""

    def __init__(self, settings: MailboxSettings) -> None:
        self.settings = settings
        self._password, self._before = settings.password, ""  # what was refused last, a server may repeat
        self._client: imap.Client | None = None
        self._uidvalidity = 0
        self._words: set[str] = set()
        self._idles = False

    @property
    def connected(self) -> bool:
        return self._client is not None and not self._client.protocol.lost.done()

    @property
    def capabilities(self) -> frozenset[str]:
        """What the server offers after login, in capitals; empty before."""
        return frozenset(self._words)

    async def connect(self) -> None:
        """Connect, log in and open the folder; an old connection is dropped.

        Raises MailboxError, of its kinds LoginRefused, AccountTrouble and NoFolder.
        """
        try:
            await self._connect()
        except LoginRefused:
            if self.settings.renew is None:
                raise
            try:
                self._before, self._password = self._password, await asyncio.to_thread(self.settings.renew)
            except SecretError as odd:
                raise MailboxError(str(odd)) from None
            if self._before == self._password:
                raise
            await self._connect()

    async def _connect(self) -> None:
        self._discard()
        s = self.settings
        try:
            context = tls_context(s.tls, s.host, s.ca_file, s.plaintext_allowed)
        except TlsError as odd:
            raise MailboxError(str(odd)) from None
        client = imap.Client(s.host, s.port, s.timeout, context if s.tls == "tls" else None, FETCH_LIMIT * 64)
        self._client = client
        await self._call("connecting", client.connected())
        if s.tls == "starttls" and context is not None:
            await self._call("STARTTLS", client.protocol.start_tls(context, s.host))
        folder = self._quoted(s.folder)
        try:
            await self._enter(client, folder)
        except MailboxError as odd:
            raise (odd if isinstance(odd, LoginRefused | NoFolder) else AccountTrouble(str(odd))) from None

    async def _enter(self, client: imap.Client, folder: str) -> None:
        if client.get_state() != lib.AUTH:
            await self._login(client)
        await self._call("CAPABILITY", client.protocol.capability())
        self._words = client.protocol.words()
        self._idles = self.settings.idle and "IDLE" in self._words
        answer = await self._call("SELECT", client.select(folder))
        if answer.result != "OK":
            lacks = answer.result == "NO" and not imap.passing(answer)
            # A plain NO does not tell why (RFC 3501, section 6.3.1).
            lacks = lacks and not imap.lists((await self._do("LIST", client.list('""', folder))).lines)
            self._fail(f"SELECT {folder}", f"the server said {self._said(answer)}", NoFolder if lacks else MailboxError)
        if (told := imap.read_validity(answer.lines)) is None:
            self._fail("opening the folder", "the server tells no UIDVALIDITY")
        self._uidvalidity = told

    async def _login(self, client: imap.Client) -> None:
        s = self.settings
        try:
            work = imap.log_in(client, s.user, self._password, s.auth)
        except imap.WireError as odd:
            self._discard()
            raise LoginRefused(f"{s.host}:{s.port}: {odd}") from None
        answer = await self._call("LOGIN", work)
        if answer.result != "OK":
            text = self._said(answer)
            if imap.passing(answer):
                self._fail("LOGIN", f"the server said {text}")
            self._discard()
            raise LoginRefused(f"{s.host}:{s.port}: login as {s.user} was refused: {text}")

    async def arrived(self, since: date | None = None, after: Arrived | None = None) -> list[Arrived]:
        """Every letter in the folder not marked deleted, oldest first; `since`: that has come on that day or later,
        `after`: behind that one, if the folder is still the same."""
        client = self._connection()
        await self._do("NOOP", client.noop())
        # What NOOP told of, SEARCH will list; what is told from here on may be missing from it.
        client.protocol.news.clear()
        asked = f"UNDELETED SINCE {imap.day(since)}" if since else "UNDELETED"
        last = after.uid if after is not None and after.uidvalidity == self._uidvalidity else 0
        asked += f" UID {last + 1}:*" if last else ""
        answer = await self._do("SEARCH", client.uid_search(asked, charset=None))
        # «9:*» names the last letter as well where that is older (RFC 3501, section 9, `seq-range`).
        uids = sorted(uid for uid in imap.read_uids(answer.lines) if uid > last)
        found: list[Arrived] = []
        for chunk in imap.chunks(uids, _SIZE_BATCH):
            answer = await self._do("FETCH", client.uid("fetch", imap.uid_set(chunk), "(UID RFC822.SIZE)"))
            sizes = imap.read_sizes(answer.lines)
            found += [Arrived(self._uidvalidity, uid, sizes[uid]) for uid in chunk if uid in sizes]
        return found

    async def quota(self) -> tuple[int, int] | None:
        """How much lies in the mailbox, and how much may, in kB (RFC 9208); None where the server tells neither."""
        if "QUOTA" not in self._words:
            return None
        answer = await self._call("GETQUOTAROOT", self._connection().getquotaroot(self.settings.folder))
        return imap.read_quota(answer.lines)

    async def fetch(self, letters: Sequence[Arrived], limit: int = FETCH_LIMIT) -> dict[Arrived, bytes]:
        """Each letter's octets without marking it read; of one larger than `limit`, the first `limit` octets.

        Raises MailboxError if the server answers for fewer letters than it was asked for, or if the letters were
        listed before the folder was made anew (another UIDVALIDITY).
        """
        client = self._connection()
        self._same_folder(letters)
        fetched: dict[Arrived, bytes] = {}
        for large in (False, True):
            section = f"(UID BODY.PEEK[]<0.{limit}>)" if large else "(UID BODY.PEEK[])"
            for chunk in imap.chunks([one for one in letters if (one.size > limit) is large], _FETCH_BATCH):
                uids = imap.uid_set(one.uid for one in chunk)
                answer = await self._do("FETCH", client.uid("fetch", uids, section))
                bodies = imap.read_bodies(answer.lines)
                missing = [one.uid for one in chunk if one.uid not in bodies]
                if missing:
                    self._fail("FETCH", f"of {len(chunk)} letters UID {imap.uid_set(missing)} did not come")
                for one in chunk:
                    # A size told too small must not smuggle a large letter past the limit.
                    fetched[one] = bodies[one.uid][:limit]
        return fetched

    async def file(self, letters: Sequence[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        """Mark the letters read and move them, making `folder` where needed. Letters that are gone are passed over.

        Gives the UIDVALIDITY and UID of those whose new place the server tells (UIDPLUS).
        """
        client = self._connection()
        moved: dict[Arrived, tuple[int, int]] = {}
        self._same_folder(letters)
        target = self._quoted(folder)
        for chunk in imap.chunks(letters, _MOVE_BATCH):
            uids = imap.uid_set(one.uid for one in chunk)
            await self._do("STORE", client.uid("store", uids, "+FLAGS.SILENT", r"(\Seen)"))
            verb = "move" if "MOVE" in self._words else "copy"
            client.protocol.copied = b""
            answer = await self._call(verb.upper(), client.uid(verb, uids, target))
            if answer.result != "OK":
                # The folder may exist already, then CREATE says NO; the second attempt tells.
                await self._call("CREATE", client.create(target))
                answer = await self._do(verb.upper(), client.uid(verb, uids, target))
            told = imap.read_copied((client.protocol.copied, *answer.lines))
            moved |= {one: told[one.uid] for one in chunk if one.uid in told}
            if verb == "copy":
                await self._remove(client, uids, {one.uid for one in chunk})
        return moved

    async def expunge(self, uidvalidity: int, uids: Sequence[int]) -> bool:
        """Remove exactly these letters of the open folder for good; False, and nothing is done, where that cannot be.

        That is when the folder was made anew since they were counted, or the server cannot expunge single letters.
        """
        client = self._connection()
        if uidvalidity != self._uidvalidity or "UIDPLUS" not in self._words:
            return False
        for chunk in imap.chunks(uids, _MOVE_BATCH):
            await self._remove(client, imap.uid_set(chunk), set(chunk))
        return True

    async def _remove(self, client: imap.Client, uids: str, ours: set[int]) -> None:
        await self._do("STORE", client.uid("store", uids, "+FLAGS.SILENT", r"(\Deleted)"))
        if "UIDPLUS" in self._words:
            await self._do("EXPUNGE", client.uid("expunge", uids))
            return
        answer = await self._do("SEARCH", client.uid_search("DELETED", charset=None))
        # A plain EXPUNGE removes what anybody has marked. Ours, left marked, are passed over by `arrived`.
        if imap.read_uids(answer.lines) <= ours:
            await self._do("EXPUNGE", client.expunge())

    async def wait(self, seconds: float) -> None:
        """Return when the folder has grown since the last `arrived`, or after `seconds`, or raise MailboxError.

        Waits in IDLE, renewed every 9 minutes; asks with NOOP every `settings.poll` seconds where the server has no
        IDLE or refuses it. Some servers forget to wake: call `arrived` after every wait, whatever the reason.
        """
        client = self._connection()
        news = client.protocol.news
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not news.is_set() and (left := end - loop.time()) > 0:
            if self._idles:
                await self._idle(client, min(left, _LONGEST_IDLE))
            else:
                with contextlib.suppress(TimeoutError):
                    await client.guard(asyncio.wait_for(news.wait(), min(left, self.settings.poll)))
            if not news.is_set():
                await self._do("NOOP", client.noop())
        if client.protocol.lost.done():
            self._fail("waiting", client.protocol.lost.result())

    async def _idle(self, client: imap.Client, seconds: float) -> None:
        protocol = client.protocol
        idle: asyncio.Future[Any] = asyncio.ensure_future(protocol.idle())
        accepted: asyncio.Future[Any] = asyncio.ensure_future(protocol.wait_for_idle_response())
        news: asyncio.Future[Any] = asyncio.ensure_future(protocol.news.wait())
        try:
            limit = self.settings.timeout
            done, _ = await asyncio.wait({idle, accepted, protocol.lost}, timeout=limit, return_when="FIRST_COMPLETED")
            if accepted in done and not protocol.lost.done():
                await asyncio.wait({idle, news, protocol.lost}, timeout=seconds, return_when="FIRST_COMPLETED")
                if not idle.done() and not protocol.lost.done():
                    protocol.idle_done()
                    await asyncio.wait({idle, protocol.lost}, timeout=limit, return_when="FIRST_COMPLETED")
            if protocol.lost.done():
                self._fail("IDLE", protocol.lost.result())
            if not idle.done():
                self._fail("IDLE", f"the server did not answer within {limit:g} seconds")
            if idle.exception() is not None or idle.result().result != "OK":
                self._idles = False
            while not protocol.idle_queue.empty():
                protocol.idle_queue.get_nowait()
        except BaseException:
            # Cancelled in the middle: the server still idles, so this connection can carry no other command.
            self._discard()
            raise
        finally:
            for task in (idle, accepted, news):
                task.cancel()
                task.add_done_callback(imap._forget)

    async def close(self) -> None:
        """Log out politely, within two seconds, and forget the connection. Never raises."""
        client = self._client
        if client is not None and self.connected and client.get_state() in (lib.AUTH, lib.SELECTED):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.logout(), min(2.0, self.settings.timeout))
        self._discard()

    def _connection(self) -> imap.Client:
        if self._client is None:
            raise MailboxError(f"{self.settings.host}:{self.settings.port}: not connected")
        if self._client.protocol.lost.done():
            self._fail("using the connection", self._client.protocol.lost.result())
        return self._client

    def _same_folder(self, letters: Sequence[Arrived]) -> None:
        if any(one.uidvalidity != self._uidvalidity for one in letters):
            self._fail("using UIDs", "the folder was made anew since these letters were listed")

    def _quoted(self, folder: str) -> str:
        try:
            return imap.quoted(folder)
        except ValueError:
            self._discard()
            raise MailboxError(f"folder name {folder!r}: only printable ASCII characters can be used") from None

    async def _call(self, what: str, work: Awaitable[Any]) -> Any:
        """One command under the timeout. Raises MailboxError for everything that may go wrong on the way."""
        answer, reason = None, ""
        assert self._client is not None
        try:
            answer = await asyncio.wait_for(self._client.guard(work), self.settings.timeout)
        except (TimeoutError, lib.CommandTimeout):
            reason = f"no answer within {self.settings.timeout:g} seconds"
        except (OSError, imap.WireError, lib.AioImapException) as odd:
            reason = str(odd) or type(odd).__name__
        except asyncio.CancelledError:
            self._discard()
            raise
        except Exception as odd:
            reason = f"an answer that makes no sense ({type(odd).__name__})"
        if reason:
            # Not raised in a handler: aioimaplib's exceptions carry the command, and LOGIN carries the password.
            self._fail(what, reason)
        return answer

    async def _do(self, what: str, work: Awaitable[Any]) -> Any:
        answer = await self._call(what, work)
        if answer.result != "OK":
            self._fail(what, f"the server said {self._said(answer)}")
        return answer

    def _said(self, answer: Any) -> str:
        return discreet(imap.said(answer), self.settings.user, self._password, self._before)

    def _fail(self, what: str, reason: str, kind: type[MailboxError] = MailboxError) -> NoReturn:
        self._discard()
        raise kind(f"{self.settings.host}:{self.settings.port}: {what} failed: {reason}")

    def _discard(self) -> None:
        client, self._client = self._client, None
        self._words = set()
        if client is not None:
            client.abandon()
