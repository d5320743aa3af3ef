"""SMTP into the local post office: aiosmtpd in the loop of the office, straight into the Maildirs."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable, Mapping
from email.utils import formatdate
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.demo.postoffice.maildir import Account

LARGEST = 32 * 1024 * 1024

# aiosmtpd warns at every login that an attribute, which we do not use, will go away.
logging.getLogger("mail.log").setLevel(logging.ERROR)


class Door:
    """aiosmtpd's handler: who is known here, and where a letter goes."""

    def __init__(self, accounts: Mapping[str, Account], domain: str) -> None:
        self._accounts = accounts
        self._domain = domain

    def account(self, address: str) -> Account | None:
        """`table+anything@demo.example` and `Table@demo.example` belong to the account `table`."""
        local, _, domain = address.rpartition("@")
        if domain.lower() != self._domain:
            return None
        return self._accounts.get(local.partition("+")[0].lower())

    async def handle_RCPT(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not address.lower().endswith(f"@{self._domain}"):
            return f"550 5.7.1 This post office delivers to {self._domain} only"
        if self.account(address) is None:
            return "550 5.1.1 There is no such account here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        peer = session.peer[0] if isinstance(session.peer, tuple) else "unknown"
        received = f"Received: from {session.host_name} ([{peer}]) by localhost with ESMTP; {formatdate()}\r\n"
        for address in envelope.rcpt_tos:
            account = self.account(address)
            if account is not None:
                head = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {address}\r\n{received}"
                account.folders["INBOX"].add(head.encode("ascii", "replace") + content)
        return "250 2.0.0 Delivered"


class Server(SMTP):
    """One SMTP conversation; the office keeps a list of those that are open, to end them when it stops."""

    def __init__(self, door: Door, password: str, open_ones: set[Server]) -> None:
        def check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
            good = isinstance(data, LoginPassword) and hmac.compare_digest(data.password, password.encode())
            # Not handled: aiosmtpd is still to say 235 or 535.
            return AuthResult(success=good, handled=False)

        super().__init__(
            door,
            data_size_limit=LARGEST,
            hostname="localhost",
            ident="post office",
            authenticator=check,
            # Loopback only, so there is nobody to hide the password from.
            auth_require_tls=False,
            timeout=1800,
            loop=asyncio.get_running_loop(),
        )
        self._open_ones = open_ones

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._open_ones.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._open_ones.discard(self)
        super().connection_lost(error)

    def end(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()


def conversations(door: Door, password: str, open_ones: set[Server]) -> Callable[[], Server]:
    """What `loop.create_server` calls for every connection."""
    return lambda: Server(door, password, open_ones)
