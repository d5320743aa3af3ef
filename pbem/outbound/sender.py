"""Mail out over SMTP (RFC 5321), one recipient at a time, on one connection that is kept while it is in use.

The outcome of a letter is one of four: `send` returns, the server has taken it; `SendRefused`, this letter will
never reach this recipient; `SendDelayed`, try again later with the same bytes and the same Message-ID;
`SenderRefused`, the server takes nothing from *us* (login, relaying, a day's limit, our address or domain): nobody's
address is to blame, the host can mend it, and until then every letter waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import aiosmtplib

from pbem.host.checked import Auth
from pbem.host.passwords import SecretError, discreet
from pbem.host.tls import Tls, TlsError, context
from pbem.inbound.replies import Blame, fault
from pbem.inbound.speech import one_line

_ADDRESS = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
"""Printable ASCII without blanks and angle brackets: what may stand in an envelope without quoting or SMTPUTF8."""

_KEEP = 30.0
"""Seconds of quiet after which the connection is not used again: it costs less to open one than to find it dead."""

_OUR_CODES = frozenset({454, 530, 534, 535, 538})
"""Basic codes that speak of us at every stage: login, encryption."""


class SendError(Exception):
    """A letter did not go out. `code` is the server's (0 if it said none); `text` its words or ours, on one line."""

    def __init__(self, text: str, code: int = 0) -> None:
        text = one_line(text, 500)
        super().__init__(f"{code} {text}" if code else text)
        self.code = code
        self.text = text


class SendRefused(SendError):  # noqa: N818 - what happened, as in engine.errors
    """Permanent for this letter and recipient, `certain` or only as far as one reply can tell. `address_dead` when it
    is the address that was refused."""

    def __init__(self, text: str, code: int = 0, *, address_dead: bool = False, certain: bool = False) -> None:
        super().__init__(text, code)
        self.address_dead = address_dead
        self.certain = certain or address_dead


class SendDelayed(SendError):  # noqa: N818
    """Not now. The letter may at worst have been taken without our hearing of it."""


class SenderRefused(SendDelayed):
    """The server takes nothing from our account, address, domain or machine: nothing goes out until that is mended."""


class SenderLoginRefused(SenderRefused):
    """The server does not take our user and password."""


class SmtpStage(Enum):
    """Where in a conversation a reply came."""

    CONNECT = "connect"
    """Greeting, EHLO, TLS and login."""
    MAIL = "sender"
    RCPT = "recipient"
    DATA = "letter"
    """And after it."""


