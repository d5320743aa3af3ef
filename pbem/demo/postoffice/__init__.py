"""The local post office: real SMTP and real IMAP on 127.0.0.1, without root and with nothing to configure.

For `pbem demo`, for trying the rest out, and for tests; it listens on the loopback address only and delivers only
to its own accounts, so that no letter ever leaves the machine. Any mail program can log in, with the one password.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from pathlib import Path

from pbem.demo.postoffice.imap import CAPABILITIES, LONGEST_LINE, ImapSession
from pbem.demo.postoffice.maildir import Account
from pbem.demo.postoffice.smtp import Door, Server, conversations

HOST = "127.0.0.1"


class PostOffice:
    """Accounts under `folder`, one Maildir each; ports of 0 are chosen by the system when it starts.

    `password` opens every account (an unguessable one is made if none is given). `without` names IMAP capabilities
    to leave out, such as MOVE or IDLE, to see how a client does with a poorer server. Without `durable` nothing is
    forced to the disk: much faster where that is slow, and a power cut may then lose letters.
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
        without: Iterable[str] = (),
        durable: bool = True,
    ) -> None:
        self.folder = folder
        self.password = password or secrets.token_urlsafe(9)
        self.domain = domain.lower()
        self.host = HOST
        self._durable = durable
        self._ports = [smtp_port, imap_port]
        left_out = set(without)
        self._capabilities = [word for word in CAPABILITIES if word not in left_out]
        self._accounts: dict[str, Account] = {}
        self._servers: list[asyncio.Server] = []
        self._smtp_clients: set[Server] = set()
        self._imap_clients: dict[ImapSession, asyncio.Task[None]] = {}
        for name in accounts:
            self.make_account(name)

    @property
    def smtp_port(self) -> int:
        return self._ports[0]

    @property
    def imap_port(self) -> int:
        return self._ports[1]

    def address(self, name: str) -> str:
        """The mail address of an account."""
        return f"{name}@{self.domain}"

    def maildir(self, name: str) -> Path:
        """The Maildir of an account, for `mutt -f` and for people."""
        return self._accounts[name].path

    def make_account(self, name: str) -> str:
        """Open an account, with what lies in its Maildir from before, and tell its address.

        Raises ValueError if the name is not of lower-case letters, digits, `-`, `_` and dots inside.
        """
        plain = name.replace("-", "").replace("_", "").replace(".", "")
        if not (plain.isascii() and plain.isalnum() and name == name.lower()) or name[0] in ".-" or name[-1] == ".":
            raise ValueError(f"{name!r} cannot be the name of an account")
        if name not in self._accounts:
            self._accounts[name] = Account(name, self.folder / name, self._durable)
        return self.address(name)

    async def start(self) -> None:
        """Listen. Raises OSError if a given port is taken."""
        loop = asyncio.get_running_loop()
        door = Door(self._accounts, self.domain)
        smtp = await loop.create_server(conversations(door, self.password, self._smtp_clients), HOST, self._ports[0])
        self._servers.append(smtp)
        try:
            imap = await asyncio.start_server(self._serve, HOST, self._ports[1], limit=LONGEST_LINE)
        except OSError:
            await self.stop()
            raise
        self._servers.append(imap)
        self._ports = [server.sockets[0].getsockname()[1] for server in self._servers]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = ImapSession(self._accounts, self.password, self._capabilities, reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._imap_clients[session] = task
        try:
            await session.serve()
        except asyncio.CancelledError:
            # The loop ends without `stop`; asyncio's streams of Python 3.11 would print a traceback for it.
            pass
        finally:
            del self._imap_clients[session]

    async def stop(self) -> None:
        """Stop listening and cut every connection; what was delivered stays on disk."""
        servers, self._servers = self._servers, []
        for server in servers:
            server.close()
        for client in list(self._smtp_clients):
            client.end()
        waiting = list(self._imap_clients.values())
        for session in list(self._imap_clients):
            session.end()
        for server in servers:
            await server.wait_closed()
        if waiting:
            await asyncio.wait(waiting)
