"""Somebody with a mailbox and a mail program: fetches over IMAP, answers over SMTP, and knows nothing else."""

from __future__ import annotations

import secrets
from dataclasses import replace
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.demo.received_mail import ReceivedMail, parse_mail
from pbem.host.scheduler import utc_now
from pbem.inbound.mailbox import Arrived, Mailbox, MailboxError, MailboxSettings
from pbem.outbound.sender import Sender, SenderSettings


class MailClient:
    """One person's mail. `account` is the login, `address` where mail to it goes.

    Without `smtp_login` there is no login, as at a server that trusts this machine. `poll`: seconds between two looks;
    0 waits for the server's word (IDLE).
    """

    def __init__(
        self,
        name: str,
        account: str,
        address: str,
        password: str,
        host: str,
        imap_port: int,
        smtp_port: int,
        *,
        smtp_login: bool = True,
        poll: float = 0.0,
    ) -> None:
        self.name, self.account, self.address = name, account, address
        self.sent = 0
        settings = MailboxSettings(host, imap_port, account, password, "none")
        self._box = Mailbox(replace(settings, idle=False, poll=poll) if poll else settings)
        self._sender = Sender(SenderSettings(host, smtp_port, account if smtp_login else "", password, "none"))
        self._read: Arrived | None = None
        self._series = secrets.token_hex(4)  # an id that came before is a duplicate, also on another evening

    async def fetch(self) -> list[ReceivedMail]:
        """Every mail that has come since the last look, oldest first. Raises MailboxError."""
        if not self._box.connected:
            await self._box.connect()
        fresh = await self._box.arrived(after=self._read)
        if not fresh:
            return []
        bodies = await self._box.fetch(fresh)
        if len(bodies) < len(fresh):
            raise MailboxError("the mailbox does not give out a mail that it lists")
        self._read = fresh[-1]
        return [parse_mail(bodies[one]) for one in fresh]

    async def wait(self, seconds: float) -> None:
        """Wait until something has come, or so long."""
        await self._box.wait(seconds)

    async def answer(self, mail: ReceivedMail, lines: str) -> None:
        """Answer a mail as a mail program does: above the quoted mail, to its Reply-To. Raises SendError."""
        self.sent += 1
        letter = EmailMessage(policy=SMTP)
        letter["From"] = Address(self.name, addr_spec=self.address)
        letter["To"] = Address(addr_spec=mail.reply_to)
        letter["Subject"] = mail.subject if mail.subject.startswith("Re: ") else f"Re: {mail.subject}"
        letter["Date"] = format_datetime(utc_now())
        letter["Message-ID"] = f"<{self.account}.{self._series}.{self.sent}@{self.address.rpartition('@')[2]}>"
        letter["In-Reply-To"] = mail.message_id
        letter["References"] = mail.references
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        letter.set_content(f"{lines}\n\n{quoted}\n", cte="quoted-printable")
        await self._sender.send(letter.as_bytes(), self.address, mail.reply_to)

    async def close(self) -> None:
        """Log out."""
        await self._sender.close()
        await self._box.close()
