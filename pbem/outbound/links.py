"""Links that open a new letter to the right address with an order or a command in it.

The key is in the address, because some programs drop In-Reply-To; without plus addresses it is in the subject.
Some programs garble `+`, `%`, `&` and accents in links: accents are dropped, and an order with such a sign is sent by
its number alone.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup, escape

from engine.game import Offer
from pbem.outbound.html_style import css
from pbem.outbound.mime_message import Host

_MANGLED = frozenset("+%&")
_KEY = r"([a-z][a-z0-9-]*)\.[0-9]+\.[a-z2-7]{16}"
MAX_LINK_BODY = 300
"""Most characters of a body; longer orders are sent by their number, because some programs cut long links."""


@dataclass(frozen=True, slots=True)
class Links:
    """Makes the links of one mail; without `address` they are empty."""

    address: str
    subject: str

    def __call__(self, body: str) -> str:
        """A link to a letter with this body."""
        if not self.address:
            return ""
        subject = quote(f"Re: {self.subject}", safe="")
        return f"mailto:{quote(self.address, safe='@')}?subject={subject}&body={quote(body, safe='')}"

    def word(self, text: str) -> str:
        """The link of a command in the reader's language."""
        return self(_plain(text))

    def choice(self, number: int, offer: Offer, lines: int = 1) -> str:
        """The link of a numbered choice: number and words, or the number alone if it stands for several `lines`."""
        words = f"[{number}] {_plain(offer.text)}"
        if lines > 1 or _MANGLED & set(words) or len(words) > MAX_LINK_BODY or not words.isascii():
            words = f"{number}"
        return self(words)


def link_addresses(page: Markup, host: Host) -> Markup:
    """Turn reply addresses of the reader's tables, or keys in brackets, into links."""
    local, _, domain = host.address.rpartition("@")
    where = rf"{re.escape(local)}\+{_KEY}@{re.escape(domain)}" if host.plus_addressing else rf"\[{_KEY}\]"

    def tapped(found: re.Match[str]) -> str:
        table = f"[{found[1]}]"
        link = Links(found[0], table) if host.plus_addressing else Links(host.address, f"{table} {found[0]}")
        return f'<a {css("link")} href="{escape(link(""))}">{found[0]}</a>'

    return Markup(re.sub(where, tapped, page))


def _plain(text: str) -> str:
    """The text without accents."""
    apart = unicodedata.normalize("NFKD", text.replace("œ", "oe").replace("’", "'"))
    return "".join(char for char in apart if not unicodedata.combining(char))
