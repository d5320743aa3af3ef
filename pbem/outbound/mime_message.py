"""Build the bytes of a mail: header, text part and HTML part.

Equal input gives equal bytes: no clock, no random boundary, no generated Message-ID.
"""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.policy import SMTP
from email.utils import format_datetime
from functools import lru_cache

from pbem.inbound.sanitize import one_line
from pbem.outbound.format_flowed import flow
from pbem.outbound.mail import Mail, MailKind

REPLIES = frozenset({MailKind.RECEIPT, MailKind.TRIAL, MailKind.REFUSAL, MailKind.ANSWER})
"""Kinds that answer a letter (RFC 3834, section 5)."""

_TEXT = ("text/plain; charset=utf-8; format=flowed; delsp=no", "text/html; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Host:
    """The sender of the mails. `address` is the mailbox for answers, `list_id` the List-Id.

    `label` begins the ids of its games if several hosts share the address. `domain` is the right side of Message-IDs,
    by default that of the address.
    """

    address: str
    plus_addressing: bool = True
    name: str = "Troyes by Mail"
    domain: str = ""
    list_id: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        domain = self.domain or self.address.rpartition("@")[2]
        object.__setattr__(self, "domain", domain)
        object.__setattr__(self, "list_id", self.list_id or f"pbem.{domain}")

    @property
    def own_address(self) -> str:
        """The address of this host alone, if several share a mailbox; empty without a label."""
        return self.reply_address(self.label) if self.label else ""

    def reply_address(self, token: str) -> str:
        """The reply address for a token: `local+token@domain`, if the host has plus addressing."""
        if not (token and self.plus_addressing):
            return self.address
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{token}@{domain}"


@dataclass(frozen=True, slots=True)
class Thread:
    """The Message-IDs of the first and the last mail of a thread, with angle brackets."""

    root: str = ""
    last: str = ""

    def references(self) -> tuple[str, ...]:
        """Both ids, once each (RFC 5322, section 3.6.4)."""
        return tuple(dict.fromkeys(name for name in (self.root, self.last) if name))


def subject_of(host: Host, mail: Mail, subject: str) -> str:
    """The subject, with the token at its end if the reply address alone is not enough."""
    return f"{subject} [{mail.token}]" if mail.token and (mail.reader.keyed or not host.plus_addressing) else subject


def build_message(
    host: Host, mail: Mail, subject: str, body: str, page: str, to: Address, thread: Thread, ident: str, date: datetime
) -> bytes:
    """Build the message with CRLF line ends; without `page` it is plain text. `ident` has its angle brackets.

    Raises ValueError for an address that is not ASCII.
    """
    return join_parts(build_header(host, mail, subject, to, thread, ident, date), flow(body), page, ident)


def build_header(
    host: Host, mail: Mail, subject: str, to: Address, thread: Thread, ident: str, date: datetime
) -> list[str]:
    """The header fields of a mail. Raises ValueError for an address that is not ASCII."""
    head = [
        _address("From", host.name, host.address),
        _address("To", one_line(to.display_name), to.addr_spec),
    ]
    if mail.token:
        head.append(_address("Reply-To", host.name, host.reply_address(mail.token)))
    head += [_encoded("Subject", subject_of(host, mail, subject)), _plain("Date", format_datetime(date))]
    head.append(_plain("Message-ID", ident))
    if thread.last:
        head += [_plain("In-Reply-To", thread.last), _plain("References", *thread.references())]
    head += [
        _plain("Auto-Submitted", "auto-replied" if mail.kind in REPLIES else "auto-generated"),
        # No Precedence: some servers delay or hide «bulk», and RFC 3834 does without.
        _plain("X-Auto-Response-Suppress", "All"),
        _plain("List-Id", f"<{host.list_id}>"),
        _plain("X-PBEM-Game", mail.game),
        *([_plain("X-PBEM-Host", host.label)] if host.label else ()),
        _plain("MIME-Version", "1.0"),
    ]
    return head


def join_parts(head: Sequence[str], text: str, page: str, ident: str) -> bytes:
    """Join header, flowed text and page (which may be empty) to a message."""
    parts = [_part(kind, part) for kind, part in zip(_TEXT, (text, page), strict=True) if part]
    if len(parts) == 1:
        return "".join(head).encode("ascii") + parts[0]
    # Quoted-printable never holds `=_`, so the boundary is in no part.
    boundary = f"=_{hashlib.sha256(ident.encode()).hexdigest()[:32]}"
    head = [*head, f'Content-Type: multipart/alternative;\r\n boundary="{boundary}"\r\n']
    line = f"\r\n--{boundary}".encode()
    both = b"".join(b"%b\r\n%b" % (line, part) for part in parts)
    return "".join(head).encode("ascii") + both + b"%b--\r\n" % line


def _part(kind: str, text: str) -> bytes:
    head = _plain("Content-Type", kind) + _plain("Content-Transfer-Encoding", "quoted-printable")
    # Quoted-printable writes the blank of a soft break as =20, which no server strips.
    return head.encode("ascii") + b"\r\n" + binascii.b2a_qp(f"{text}\n".replace("\n", "\r\n").encode())


@lru_cache(1024)
def _address(field: str, name: str, addr_spec: str) -> str:
    """A header line with an address. Cached, because the library is slow and addresses repeat."""
    if not addr_spec.isascii():
        raise ValueError(f"{addr_spec}: an address with other than ASCII letters cannot be written to")
    return _encoded(field, Address(name, addr_spec=addr_spec))


def _encoded(name: str, value: str | Address) -> str:
    """A header line with people's words, encoded and folded (RFC 2047). Raises ValueError."""
    words = value if isinstance(value, str) else value.display_name
    if "=?" in words:
        # Words that look encoded are encoded again, so that they are read as typed.
        coded = Header(words, "utf-8", header_name=name, maxlinelen=HEADER_WIDTH).encode(linesep="\r\n")
        return f"{name}: {coded}\r\n" if isinstance(value, str) else f"{name}: {coded}\r\n <{value.addr_spec}>\r\n"
    return str(_POLICY.fold(*_POLICY.header_store_parse(name, value)))


def _plain(name: str, *values: str) -> str:
    """A header line of our own words, one value a line.

    The library would write a long id in In-Reply-To or References as an encoded word, which breaks threading (cpython
    issue 85725). Raises ValueError for what a header cannot hold.
    """
    for value in values:
        if not (value.isascii() and value.isprintable() and len(value) < 900):
            raise ValueError(f"{name} cannot hold {value[:80]!r}")
    return f"{name}: " + "\r\n ".join(values) + "\r\n"


HEADER_WIDTH = 76
"""Columns of a header line: at 78 the library makes encoded words longer than RFC 2047 allows."""

_POLICY = SMTP.clone(max_line_length=HEADER_WIDTH)
