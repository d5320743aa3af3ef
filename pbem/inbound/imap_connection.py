"""One connection to an IMAP server: log in, open a folder, run commands under a timeout, wait for mail.

`pbem.inbound.mailbox` adds the work with letters. TLS is "tls" (from the first byte, usually port 993), "starttls"
(143), or "none", which is allowed on the same machine only, unless `plaintext_allowed` accepts a password in the clear.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from aioimaplib import aioimaplib as lib

from pbem.host.passwords import SecretError, hide_passwords
from pbem.host.settings_file import Auth
from pbem.host.tls import Tls, TlsError, tls_context
from pbem.inbound import imap_client, imap_syntax
from pbem.inbound.sanitize import one_line

LARGEST_LITERAL = 20 * 1024 * 1024
"""Octets of a literal; a server that announces more is cut off."""

_LONGEST_IDLE = 9 * 60.0
"""Seconds of one IDLE: servers end it after 29 minutes, home routers forget a quiet connection after ten."""


class MailboxError(Exception):
    """The call failed and the connection is closed. The text is one line without passwords or letters."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text, 500))


class LoginRefused(MailboxError):  # noqa: N818 - what happened, as in engine.errors
    """The server rejects user and password, or wants another kind of login. Trying again will not help."""


class AccountTrouble(MailboxError):  # noqa: N818
    """Host, port and TLS are right, but the mailbox was not opened. The text quotes the server."""


class TooManyConnections(AccountTrouble):
    """The server allows no further connection to this account now. The password may be right."""


class NoFolder(AccountTrouble):
    """The login succeeded, and the mailbox has no folder of that name."""


class NotFiled(MailboxError):  # noqa: N818
    """The server refuses to move letters or to make a folder. The connection is still good."""