@dataclass(frozen=True)
class SenderSettings:
    """Where mail goes out. No login where `user` is empty. `timeout` is in seconds, for each command."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    tls: Tls = "tls"
    timeout: float = 30.0
    ca_file: str = ""
    plaintext_allowed: bool = False
    auth: Auth = "password"
    renew: Callable[[], str] | None = None
    """What gives another password or token where the server has refused the one there was."""


class Sender:
    """Sends one letter at a time; calls from several tasks wait for each other."""

    def __init__(self, settings: SenderSettings) -> None:
        self.settings = settings
        self._password = settings.password
        self._before = ""
        """The password that was refused last: a server may repeat it still."""
        self.connections = 0
        """Connections opened so far: a figure for the tests."""
        self._smtp: aiosmtplib.SMTP | None = None
        self._used = 0.0
        self._lock = asyncio.Lock()

    async def send(self, message: bytes, mail_from: str, rcpt: str) -> None:
        """Hand one complete letter over. `mail_from` may be empty, the null sender. Raises SendRefused, SendDelayed."""
        for what, address in (("sender", mail_from), ("recipient", rcpt)):
            if not (_ADDRESS.fullmatch(address) or (what == "sender" and not address)):
                raise SendRefused(
                    f"the {what} address {address!r} cannot be used: only ASCII without blanks, like name@example.org",
                    address_dead=what == "recipient",
                    certain=True,
                )
        async with self._lock:
            await self._send(message, mail_from, rcpt)

    async def check(self) -> None:
        """Connect and log in without sending, for `doctor`. Raises SendDelayed, SenderLoginRefused."""
        async with self._lock:
            self._drop()
            await self._connect()

    async def close(self) -> None:
        """Say goodbye, within two seconds, and forget the connection. Never raises."""
        async with self._lock:
            if self._smtp is not None and self._smtp.is_connected:
                with contextlib.suppress(Exception):
                    await self._smtp.quit(timeout=min(2.0, self.settings.timeout))
            self._drop()

    async def _send(self, message: bytes, mail_from: str, rcpt: str) -> None:
        now = asyncio.get_running_loop().time()
        if self._smtp is not None and (not self._smtp.is_connected or now - self._used > _KEEP):
            self._drop()
        reused = self._smtp is not None
        smtp = self._smtp or await self._connect()
        try:
            await self._begin(smtp, message, mail_from)
        except SendDelayed as odd:
            # A kept connection that ends at the first word of the next letter was only stale: once more, on a new one.
            if not reused or odd.code not in (0, 421):
                raise
            smtp = await self._connect()
            await self._begin(smtp, message, mail_from)
        await self._step(smtp, SmtpStage.RCPT, smtp.rcpt(rcpt))
        await self._step(smtp, SmtpStage.DATA, smtp.data(message))

    async def _begin(self, smtp: aiosmtplib.SMTP, message: bytes, mail_from: str) -> None:
        options = ["BODY=8BITMIME"] if not message.isascii() and smtp.supports_extension("8bitmime") else []
        await self._step(smtp, SmtpStage.MAIL, smtp.mail(mail_from, options=options))

    async def _step(self, smtp: aiosmtplib.SMTP, stage: SmtpStage, work: object) -> None:
        try:
            await asyncio.wait_for(work, self.settings.timeout)  # type: ignore[arg-type]
            self._used = asyncio.get_running_loop().time()
            return
        except aiosmtplib.SMTPResponseException as said:
            found = outcome(stage, said.code, said.message, self._clean(said.message))
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as odd:
            found = SendDelayed(self._lost(odd))
        except BaseException:
            # Cancelled between a command and its answer: what comes next would be read as the answer to another.
            self._drop()
            raise
        if found.code in (0, 421):
            self._drop()
        else:
            try:
                await asyncio.wait_for(smtp.rset(), self.settings.timeout)
            except (aiosmtplib.SMTPException, OSError, TimeoutError):
                self._drop()
        raise found

    async def _connect(self) -> aiosmtplib.SMTP:
        try:
            return await self._enter()
        except SenderLoginRefused:
            if self.settings.renew is None:
                raise
            try:
                self._before, self._password = self._password, await asyncio.to_thread(self.settings.renew)
            except SecretError as odd:
                raise SendDelayed(str(odd)) from None
            if self._before == self._password:
                # The same again would only count as another attack.
                raise
            return await self._enter()

    async def _token(self) -> str:
        return self._password

    async def _enter(self) -> aiosmtplib.SMTP:
        s = self.settings
        self._drop()
        try:
            tls = context(s.tls, s.host, s.ca_file, s.plaintext_allowed)
        except TlsError as odd:
            raise SendDelayed(str(odd)) from None
        smtp = aiosmtplib.SMTP(
            hostname=s.host,
            port=s.port,
            username=s.user or None,
            password=None if s.auth == "xoauth2" else self._password or None,
            oauth_token_generator=self._token if s.user and s.auth == "xoauth2" else None,
            local_hostname=socket.gethostname(),
            timeout=s.timeout,
            use_tls=s.tls == "tls",
            start_tls=s.tls == "starttls",
            tls_context=tls,
        )
        trouble: SendDelayed | None = None
        try:
            # Greeting, EHLO, TLS, EHLO, login: each has the timeout, and together they do not have it for ever.
            await asyncio.wait_for(smtp.connect(), s.timeout * 3)
            await asyncio.wait_for(smtp.ehlo(), s.timeout)
        except aiosmtplib.SMTPAuthenticationError as said:
            text = self._clean(said.message)
            trouble = SenderLoginRefused(f"{s.host}:{s.port}: login as {s.user} was refused: {text}", said.code)
        except aiosmtplib.SMTPResponseException as said:
            trouble = SenderRefused(self._clean(said.message), said.code)
        except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as odd:
            trouble = SendDelayed(self._lost(odd))
        finally:
            if not smtp.is_connected or trouble is not None:
                smtp.close()
        if trouble is not None:
            raise trouble
        self._smtp = smtp
        self._used = asyncio.get_running_loop().time()
        self.connections += 1
        return smtp

    def _lost(self, odd: BaseException) -> str:
        # What the system says is no secret; what the library says may repeat the server.
        words = str(odd) if isinstance(odd, OSError) else self._clean(str(odd))
        words = words or f"no answer within {self.settings.timeout:g} seconds"
        return f"{self.settings.host}:{self.settings.port}: {words}"

    def _clean(self, text: str) -> str:
        return discreet(text, self.settings.user, self._password, self._before)

    def _drop(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


def outcome(stage: SmtpStage, code: int, said: str, text: str) -> SendError:
    """What a reply that is not 2xx means at a stage (RFC 5321, section 4.2.1), told apart by whom it blames.

    `said` are the server's words, `text` what may be repeated of them. The one table for all stages; what the words
    mean stands in `pbem.inbound.replies`.
    """
    told = fault(said)
    if told is Blame.SIZE or (code == 552 and stage is SmtpStage.MAIL):
        # Whoever it is for, and whenever it is tried again.
        return SendRefused(text, code, certain=True) if code >= 500 else SendDelayed(text, code)
    ours = told in (Blame.ACCOUNT, Blame.DOMAIN)
    if stage in (SmtpStage.CONNECT, SmtpStage.MAIL) or code in _OUR_CODES or ours:
        return SenderRefused(text, code)
    # RFC 5321 section 4.5.3.1.10: 552 for a recipient means «too many just now»; and a full mailbox is full today.
    if code < 500 or told is Blame.FULL or (stage is SmtpStage.RCPT and (code == 552 or told is Blame.POLICY)):
        return SendDelayed(text, code)
    return SendRefused(text, code, address_dead=stage is SmtpStage.RCPT, certain=stage is SmtpStage.RCPT)
