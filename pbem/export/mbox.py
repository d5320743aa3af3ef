"""Write all mails and letters of a game as one mbox file.

Without addresses, each address and token is replaced by the same word everywhere, so that threads and senders can still
be told apart. Letters from people then keep their text and nothing else that could name them.
"""

from __future__ import annotations

import email
import email.policy
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime

from pbem.export.game_source import GameSource
from pbem.host.keys import mail_of, tokens_in
from pbem.inbound.incoming_letter import open_letter
from pbem.store.spool import Spool

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}")
_FROM = re.compile(rb"^(>*From )", re.MULTILINE)
_PEOPLE = ("From", "To", "Reply-To")
_KEPT = (*_PEOPLE, "Subject", "Message-ID", "In-Reply-To", "References")


@dataclass
class Anonymizer:
    """Replaces addresses and tokens. `known` maps addresses to words; `domain` is the host's."""

    known: Mapping[str, str]
    domain: str = ""
    _met: dict[str, str] = field(default_factory=dict)

    def hide(self, text: str) -> str:
        """The text with tokens and addresses replaced."""
        for token in tokens_in(text):
            dark = "hidden-" + hashlib.sha256(token.key.encode()).hexdigest()[:12]
            text = re.sub(re.escape(token.key), dark, text, flags=re.IGNORECASE)
        return _ADDRESS.sub(self._other, text)

    def _other(self, match: re.Match[str]) -> str:
        address = match[0].lower()
        local, _, domain = address.rpartition("@")
        if address in self.known:
            return f"{self.known[address]}@seat.invalid"
        if self.domain and domain == self.domain.lower():
            if mail_of(f"{local}@"):
                # A Message-ID stands for its token, and is as secret.
                local = "mail-" + hashlib.sha256(local.encode()).hexdigest()[:12]
            return f"{local}@host.invalid"
        return self._met.setdefault(address, f"somebody-{len(self._met) + 1}@hidden.invalid")


@dataclass(frozen=True, slots=True)
class MboxMail:
    """One mail; `raw` is empty if the spool has deleted it."""

    at: datetime
    raw: bytes
    own: bool


def write_mbox(source: GameSource, spool: Spool, discretion: Anonymizer | None) -> tuple[bytes, int]:
    """The file, oldest mail first, and the number of mails no longer kept. Without `discretion` bytes are unchanged."""
    found = sorted(_posted(source, spool), key=lambda mail: mail.at)
    kept = [mail for mail in found if mail.raw]
    return b"".join(_entry(mail, discretion) for mail in kept), len(found) - len(kept)


def _posted(source: GameSource, spool: Spool) -> Iterator[MboxMail]:
    for row in spool.rows(source.stored.table.game):
        if row.state != "prepared":
            yield MboxMail(row.created, spool.raw(row.message_id), True)
    for record in source.records:
        if record.letter is not None:
            letter = spool.letter(record.letter.digest)
            yield MboxMail(letter.received if letter else record.at, letter.raw if letter else b"", False)


def _entry(mail: MboxMail, discretion: Anonymizer | None) -> bytes:
    raw = mail.raw if discretion is None else _discreet(mail, discretion)
    body = raw.replace(b"\r\n", b"\n")
    line = f"From pbem {mail.at.astimezone(UTC).strftime('%a %b %e %H:%M:%S %Y')}\n".encode()
    return line + _FROM.sub(rb">\1", body).rstrip(b"\n") + b"\n\n"


def _discreet(mail: MboxMail, discretion: Anonymizer) -> bytes:
    """The mail rewritten from known headers and its text."""
    message = email.message_from_bytes(mail.raw, policy=email.policy.default)
    told = EmailMessage(policy=email.policy.SMTP)
    for name in _KEPT:
        if value := message.get(name):
            text = discretion.hide(" ".join(str(value).split()))
            if name in _PEOPLE:
                found = _ADDRESS.search(text)
                text = found[0] if found else "somebody@hidden.invalid"
            told[name] = text
    told["Date"] = format_datetime(mail.at)
    if mail.own:
        body = message.get_body(("plain",))
        text = str(body.get_content()) if body is not None else ""
    else:
        letter = open_letter(mail.raw)
        text = "\n".join(letter.raw_lines or letter.lines)
    told.set_content(discretion.hide(text) + "\n")
    return told.as_bytes()
