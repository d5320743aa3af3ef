"""The local post office: real SMTP and real IMAP on 127.0.0.1, without root and with nothing to configure.

For `pbem demo`, `pbem play` and tests; it listens on the loopback address only and delivers only to its own accounts,
so no letter ever leaves the machine. Any mail program can log in, with the one password. SMTP needs the extra
`troyes-by-mail[demo]`.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pbem.demo.postoffice.imap_session import CAPABILITIES, LONGEST_LINE, ImapSession
from pbem.demo.postoffice.mail_storage import Account
from pbem.demo.postoffice.smtp_server import Delivery, smtp_protocols

HOST = "127.0.0.1"


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
        self._durable = durable
        self.capabilities: tuple[str, ...] = CAPABILITIES
        """Those of IMAP that clients are told of."""
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
        delivery = Delivery(self.accounts, self.domain)
        protocols = smtp_protocols(delivery, self.password, self._smtp_clients.add)
        smtp = await asyncio.get_running_loop().create_server(protocols, HOST, self.smtp_port)
        self._servers.append(smtp)
        try:
            imap = await asyncio.start_server(self._serve, HOST, self.imap_port, limit=LONGEST_LINE)
        except OSError:
            await self.stop()
            raise
        self._servers.append(imap)
        self.smtp_port, self.imap_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = ImapSession(self.accounts, self.password, self.capabilities, reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._imap_clients[session] = task
        # Cancelled where the loop ends without `stop`; asyncio's streams of Python 3.11 would print a traceback for it.
        with contextlib.suppress(asyncio.CancelledError):
            await session.serve()
        del self._imap_clients[session]

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
