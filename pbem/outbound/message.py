"""Mails as bytes: headers, a text part and an HTML part, by the rules of mail.

Equal input gives equal bytes: no clock, no random boundary, no message id of the library's own making.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.policy import SMTP
from email.utils import format_datetime
from functools import lru_cache

from pbem.inbound.speech import one_line
from pbem.outbound.flowed import flow
from pbem.outbound.mail import Mail, MailKind

REPLIES = frozenset({MailKind.RECEIPT, MailKind.TRIAL, MailKind.REFUSAL, MailKind.ANSWER})
"""Kinds that answer a letter, and say so (RFC 3834, section 5)."""

_TEXT = ("text/plain; charset=utf-8; format=flowed; delsp=no", "text/html; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Host:
    """Who writes the mails. `address` is the mailbox that answers come to; `list_id` names the mails' List-Id.

    `label` is what the ids of its games begin with, where several hosts share the address.
    `domain` is the right side of our Message-IDs; left empty it is the address's own, and the List-Id follows.
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
        """Where this host alone is reached behind the address of several; empty where it has no label."""
        return self.reply_address(self.label) if self.label else ""

    def reply_address(self, token: str) -> str:
        """Where an answer to a mail with this token should go: `local+token@domain` where the mailbox can."""
        if not (token and self.plus_addressing):
            return self.address
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{token}@{domain}"


@dataclass(frozen=True, slots=True)
class Thread:
    """The Message-IDs of the first and of the last mail of a thread, with angle brackets; empty when there is none."""

    root: str = ""
    last: str = ""

    def references(self) -> tuple[str, ...]:
        """Both ids, once each (RFC 5322, section 3.6.4)."""
        return tuple(dict.fromkeys(name for name in (self.root, self.last) if name))


def subject_of(host: Host, mail: Mail, subject: str) -> str:
    """The subject as it is sent: with the token, last, where it cannot stand in the reply address, or not alone."""
    return f"{subject} [{mail.token}]" if mail.token and (mail.reader.keyed or not host.plus_addressing) else subject


def written(
    host: Host, mail: Mail, subject: str, body: str, page: str, to: Address, thread: Thread, ident: str, date: datetime
) -> bytes:
    """The whole message with CRLF line ends; without `page` it is plain text. `ident` has its angle brackets.

    Raises ValueError for an address with letters that plain SMTP does not carry.
    """
    return assembled(head_of(host, mail, subject, to, thread, ident, date), flow(body), page, ident)


def head_of(
    host: Host, mail: Mail, subject: str, to: Address, thread: Thread, ident: str, date: datetime
) -> list[str]:
    """The header of a mail, each field a line or several. Raises ValueError as `written` does."""
    head = [
        _address("From", host.name, host.address),
        _address("To", one_line(to.display_name), to.addr_spec),
    ]
    if mail.token:
        head.append(_address("Reply-To", host.name, host.reply_address(mail.token)))
    head += [_subject(subject_of(host, mail, subject)), _plain("Date", format_datetime(date))]
    head.append(_plain("Message-ID", ident))
    if thread.last:
        head += [_plain("In-Reply-To", thread.last), _plain("References", *thread.references())]
    head += [
        _plain("Auto-Submitted", "auto-replied" if mail.kind in REPLIES else "auto-generated"),
        # No Precedence: RFC 3834 does without it, and some servers delay or hide «bulk», which a turn is not.
        _plain("X-Auto-Response-Suppress", "All"),
        _plain("List-Id", f"<{host.list_id}>"),
        _plain("X-PBEM-Game", mail.game),
        *([_plain("X-PBEM-Host", host.label)] if host.label else ()),
        _plain("MIME-Version", "1.0"),
    ]
    return head


def assembled(head: Sequence[str], text: str, page: str, ident: str) -> bytes:
    """A message of a header, a text that is broken into lines, and a page, or none."""
    parts = [_part(kind, part) for kind, part in zip(_TEXT, (text, page), strict=True) if part]
    if len(parts) == 1:
        return "".join(head).encode("ascii") + parts[0]
    # No line of quoted-printable holds `=_`, so that the boundary stands in no part.
    boundary = f"=_{hashlib.sha256(ident.encode()).hexdigest()[:32]}"
    head = [*head, f'Content-Type: multipart/alternative;\r\n boundary="{boundary}"\r\n']
    line = f"\r\n--{boundary}".encode()
    both = b"".join(b"%b\r\n%b" % (line, part) for part in parts)
    return "".join(head).encode("ascii") + both + b"%b--\r\n" % line


def _part(kind: str, text: str) -> bytes:
    head = _plain("Content-Type", kind) + _plain("Content-Transfer-Encoding", "quoted-printable")
    # Quoted-printable writes the blank of a soft break as =20, so that no server on the way can strip it.
    return head.encode("ascii") + b"\r\n" + binascii.b2a_qp(f"{text}\n".replace("\n", "\r\n").encode())


@lru_cache(1024)
def _address(field: str, name: str, addr_spec: str) -> str:
    """A header line that holds an address. Each stands in mail after mail, and the library takes its time for one."""
    if not addr_spec.isascii():
        raise ValueError(f"{addr_spec}: an address with other than ASCII letters cannot be written to")
    line = f"{field}: {name} <{addr_spec}>"
    if _ATOMS.fullmatch(name) and _ADDRESS.fullmatch(addr_spec) and len(line) <= COLUMNS:
        return f"{line}\r\n"
    return _encoded(field, Address(name, addr_spec=addr_spec))


@lru_cache(1024)
def _subject(subject: str) -> str:
    """The header line of a subject, which all mails of a round at a table have."""
    return _encoded("Subject", subject)


def _encoded(name: str, value: str | Address) -> str:
    """A header line that holds people's words: encoded and folded by the library (RFC 2047), or ValueError."""
    line = f"{name}: {value}"
    words = value if isinstance(value, str) else value.display_name
    if "=?" in words:
        # Words that look encoded are encoded once more, so that they are read as they were typed.
        coded = Header(words, "utf-8", header_name=name, maxlinelen=COLUMNS).encode(linesep="\r\n")
        return f"{name}: {coded}\r\n" if isinstance(value, str) else f"{name}: {coded}\r\n <{value.addr_spec}>\r\n"
    if isinstance(value, str) and _SIMPLE.fullmatch(value) and len(line) <= COLUMNS:
        return f"{line}\r\n"
    return str(_POLICY.fold(*_POLICY.header_store_parse(name, value)))


def _plain(name: str, *values: str) -> str:
    """A header line of our own words, one value on each line, as they are.

    The library would turn a long id in In-Reply-To or References into an encoded word, which ends threading in the
    readers that take it literally (cpython issue 85725). Raises ValueError for what a header cannot hold.
    """
    for value in values:
        if not (value.isascii() and value.isprintable() and len(value) < 900):
            raise ValueError(f"{name} cannot hold {value[:80]!r}")
    return f"{name}: " + "\r\n ".join(values) + "\r\n"


COLUMNS = 76
"""Columns of a header line, since at 78 the library makes encoded words longer than the 75 characters of RFC 2047."""

_POLICY = SMTP.clone(max_line_length=COLUMNS)

# What the library would write as it is, and takes its time for: nothing to quote, encode or fold.
_ATOMS = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_ADDRESS = re.compile(r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_SIMPLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .,:;!()\[\]'/-]*(?<! )")
