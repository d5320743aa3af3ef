"""SMTP into the local post office: aiosmtpd in the loop of the office, straight into the Maildirs."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable, Mapping
from email.utils import formatdate
from typing import Any

from pbem.demo.postoffice.mail_storage import Account

LARGEST = 32 * 1024 * 1024
INSTALL = (
    "the post office on this machine needs aiosmtpd, which is not installed; "
    "`pip install 'troyes-by-mail[demo]'` installs it"
)

# aiosmtpd warns at every login that an attribute, which we do not use, will go away.
logging.getLogger("mail.log").setLevel(logging.ERROR)


class DemoError(Exception):
    """The demo cannot begin or go on; the text says why."""


class Delivery:
    """aiosmtpd's handler: who is known here, and where a letter goes. Its hooks are found by their names."""

    def __init__(self, accounts: Mapping[str, Account], domain: str) -> None:
        self._accounts = accounts
        self._domain = domain

    def _account(self, address: str) -> Account | None:
        """`table+anything@demo.example` and `Table@demo.example` belong to the account `table`."""
        return self._accounts.get(address.rpartition("@")[0].partition("+")[0].lower())

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802
        """Take letters to the accounts of this office alone."""
        if not address.lower().endswith(f"@{self._domain}"):
            return f"550 5.7.1 This post office delivers to {self._domain} only"
        if self._account(address) is None:
            return "550 5.1.1 There is no such account here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Store the letter for each recipient, before the client is told that it was taken."""
        received = f"Received: from {session.host_name} ([{session.peer[0]}]) by localhost with ESMTP; {formatdate()}"
        for address in envelope.rcpt_tos:
            account = self._account(address)
            if account is not None:
                head = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {address}\r\n{received}\r\n"
                account.inbox.add(head.encode("ascii", "replace") + envelope.content)
        return "250 2.0.0 Delivered"


def smtp_protocols(delivery: Delivery, password: str, opened: Callable[[Any], None]) -> Callable[[], asyncio.Protocol]:
    """What `loop.create_server` calls for a connection; `opened` is given each. Raises DemoError without aiosmtpd."""
    try:
        from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
    except ModuleNotFoundError:
        raise DemoError(INSTALL) from None

    def check(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
        good = isinstance(data, LoginPassword) and hmac.compare_digest(data.password, password.encode())
        # Not handled: aiosmtpd is still to say 235 or 535.
        return AuthResult(success=good, handled=False)

    def protocol() -> asyncio.Protocol:
        # Loopback only, so there is nobody to hide the password from.
        made = SMTP(
            delivery, data_size_limit=LARGEST, hostname="localhost", ident="post office", authenticator=check,
            auth_require_tls=False, timeout=1800, loop=asyncio.get_running_loop(),
        )  # fmt: skip
        opened(made)
        return made

    return protocol
