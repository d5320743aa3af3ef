"""The parts of a letter by their octets (RFC 2045, 2046), and how IMAP describes them (RFC 3501 section 7.4.2).

Our own splitting, because `email` does not tell where a part begins and ends, and IMAP clients ask for exactly
those octets. Linear in the length; at most `MOST_PARTS` parts and `DEEPEST` levels, what lies beyond stays unsplit.
"""

from __future__ import annotations

import email.utils
import re
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32

from pbem.demo.postoffice.words import string

MOST_PARTS = 200
DEEPEST = 10

_ADDRESS_FIELDS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc")
_parser = BytesHeaderParser(policy=compat32)


@dataclass
class MimePart:
    """A letter or one part of it: `head` with its empty line, then `body`; `inner` parts in their order."""

    head: bytes
    body: bytes
    fields: Message
    kind: str
    inner: list[MimePart] = field(default_factory=list)

    def numbered(self, number: int) -> MimePart | None:
        """Part `number` of this letter, from 1; a letter of one part is its own part 1."""
        whole = self.inner[0] if self.kind == "message/rfc822" and self.inner else self
        if whole.kind.startswith("multipart/"):
            return whole.inner[number - 1] if 0 < number <= len(whole.inner) else None
        return whole if number == 1 else None


def split(raw: bytes) -> MimePart:
    """The tree of parts of a letter. Never raises."""
    return _split(raw, 0, [MOST_PARTS])


def head_and_body(raw: bytes) -> tuple[bytes, bytes]:
    """The header with the empty line that ends it, and what follows."""
    if raw.startswith(b"\r\n"):
        return raw[:2], raw[2:]
    end = raw.find(b"\r\n\r\n")
    return (raw, b"") if end < 0 else (raw[: end + 4], raw[end + 4 :])


def _split(raw: bytes, depth: int, budget: list[int]) -> MimePart:
    budget[0] -= 1
    head, body = head_and_body(raw)
    try:
        fields = _parser.parsebytes(head)
        kind = fields.get_content_type()
        boundary = fields.get_boundary()
    except Exception:
        # The standard parser has known crashes on hostile headers; such a letter is shown as plain text.
        fields, kind, boundary = Message(), "text/plain", None
    part = MimePart(head, body, fields, kind)
    if depth < DEEPEST and kind.startswith("multipart/") and boundary:
        for piece in _pieces(body, boundary.encode("utf-8", "surrogateescape")):
            if budget[0] > 0:
                part.inner.append(_split(piece, depth + 1, budget))
    elif depth < DEEPEST and kind == "message/rfc822" and budget[0] > 0:
        part.inner.append(_split(body, depth + 1, budget))
    if (kind.startswith("multipart/") or kind == "message/rfc822") and not part.inner:
        part.kind = "text/plain"
    return part


def _pieces(body: bytes, boundary: bytes) -> list[bytes]:
    marks = list(re.finditer(rb"(?:\A|\r\n)--" + re.escape(boundary) + rb"(--)?[ \t]*(?=\r\n|\Z)", body))
    pieces = []
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        if mark[1]:
            break
        end = len(body) if following is None else following.start()
        # Two boundaries can share a line end; then the piece between them is empty.
        pieces.append(body[min(mark.end() + 2, end) : end])
    return pieces


def _text(fields: Message, name: str) -> str | None:
    try:
        value = fields.get(name)
    except Exception:
        return None
    return None if value is None else re.sub(r"\r?\n[ \t]?", " ", str(value)).strip()


def _addresses(fields: Message, name: str) -> bytes:
    try:
        pairs = email.utils.getaddresses([re.sub(r"\r?\n[ \t]?", " ", str(v)) for v in fields.get_all(name, [])][:50])
    except Exception:
        pairs = []
    rows = []
    for person, address in pairs:
        local, at, domain = address.rpartition("@")
        if address:
            words = (person or None, None, local if at else address, domain if at else None)
            rows.append(b"(" + b" ".join(string(word) for word in words) + b")")
    return b"(" + b"".join(rows) + b")" if rows else b"NIL"


def envelope(part: MimePart) -> bytes:
    """ENVELOPE of a letter: date, subject, six address lists, In-Reply-To, Message-ID."""
    lists = {name: _addresses(part.fields, name) for name in _ADDRESS_FIELDS}
    for name in ("Sender", "Reply-To"):
        if lists[name] == b"NIL":
            lists[name] = lists["From"]
    words = [string(_text(part.fields, "Date")), string(_text(part.fields, "Subject")), *lists.values()]
    words += [string(_text(part.fields, "In-Reply-To")), string(_text(part.fields, "Message-ID"))]
    return b"(" + b" ".join(words) + b")"


def _parameters(fields: Message, header: str) -> bytes:
    try:
        pairs = fields.get_params([], header=header)[1:]
    except Exception:
        pairs = []
    words = [string(str(word)) for pair in pairs[:20] for word in pair]
    return b"(" + b" ".join(words) + b")" if words else b"NIL"


def _disposition(fields: Message) -> bytes:
    value = (_text(fields, "Content-Disposition") or "").partition(";")[0].strip()
    return b"(" + string(value) + b" " + _parameters(fields, "content-disposition") + b")" if value else b"NIL"


def structure(part: MimePart, extended: bool) -> bytes:
    """BODYSTRUCTURE of a part, or BODY if not `extended`."""
    main, _, sub = part.kind.partition("/")
    if part.kind.startswith("multipart/"):
        words = [b"".join(structure(one, extended) for one in part.inner) + b" " + string(sub)]
        if extended:
            words += [_parameters(part.fields, "content-type"), _disposition(part.fields), b"NIL", b"NIL"]
        return b"(" + b" ".join(words) + b")"
    parameters = _parameters(part.fields, "content-type")
    if main == "text" and parameters == b"NIL":
        parameters = b'("charset" "us-ascii")'
    coding = _text(part.fields, "Content-Transfer-Encoding") or "7bit"
    words = [string(main), string(sub), parameters]
    words += [string(_text(part.fields, name)) for name in ("Content-ID", "Content-Description")]
    words += [string(coding), b"%d" % len(part.body)]
    lines = b"%d" % part.body.count(b"\n")
    if part.kind == "message/rfc822" and part.inner:
        words += [envelope(part.inner[0]), structure(part.inner[0], extended), lines]
    elif main == "text":
        words.append(lines)
    if extended:
        words += [string(_text(part.fields, "Content-MD5")), _disposition(part.fields), b"NIL", b"NIL"]
    return b"(" + b" ".join(words) + b")"
