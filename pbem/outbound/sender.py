"""Send mail over SMTP (RFC 5321), one recipient at a time, on a connection that is kept while in use.

There are four outcomes. `send` returns: the server has taken the mail. `SendRefused`: this mail will never reach this
recipient. `SendDelayed`: try again later with the same bytes. `SenderRefused`: the server takes nothing from us (login,
relaying, daily limit, our address or domain), so all mails wait until the host fixes that.
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

from pbem.host.passwords import SecretError, hide_passwords
from pbem.host.settings_file import Auth
from pbem.host.tls import Tls, TlsError, tls_context
from pbem.inbound.sanitize import one_line
from pbem.inbound.smtp_replies import ReplyFault, classify_reply

_ADDRESS = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
"""Printable ASCII without blanks and angle brackets, which needs neither quoting nor SMTPUTF8."""

_KEEP = 30.0
"""Idle seconds after which a connection is not used again."""

_OUR_CODES = frozenset({454, 530, 534, 535, 538})
"""Codes that are about us at every stage: login, encryption."""


class SendError(Exception):
    """A mail was not sent. `code` is the server's (0 without one); `text` its words or ours on one line."""

    def __init__(self, text: str, code: int = 0) -> None:
        text = one_line(text, 500)
        super().__init__(f"{code} {text}" if code else text)
        self.code = code
        self.text = text


class SendRefused(SendError):  # noqa: N818 - what happened, as in engine.errors
    """Permanent for this mail and recipient; not `certain` if one reply cannot tell. `address_dead`: the address itself
    was refused."""

    def __init__(self, text: str, code: int = 0, *, address_dead: bool = False, certain: bool = False) -> None:
        super().__init__(text, code)
        self.address_dead = address_dead
        self.certain = certain or address_dead


class SendDelayed(SendError):  # noqa: N818
    """Temporary. At worst the server has taken the mail without our noticing."""


class SenderRefused(SendDelayed):
    """The server takes nothing from our account, address, domain or machine until that is fixed."""


class SenderLoginRefused(SenderRefused):
    """The server rejects our user and password."""


class SmtpStage(Enum):
    """The stage of a conversation at which a reply came."""

    CONNECT = "connect"
    """Greeting, EHLO, TLS and login."""
    MAIL = "sender"
    RCPT = "recipient"
    DATA = "letter"
    """And after the letter."""


@dataclass(frozen=True)
class SenderSettings:
    """The server to send through. No login if `user` is empty. `timeout` is in seconds for each command."""

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
    """Returns a new password or token after the server has refused the present one."""


class Sender:
    """Sends one mail at a time; calls from several tasks wait for each other."""

    def __init__(self, settings: SenderSettings) -> None:
        self.settings = settings
        self._password = settings.password
        self._before = ""
        """The last refused password, which a server may quote."""
        self.connections = 0
        """Connections opened so far, for tests."""
        self._smtp: aiosmtplib.SMTP | None = None
        self._used = 0.0
        self._lock = asyncio.Lock()

    async def send(self, message: bytes, mail_from: str, rcpt: str) -> None:
        """Send one mail. `mail_from` may be empty, the null sender. Raises SendRefused, SendDelayed."""
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
        """Connect and log in, for `doctor`. Raises SendDelayed, SenderLoginRefused."""
        async with self._lock:
            self._drop()
            await self._connect()

    async def close(self) -> None:
        """Quit within two seconds and drop the connection. Never raises."""
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
            # A kept connection that ends at the first command was stale: try once more on a new one.
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
            found = reply_error(stage, said.code, said.message, self._clean(said.message))
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as odd:
            found = SendDelayed(self._lost(odd))
        except BaseException:
            # Cancelled between a command and its reply, which must not be read as the reply to another.
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
                # The same password again would only count as another attack.
                raise
            return await self._enter()

    async def _token(self) -> str:
        return self._password

    async def _enter(self) -> aiosmtplib.SMTP:
        s = self.settings
        self._drop()
        try:
            tls = tls_context(s.tls, s.host, s.ca_file, s.plaintext_allowed)
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
            # Greeting, EHLO, TLS, EHLO and login have the timeout each, and a limit together.
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
        # Words of the system are no secret; those of the library may quote the server.
        words = str(odd) if isinstance(odd, OSError) else self._clean(str(odd))
        words = words or f"no answer within {self.settings.timeout:g} seconds"
        return f"{self.settings.host}:{self.settings.port}: {words}"

    def _clean(self, text: str) -> str:
        return hide_passwords(text, self.settings.user, self._password, self._before)

    def _drop(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


def reply_error(stage: SmtpStage, code: int, said: str, text: str) -> SendError:
    """The error for a reply that is not 2xx at a stage (RFC 5321, section 4.2.1), by whom it blames.

    `said` are the server's words (read by `pbem.inbound.smtp_replies`), `text` those that may be shown.
    """
    told = classify_reply(said)
    if told is ReplyFault.SIZE or (code == 552 and stage is SmtpStage.MAIL):
        # The size is refused for every recipient and at every time.
        return SendRefused(text, code, certain=True) if code >= 500 else SendDelayed(text, code)
    ours = told in (ReplyFault.ACCOUNT, ReplyFault.DOMAIN)
    if stage in (SmtpStage.CONNECT, SmtpStage.MAIL) or code in _OUR_CODES or ours:
        return SenderRefused(text, code)
    # 552 for a recipient means «too many just now» (RFC 5321, section 4.5.3.1.10); a full mailbox is temporary.
    if (
        code < 500
        or told is ReplyFault.FULL
        or (stage is SmtpStage.RCPT and (code == 552 or told is ReplyFault.POLICY))
    ):
        return SendDelayed(text, code)
    return SendRefused(text, code, address_dead=stage is SmtpStage.RCPT, certain=stage is SmtpStage.RCPT)
