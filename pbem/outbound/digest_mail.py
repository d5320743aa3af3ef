"""The daily digest: bind mails of several tables to one person into one. Each part keeps its own reply address.

It is made from the bytes of its parts alone, so it needs no game and no lock; equal parts give equal bytes. A single
mail is sent as it is.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any

from markupsafe import Markup, escape

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.outbound.format_flowed import flow
from pbem.outbound.html_style import style_sheet
from pbem.outbound.links import Links
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.mime_message import Thread, build_header, join_parts
from pbem.outbound.render import DELIMITER, Renderer

MAX_HTML = 90_000
"""Most characters of the HTML part: programs cut longer mails."""

_MAIN = re.compile(r"<body>.*?(<div role=\"main\".*)</body>", re.DOTALL)
_ABOVE = re.compile(rf"<p [^>]*>\s*{re.escape(DELIMITER)}\s*</p>")


@dataclass(frozen=True, slots=True)
class DigestPart:
    """A mail of one table: subject, reply address, flowed text, and HTML. `asks`: it asks for a decision."""

    subject: str
    address: str
    text: str
    page: str = ""
    asks: bool = False

    @classmethod
    def of(cls, raw: bytes, *, asks: bool) -> DigestPart:
        """Parse one of our own mails."""
        message: Any = email.message_from_bytes(raw, _class=EmailMessage, policy=email.policy.default)
        text, page = (_content(message, kind) for kind in ("plain", "html"))
        found = _MAIN.search(page)
        where = message["Reply-To"] or message["From"]
        return cls(
            str(message["Subject"]), str(where.addresses[0].addr_spec), text.partition(DELIMITER)[2].strip("\n"),
            _ABOVE.sub("", found[1]) if found else "", asks,
        )  # fmt: skip

    @property
    def token(self) -> str:
        """The key in its reply address."""
        return self.address.partition("@")[0].partition("+")[2]

    @property
    def keyed(self) -> bool:
        """Whether its subject holds the key, too."""
        return self.subject.endswith(f"[{self.token}]")

    @property
    def link(self) -> str:
        """A mailto link that answers it."""
        return Links(self.address, self.subject)("")

    @property
    def game(self) -> str:
        """The name of its table, from its subject."""
        return self.subject.partition("]")[0].rpartition("[")[2]

    def section(self, how: str) -> Markup:
        """Its HTML as a section of the digest, with `how` to answer below its heading. The section is labelled with its
        subject for screen readers."""
        page = self.page.replace('role="main"', f'role="region" aria-label="{escape(self.subject)}"', 1)
        return Markup(page.replace("<h1 ", "<h2 ", 1).replace("</h1>", f"</h2>\n{how}", 1))


def _content(message: Any, kind: str) -> str:
    part = message.get_body((kind,))
    return "" if part is None else str(part.get_content()).replace("\r\n", "\n")


def split_digest(parts: Sequence[DigestPart]) -> Iterator[Sequence[DigestPart]]:
    """Split the parts into mails of at most `MAX_HTML` characters."""
    begun = size = 0
    for n, part in enumerate(parts):
        if begun < n and size + len(part.page) > MAX_HTML:
            yield parts[begun:n]
            begun, size = n, 0
        size += len(part.page)
    yield parts[begun:]


def bind_digest(
    renderer: Renderer, parts: Sequence[DigestPart], to: Address, ident: str, date: datetime, language: str
) -> bytes:
    """Bind several parts into one mail. A plain reply reaches the only table that asks something, or none."""
    asking = [part for part in parts if part.asks]
    mail = Mail(kind=MailKind.NEWS, game="pbem", seat=Seat(""), name=to.display_name, heading=_heading(parts))
    subject = renderer.text(mail, language=language).subject
    given = {
        "mail": mail, "subject": subject, "parts": parts, "delimiter": DELIMITER, "style": Markup(style_sheet()[1]),
        "alone": len(asking) == 1 and renderer.host.plus_addressing,
        "flow": flow, "plus": renderer.host.plus_addressing and not any(part.keyed for part in parts),
    }  # fmt: skip
    rooms = (renderer.room(language, part) for part in ("txt", "html"))
    words, page = (room.written(room.given(given), "mail/daily") for room in rooms)
    if given["alone"]:
        mail = replace(mail, token=asking[0].token, reader=replace(mail.reader, keyed=asking[0].keyed))
    head = build_header(renderer.host, mail, subject, to, Thread(), ident, date)
    return join_parts(head, words, page if all(part.page for part in parts) else "", ident)


def _heading(parts: Sequence[DigestPart]) -> Msg:
    asking = sum(part.asks for part in parts)
    if asking:
        return T("today {n} table asks you something", "today {n} tables ask you something", n=asking)
    return T("today's news of {n} table", "today's news of {n} tables", n=len(parts))
