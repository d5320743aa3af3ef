"""The local post office: real SMTP and real IMAP on 127.0.0.1, without root and with nothing to configure.

For `pbem demo`, `pbem play` and tests. It listens on the loopback address only and delivers only to its own accounts,
so no letter ever leaves the machine. Any mail program can log in, with the one password. SMTP is aiosmtpd's, an extra.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import re
import secrets
import weakref
from collections.abc import Callable, Iterable
from email.utils import formatdate
from pathlib import Path
from typing import Any

from pbem.demo.postoffice.imap_session import CAPABILITIES, LARGEST, LONGEST_LINE, ImapSession
from pbem.demo.postoffice.mail_storage import Account

HOST = "127.0.0.1"
INSTALL = (
    "the post office on this machine needs aiosmtpd, which is not installed; "
    "`pip install 'troyes-by-mail[demo]'` installs it"
)

# aiosmtpd warns at every login that an attribute, which we do not use, will go away.
logging.getLogger("mail.log").setLevel(logging.ERROR)


class DemoError(Exception):
    """The demo cannot begin or go on; the text says why."""


class PostOffice:
    """Accounts under `folder`, one Maildir each; ports of 0 are chosen by the system when it starts.

    `password` opens every account (an unguessable one is made if none is given). Without `durable` nothing is forced to
    the disk: much faster where that is slow, and a power cut may then lose letters.
    """

    def __init__(
        self,
        folder: Path,
        accounts: Iterable[str] = (),
        *,
        password: str = "",
        domain: str = "demo.example",
        smtp_port: int = 0,
        imap_port: int = 0,
        durable: bool = True,
    ) -> None:
        self.folder = folder
        self.password = password or secrets.token_urlsafe(9)
        self.domain = domain.lower()
        self.host = HOST
        self.smtp_port, self.imap_port = smtp_port, imap_port
        self.accounts: dict[str, Account] = {}
        self.capabilities: tuple[str, ...] = CAPABILITIES
        """Those of IMAP that clients are told of."""
        self._durable = durable
        self._servers: list[asyncio.Server] = []
        self._smtp_clients: weakref.WeakSet[Any] = weakref.WeakSet()
        self._imap_clients: dict[ImapSession, asyncio.Task[Any]] = {}
        for name in accounts:
            self.make_account(name)

    def address(self, name: str) -> str:
        """The mail address of an account."""
        return f"{name}@{self.domain}"

    def make_account(self, name: str) -> str:
        """Open an account, with what lies in its Maildir from before, and tell its address.

        Raises ValueError if the name is not of lower-case letters, digits, `-`, `_` and dots inside.
        """
        if not re.fullmatch(r"(?=.*[a-z0-9])[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?", name):
            raise ValueError(f"{name!r} cannot be the name of an account")
        if name not in self.accounts:
            self.accounts[name] = Account(self.folder / name, self._durable)
        return self.address(name)

    async def start(self) -> None:
        """Listen. Raises OSError if a given port is taken, DemoError without aiosmtpd."""
        loop = asyncio.get_running_loop()
        self._servers.append(await loop.create_server(self._smtp_protocols(), HOST, self.smtp_port))
        try:
            self._servers.append(await asyncio.start_server(self._serve, HOST, self.imap_port, limit=LONGEST_LINE))
        except OSError:
            await self.stop()
            raise
        self.smtp_port, self.imap_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    async def stop(self) -> None:
        """Stop listening and cut every connection; what was delivered stays on disk."""
        servers, self._servers = self._servers, []
        for server in servers:
            server.close()
        for client in list(self._smtp_clients):
            if client.transport is not None:
                client.transport.abort()
        waiting = list(self._imap_clients.values())
        for session in list(self._imap_clients):
            session.end()
        for server in servers:
            await server.wait_closed()
        if waiting:
            await asyncio.wait(waiting)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of an IMAP client."""
        session = ImapSession(self.accounts, self.password, self.capabilities, reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._imap_clients[session] = task
        # Cancelled where the loop ends without `stop`; asyncio's streams of Python 3.11 would print a traceback for it.
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await session.serve()
        finally:
            del self._imap_clients[session]

    def _smtp_protocols(self) -> Callable[[], asyncio.Protocol]:
        """What is called for every connection of an SMTP client."""
        try:
            from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
        except ModuleNotFoundError:
            raise DemoError(INSTALL) from None

        def check(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
            good = isinstance(data, LoginPassword) and hmac.compare_digest(data.password, self.password.encode())
            # Not handled: aiosmtpd is still to say 235 or 535.
            return AuthResult(success=good, handled=False)

        def protocol() -> asyncio.Protocol:
            # Loopback only, so there is nobody to hide the password from.
            made = SMTP(
                _Delivery(self), data_size_limit=LARGEST, hostname="localhost", ident="post office",
                authenticator=check, auth_require_tls=False, timeout=1800, loop=asyncio.get_running_loop(),
            )  # fmt: skip
            self._smtp_clients.add(made)
            return made

        return protocol


class _Delivery:
    """aiosmtpd's handler: who is known here, and where a letter goes. Its hooks are found by their names."""

    def __init__(self, office: PostOffice) -> None:
        self._office = office

    def _account(self, address: str) -> Account | None:
        """`table+anything@demo.example` and `Table@demo.example` belong to the account `table`."""
        return self._office.accounts.get(address.rpartition("@")[0].partition("+")[0].lower())

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802
        """Take letters to the accounts of this office alone."""
        if not address.lower().endswith(f"@{self._office.domain}"):
            return f"550 5.7.1 This post office delivers to {self._office.domain} only"
        if self._account(address) is None:
            return "550 5.1.1 There is no such account here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Store the letter for each recipient, before the client is told that it was taken."""
        received = f"Received: from {session.host_name} ([{session.peer[0]}]) by localhost with ESMTP; {formatdate()}"
        for address in envelope.rcpt_tos:
            if account := self._account(address):
                head = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {address}\r\n{received}\r\n"
                account.inbox.add(head.encode("ascii", "replace") + envelope.content)
        return "250 2.0.0 Delivered"
