"""Mail out over SMTP (RFC 5321), one recipient at a time, on one connection that is kept while it is in use.

The outcome of a letter is one of three: `send` returns, the server has taken it; `SendRefused`, this letter will
never reach this recipient; `SendDelayed`, try again later with the same bytes and the same Message-ID. A refusal of
*us* (login, relaying, a day's limit, our sender address) is a delay: the recipient has done nothing wrong and the
host can mend it.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

import aiosmtplib

from pbem.host.checked import Auth
from pbem.host.passwords import SecretError, discreet
from pbem.host.tls import Tls, TlsError, context
from pbem.inbound.speech import one_line

_ADDRESS = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
"""Printable ASCII without blanks and angle brackets: what may stand in an envelope without quoting or SMTPUTF8."""

_KEEP = 30.0
"""Seconds of quiet after which the connection is not used again: it costs less to open one than to find it dead."""

_OURS = re.compile(r"\b5\.(4\.5|1\.90|7\.[089]|7\.1[0-4])\b")
"""Enhanced codes (RFC 3463, 4954 and two large providers) that speak of our account: limits, login, encryption."""

_NOT_FROM_US = re.compile(r"5\.7\.(?!1[78]\b)|(?!5\.).*\brelay", re.IGNORECASE)
"""What a server says of a recipient to whom it passes nothing on from us: policy (RFC 3463, X.7; two codes of RFC 7293
are of the address), or in words alone. It is the same for everybody, and the host's to mend."""

_OUR_CODES = frozenset({421, 454, 530, 534, 535, 538})


class SendError(Exception):
    """A letter did not go out. `code` is the server's (0 if it said none); `text` its words or ours, on one line."""

    def __init__(self, text: str, code: int = 0) -> None:
        text = one_line(text, 500)
        super().__init__(f"{code} {text}" if code else text)
        self.code = code
        self.text = text


class SendRefused(SendError):  # noqa: N818 - what happened, as in engine.errors
    """Permanent for this letter and recipient. `address_dead` when it is the address that was refused."""

    def __init__(self, text: str, code: int = 0, *, address_dead: bool = False) -> None:
        super().__init__(text, code)
        self.address_dead = address_dead


class SendDelayed(SendError):  # noqa: N818
    """Not now. The letter may at worst have been taken without our hearing of it."""


class SenderLoginRefused(SendDelayed):
    """The server does not take our user and password; nothing goes out until the host has mended the settings."""


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
        await self._step(smtp, "recipient", smtp.rcpt(rcpt))
        await self._step(smtp, "letter", smtp.data(message))

    async def _begin(self, smtp: aiosmtplib.SMTP, message: bytes, mail_from: str) -> None:
        options = ["BODY=8BITMIME"] if not message.isascii() and smtp.supports_extension("8bitmime") else []
        await self._step(smtp, "sender", smtp.mail(mail_from, options=options))

    async def _step(self, smtp: aiosmtplib.SMTP, stage: str, work: object) -> None:
        try:
            await asyncio.wait_for(work, self.settings.timeout)  # type: ignore[arg-type]
            self._used = asyncio.get_running_loop().time()
            return
        except aiosmtplib.SMTPResponseException as said:
            outcome = _outcome(stage, said.code, said.message, self._clean(said.message))
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as odd:
            outcome = SendDelayed(self._lost(odd))
        except BaseException:
            # Cancelled between a command and its answer: what comes next would be read as the answer to another.
            self._drop()
            raise
        if outcome.code in (0, 421):
            self._drop()
        else:
            try:
                await asyncio.wait_for(smtp.rset(), self.settings.timeout)
            except (aiosmtplib.SMTPException, OSError, TimeoutError):
                self._drop()
        raise outcome

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
            trouble = SendDelayed(self._clean(said.message), said.code)
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


def _outcome(stage: str, code: int, said: str, text: str) -> SendError:
    """What a reply that is not 2xx means (RFC 5321 section 4.2.1), told apart by whom it blames.

    `said` are the server's words, `text` what may be repeated of them.
    """
    if code < 500 or code in _OUR_CODES or _OURS.search(said[:12]):
        return SendDelayed(text, code)
    if stage == "sender":
        # 552: too large, whoever it is for. Every other refusal of the sender is for the host to mend.
        return SendRefused(text, code) if code == 552 else SendDelayed(text, code)
    if stage == "recipient":
        # RFC 5321 section 4.5.3.1.10: 552 here means "too many just now"; and 5.2.2 is a mailbox that is full today.
        full = code == 552 or said.startswith("5.2.2")
        if full or _NOT_FROM_US.match(said):
            return SendDelayed(text, code)
        return SendRefused(text, code, address_dead=True)
    return SendRefused(text, code)