@dataclass(frozen=True)
class MailboxSettings:
    """Where the mailbox is. `timeout` is in seconds for each command; for `poll` see `Mailbox.wait`.

    `renew` returns a new password or token after the server has refused the present one.
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


class ImapConnection:
    """A connection that can be lost and opened again. All methods but `connect` and `close` need it open."""

    def __init__(self, settings: MailboxSettings) -> None:
        self.settings = settings
        self._password, self._before = settings.password, ""  # the last refused one: a server may quote it
        self._client: imap_client.ImapClient | None = None
        self._uidvalidity = 0
        self._words: set[str] = set()
        self._prefixes: tuple[str, ...] = ()
        """Prefixes of folder names, our own first (RFC 2342); empty if the server has no NAMESPACE."""
        self._idles = False

    @property
    def connected(self) -> bool:
        return self._client is not None and not self._client.protocol.lost.done()

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities after login, in capitals; empty before."""
        return frozenset(self._words)

    async def connect(self) -> None:
        """Connect, log in and open the folder, dropping an old connection.

        Raises MailboxError or its subclasses LoginRefused, AccountTrouble and NoFolder.
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
        client = imap_client.ImapClient(s.host, s.port, s.timeout, context if s.tls == "tls" else None, LARGEST_LITERAL)
        self._client = client
        await self._call("connecting", client.connected())
        if s.tls == "starttls" and context is not None:
            await self._call("STARTTLS", client.protocol.start_tls(context, s.host))
        self._prefixes = ()
        self._quoted(s.folder)
        try:
            await self._enter(client)
        except MailboxError as odd:
            raise (odd if isinstance(odd, LoginRefused | AccountTrouble) else AccountTrouble(str(odd))) from None

    async def _enter(self, client: imap_client.ImapClient) -> None:
        if client.get_state() != lib.AUTH:
            await self._login(client)
        await self._call("CAPABILITY", client.protocol.capability())
        self._words = client.protocol.words()
        self._idles = self.settings.idle and "IDLE" in self._words
        if "NAMESPACE" in self._words:
            self._prefixes = imap_syntax.read_namespace((await self._call("NAMESPACE", client.namespace())).lines)
        folder = self._quoted(self.settings.folder)
        answer = await self._call("SELECT", client.select(folder))
        if answer.result != "OK":
            # A plain NO gives no reason (RFC 3501, section 6.3.1).
            lacks = answer.result == "NO" and not imap_syntax.is_temporary(answer)
            lacks = lacks and not imap_syntax.lists_folder((await self._do("LIST", client.list('""', folder))).lines)
            self._fail(f"SELECT {folder}", f"the server said {self._said(answer)}", NoFolder if lacks else MailboxError)
        if (told := imap_syntax.read_validity(answer.lines)) is None:
            self._fail("opening the folder", "the server tells no UIDVALIDITY")
        self._uidvalidity = told

    async def _login(self, client: imap_client.ImapClient) -> None:
        s = self.settings
        try:
            work = imap_client.log_in(client, s.user, self._password, s.auth)
        except imap_client.WireError as odd:
            self._discard()
            raise LoginRefused(f"{s.host}:{s.port}: {odd}") from None
        answer = await self._call("LOGIN", work)
        if answer.result != "OK":
            text = self._said(answer)
            if imap_syntax.too_many_connections(answer):
                self._fail("LOGIN", f"the server said {text}", TooManyConnections)
            if imap_syntax.is_temporary(answer):
                self._fail("LOGIN", f"the server said {text}")
            self._discard()
            raise LoginRefused(f"{s.host}:{s.port}: login as {s.user} was refused: {text}")

    async def wait(self, seconds: float) -> None:
        """Return when the folder has grown since the last `arrived`, or after `seconds`. Raises MailboxError.

        Uses IDLE, renewed every 9 minutes, or NOOP every `settings.poll` seconds if the server has no IDLE. Some
        servers forget to notify, so call `arrived` after every wait.
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

    async def _idle(self, client: imap_client.ImapClient, seconds: float) -> None:
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
            # Cancelled while the server idles: this connection can carry no other command.
            self._discard()
            raise
        finally:
            for task in (idle, accepted, news):
                task.cancel()
                task.add_done_callback(imap_client._forget)

    async def close(self) -> None:
        """Log out within two seconds and drop the connection. Never raises."""
        client = self._client
        if client is not None and self.connected and client.get_state() in (lib.AUTH, lib.SELECTED):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.logout(), min(2.0, self.settings.timeout))
        self._discard()

    def _connection(self) -> imap_client.ImapClient:
        if self._client is None:
            raise MailboxError(f"{self.settings.host}:{self.settings.port}: not connected")
        if self._client.protocol.lost.done():
            self._fail("using the connection", self._client.protocol.lost.result())
        return self._client

    def _named(self, folder: str) -> str:
        """The folder's name on the server: with our namespace prefix, unless it has a prefix already."""
        name = folder.upper()
        whole = name == "INBOX" or any(name.startswith(one.upper()) for one in self._prefixes if one)
        return folder if whole or not self._prefixes else self._prefixes[0] + folder

    def _quoted(self, folder: str) -> str:
        try:
            return imap_syntax.quoted_string(self._named(folder))
        except ValueError:
            self._discard()
            raise MailboxError(f"folder name {folder!r}: only printable ASCII characters can be used") from None

    async def _call(self, what: str, work: Awaitable[Any]) -> Any:
        """Run one command under the timeout. Raises MailboxError for anything that goes wrong."""
        answer, reason = None, ""
        assert self._client is not None
        try:
            answer = await asyncio.wait_for(self._client.guard(work), self.settings.timeout)
        except (TimeoutError, lib.CommandTimeout):
            reason = f"no answer within {self.settings.timeout:g} seconds"
        except (OSError, imap_client.WireError, lib.AioImapException) as odd:
            reason = str(odd) or type(odd).__name__
        except asyncio.CancelledError:
            self._discard()
            raise
        except Exception as odd:
            reason = f"an answer that makes no sense ({type(odd).__name__})"
        if reason:
            # Not raised in the handler: aioimaplib's exceptions hold the command, and LOGIN holds the password.
            self._fail(what, reason)
        return answer

    async def _do(self, what: str, work: Awaitable[Any]) -> Any:
        answer = await self._call(what, work)
        if answer.result != "OK":
            self._fail(what, f"the server said {self._said(answer)}")
        return answer

    def _said(self, answer: Any) -> str:
        return hide_passwords(imap_syntax.server_words(answer), self.settings.user, self._password, self._before)

    def _fail(self, what: str, reason: str, kind: type[MailboxError] = MailboxError) -> NoReturn:
        self._discard()
        raise kind(f"{self.settings.host}:{self.settings.port}: {what} failed: {reason}")

    def _discard(self) -> None:
        client, self._client = self._client, None
        self._words = set()
        if client is not None:
            client.abandon()
