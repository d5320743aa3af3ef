"""FETCH: what a client may ask of a letter (RFC 3501 sections 6.4.5 and 7.4.2), by the standard library's `email`.

A letter within a letter is an attachment like any other here.
"""

from __future__ import annotations

import re
from email import message_from_bytes
from email.generator import BytesGenerator
from email.message import Message
from email.policy import compat32
from email.utils import getaddresses
from functools import cached_property
from io import BytesIO

from pbem.demo.postoffice.imap_grammar import BadCommand, Word, atom, quote, write_date
from pbem.demo.postoffice.mail_storage import StoredMail

_SECTIONS = {"RFC822": "BODY[]", "RFC822.HEADER": "BODY.PEEK[HEADER]", "RFC822.TEXT": "BODY[TEXT]"}
"""The older names of sections."""
_SIMPLE = re.compile(r"FLAGS|UID|INTERNALDATE|RFC822\.SIZE|ENVELOPE|BODY|BODYSTRUCTURE")
_SECTION = re.compile(
    r"BODY(?:\.PEEK)?(?P<section>\[(?P<part>\d+(?:\.\d+)*)?\.?"
    r"(?P<what>HEADER\.FIELDS(?:\.NOT)? \((?P<names>[^)]*)\)|HEADER|TEXT|MIME|)\])(?:<(?P<from>\d+)\.(?P<count>\d+)>)?",
    re.IGNORECASE,
)
_HOSTILE = (RecursionError, ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""What the standard library raises for letters that are made to break it."""


def fetch_items(word: Word) -> list[str]:
    """The items of a FETCH command. Raises BadCommand."""
    items = [atom(one) for one in (word if isinstance(word, list) else [word])]
    for item in items:
        if not (_SIMPLE.fullmatch(item.upper()) or item.upper() in _SECTIONS or _SECTION.fullmatch(item)):
            raise BadCommand(f"FETCH does not know {item[:60]}")
    return [item.upper() if "[" not in item else item for item in items]


def marks_read(item: str) -> bool:
    """Whether to fetch this is to read the letter."""
    return _SECTIONS.get(item, item).upper().startswith("BODY[")


class FetchedLetter:
    """One letter while it is answered for: read and parsed at most once, and only if something needs it."""

    def __init__(self, mail: StoredMail) -> None:
        self._mail = mail

    @cached_property
    def raw(self) -> bytes:
        """The octets. Raises FileNotFoundError, as all that follows does."""
        return self._mail.raw()

    @cached_property
    def tree(self) -> Message:
        """The letter with its parts; one without parts where the parser fails."""
        try:
            return message_from_bytes(self.raw)
        except _HOSTILE:
            return Message()

    def value(self, item: str) -> bytes:
        """The name and value of an item in a FETCH answer."""
        mail = self._mail
        simple: dict[str, object] = {
            "FLAGS": f"({mail.flag_words})", "UID": mail.uid, "RFC822.SIZE": mail.size,
            "INTERNALDATE": f'"{write_date(mail.date)}"',
        }  # fmt: skip
        if item in simple:
            return f"{item} {simple[item]}".encode()
        if item == "ENVELOPE":
            return b"ENVELOPE " + envelope(self.tree)
        if item in ("BODY", "BODYSTRUCTURE"):
            return item.encode() + b" " + structure(self.tree)
        found = _SECTION.fullmatch(_SECTIONS.get(item, item))
        assert found is not None
        octets, label = self._octets(found), item if item in _SECTIONS else f"BODY{found['section']}"
        if octets is not None and found["from"]:
            start = int(found["from"])
            octets, label = octets[start : start + int(found["count"])], f"{label}<{start}>"
        told = b"NIL" if octets is None else b"{%d}\r\n" % len(octets) + octets
        return label.encode("utf-8", "surrogateescape") + b" " + told

    def _octets(self, asked: re.Match[str]) -> bytes | None:
        """What a section names; None where there is no such part. The field names of HEADER.FIELDS may be quoted."""
        what, _, _ = asked["what"].upper().partition(" ")
        if asked["part"]:
            part: Message | None = self.tree
            for number in asked["part"].split("."):
                part = _numbered(part, int(number)) if part is not None else None
            if part is None or what not in ("", "MIME"):
                return None
            try:
                head, body = _split(_written(part))
            except _HOSTILE:
                return None
            # A letter of one part is its own part 1, and has no header of a part.
            return body if not what else head if part is not self.tree else b"\r\n"
        head, body = _split(self.raw)
        if what in ("", "MIME"):
            return self.raw
        if what in ("HEADER", "TEXT"):
            return head if what == "HEADER" else body
        names = [one.strip('"').lower().encode() for one in asked["names"].split()]
        fields = re.findall(rb"[^\r\n][^\n]*\n(?:[ \t][^\n]*\n)*", head)
        named = {one for one in fields if one.partition(b":")[0].strip().lower() in names}
        return b"".join(one for one in fields if (one in named) is (what == "HEADER.FIELDS")) + b"\r\n"


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """The header with the empty line that ends it, and what follows."""
    head, mark, body = raw.partition(b"\r\n\r\n") if not raw.startswith(b"\r\n") else (b"", b"\r\n", raw[2:])
    return head + mark, body


def _written(part: Message) -> bytes:
    """The octets of a part: `email` keeps each header and text as it came."""
    written = BytesIO()
    policy = compat32.clone(linesep="\r\n")
    BytesGenerator(written, mangle_from_=False, maxheaderlen=0, policy=policy).flatten(part)
    return written.getvalue()


def _parts(part: Message) -> list[Message]:
    """The parts of a multipart."""
    found = part.get_payload() if part.get_content_maintype() == "multipart" else None
    return list(found) if isinstance(found, list) else []  # type: ignore[arg-type]


def _numbered(letter: Message, number: int) -> Message | None:
    """Part `number` of a letter, from 1. A letter of one part is its own part 1."""
    parts = _parts(letter) or [letter]
    return parts[number - 1] if 0 < number <= len(parts) else None


def envelope(letter: Message) -> bytes:
    """ENVELOPE: date, subject, six lists of addresses, In-Reply-To, Message-ID."""
    lists = {name: _addresses(letter, name) for name in ("From", "Sender", "Reply-To", "To", "Cc", "Bcc")}
    for name in ("Sender", "Reply-To"):
        lists[name] = lists["From"] if lists[name] == b"NIL" else lists[name]
    words = [_text(letter, name) for name in ("Date", "Subject", "In-Reply-To", "Message-ID")]
    return b"(" + b" ".join([*words[:2], *lists.values(), *words[2:]]) + b")"


def _text(part: Message, name: str) -> bytes:
    value = part.get(name)
    return quote(None if value is None else " ".join(str(value).split()))


def _addresses(letter: Message, name: str) -> bytes:
    try:
        pairs = getaddresses([" ".join(str(one).split()) for one in letter.get_all(name, [])][:50])
    except _HOSTILE:
        return b"NIL"
    rows = [(person or None, None, *address.rpartition("@")[::2]) for person, address in pairs if address]
    return b"(" + b"".join(b"(" + b" ".join(map(quote, row)) + b")" for row in rows) + b")" if rows else b"NIL"


def structure(part: Message) -> bytes:
    """BODYSTRUCTURE of a letter, without extensions; a hostile one is an empty text."""
    try:
        return _structure(part)
    except _HOSTILE:
        return b'("text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 0 0)'


def _structure(part: Message) -> bytes:
    if inner := _parts(part):
        return b"(" + b"".join(map(_structure, inner)) + b" " + quote(part.get_content_subtype()) + b")"
    main, sub = part.get_content_maintype(), part.get_content_subtype()
    if main in ("multipart", "message"):
        main, sub = "application", "octet-stream"
    body = _split(_written(part))[1]
    pairs = (part.get_params([]) or [])[1:21] or ([("charset", "us-ascii")] if main == "text" else [])
    parameters = b"(" + b" ".join(quote(str(word)) for pair in pairs for word in pair) + b")" if pairs else b"NIL"
    coding = _text(part, "Content-Transfer-Encoding") if "Content-Transfer-Encoding" in part else b'"7bit"'
    words = [quote(main), quote(sub), parameters, _text(part, "Content-ID"), _text(part, "Content-Description"), coding]
    lines = [b"%d" % body.count(b"\n")] if main == "text" else []
    return b"(" + b" ".join([*words, b"%d" % len(body), *lines]) + b")"
