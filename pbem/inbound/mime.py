"""Parse a letter into header fields and a tree of MIME parts, in linear time and with hard limits.

The standard library recurses and reads each line again for every level of nesting: 256 kB of nested parts cost minutes
or end in RecursionError. Letters come from anybody, so limits come first here. The library parses only single parameter
lists, guarded and capped.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from itertools import count

from engine.catalog import Msg, T

MAX_PARTS = 50
MAX_DEPTH = 10
MAX_FIELDS = 2000
"""Most header fields of a part; the rest is not read."""

MAX_VALUE = 16_384
"""Most bytes of a header field; the rest is not read."""

TEXT = "text/plain"
UNREADABLE = "application/octet-stream"

_MAX_PARAMETERS = 2000

_FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]*:(.*)", re.DOTALL)
_ADDRESS = re.compile(r"<?([^\s<>()\[\],;:\"@\\]{1,64}@[A-Za-z0-9.-]{1,200})>?:?", re.ASCII)
_BLANK = re.compile(rb"\r?\n(?:\r?\n|\Z)")


class LimitExceeded(Exception):  # noqa: N818 - told to the writer as a limit
    """The letter is too complex to be read; `says` tells its writer why."""

    def __init__(self, says: Msg) -> None:
        super().__init__(str(says))
        self.says = says


_TOO_MANY_PARTS = T(
    "Your letter has more than {limit} parts. Nothing was done; please send the orders alone, as plain text.",
    limit=MAX_PARTS,
)
_TOO_DEEP = T(
    "Your letter holds letters within letters, more than {limit} deep. Nothing was done; please write a new one with "
    "the orders alone.",
    limit=MAX_DEPTH,
)


@dataclass(frozen=True, slots=True)
class Part:
    """One node of a letter: its header fields in order, and either its body or its parts.

    Field names are lower-case. Values are unfolded and decoded as UTF-8, else as windows-1252, because some programs
    write 8-bit headers. `message/rfc822` is a leaf: no orders are read from an attached letter.
    """

    fields: tuple[tuple[str, str], ...]
    kind: str
    """Content type, lower-case. A missing one is `text/plain` (RFC 2045, section 5.2); so is an unreadable one of the
    letter itself, while a part with an unreadable type may be any file."""

    body: bytes = b""
    parts: tuple[Part, ...] = ()

    def first(self, name: str) -> str:
        """The first field of that lower-case name; "" without one."""
        return next((value for field, value in self.fields if field == name), "")

    def every(self, name: str) -> tuple[str, ...]:
        """All fields of that lower-case name, in order."""
        return tuple(value for field, value in self.fields if field == name)

    def parameter(self, name: str, field: str = "content-type") -> str:
        """A parameter of Content-Type or another structured field (RFC 2045, RFC 2231); "" without one."""
        return _parameter(self.first(field), name)

    @property
    def filename(self) -> str:
        """The file name of an attachment; "" without one."""
        return self.parameter("filename", "content-disposition") or self.parameter("name")

    @property
    def is_attachment(self) -> bool:
        """Whether the part is an attachment, by its disposition or its file name (RFC 2183)."""
        return self.first("content-disposition").strip().lower().startswith("attachment") or bool(self.filename)

    def walk(self) -> tuple[Part, ...]:
        """This part and all parts below it, in order."""
        below = [part for child in self.parts for part in child.walk()]
        return (self, *below)

    def content(self) -> bytes:
        """The body with its transfer encoding undone (RFC 2045, section 6), damaged base64 as far as possible."""
        encoding = self.first("content-transfer-encoding").partition(";")[0].strip().lower()
        if encoding == "quoted-printable":
            return binascii.a2b_qp(self.body)
        if encoding == "base64":
            letters = re.sub(rb"[^A-Za-z0-9+/]", b"", self.body.partition(b"=")[0])
            letters = letters[:-1] if len(letters) % 4 == 1 else letters
            return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
        return self.body


def parse_parts(raw: bytes) -> Part:
    """Parse a letter. Raises LimitExceeded; anything else that is malformed is read as far as possible."""
    return _part(raw, 0, count(1))


def parse_header(raw: bytes) -> Part:
    """Parse the header alone, into a part without body."""
    fields, _ = _fields(raw)
    return Part(fields, _content_type(fields))


def find_addresses(text: str) -> tuple[str, ...]:
    """Everything in a field that looks like an address, lower-case. For routing only, never for identity."""
    words = re.split(r"[\s<>(),;:\"\[\]]+", text)
    return tuple(word.lower() for word in words if 3 <= len(word) <= 320 and _ADDRESS.fullmatch(word))


def untagged(address: str) -> str:
    """An address without its plus tag (RFC 5233)."""
    local, _, domain = address.partition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _part(raw: bytes, depth: int, numbers: Iterator[int]) -> Part:
    """Parse one part; each takes the next of `numbers`."""
    if next(numbers) > MAX_PARTS:
        raise LimitExceeded(_TOO_MANY_PARTS)
    if depth > MAX_DEPTH:
        raise LimitExceeded(_TOO_DEEP)
    fields, body = _fields(raw)
    kind = _content_type(fields, UNREADABLE if depth else TEXT)
    boundary = _parameter(dict(reversed(fields)).get("content-type", ""), "boundary")
    if not kind.startswith("multipart/") or not boundary:
        return Part(fields, kind, body)
    pieces = _pieces(body, boundary.encode("utf-8", "replace"))
    return Part(fields, kind, b"", tuple(_part(piece, depth + 1, numbers) for piece in pieces))


def _pieces(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """The pieces between boundary lines (RFC 2046, section 5.1.1). The last boundary may be missing."""
    line = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]*(?=\r?\n|\Z)")
    start = -1
    for match in line.finditer(body):
        if start >= 0:
            yield _without_first_break(body[start : match.start()])
        if match[1]:
            return
        start = match.end()
    if start >= 0:
        yield _without_first_break(body[start:])


def _without_first_break(piece: bytes) -> bytes:
    if piece.startswith(b"\r\n"):
        return piece[2:]
    return piece[1:] if piece.startswith(b"\n") else piece


def _fields(raw: bytes) -> tuple[tuple[tuple[str, str], ...], bytes]:
    """Unfolded header fields (RFC 5322, section 2.2.3), and the body after the first blank line."""
    if raw.startswith((b"\n", b"\r\n")):
        return (), _without_first_break(raw)
    end = _BLANK.search(raw)
    block, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    folded: list[list[bytes]] = []
    for line in block.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if folded:
                folded[-1].append(line)
        elif len(folded) < MAX_FIELDS:
            folded.append([line])
        else:
            break
    fields = []
    for lines in folded:
        match = _FIELD.match(b"".join(lines)[:MAX_VALUE])
        if match:
            fields.append((match[1].decode("ascii").lower(), _decoded(match[2])))
    return tuple(fields), body


def _decoded(value: bytes) -> str:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("windows-1252", "replace")
    return text.replace("\r", "").replace("\x00", "").strip()


def _content_type(fields: tuple[tuple[str, str], ...], unreadable: str = TEXT) -> str:
    value = next((value for name, value in fields if name == "content-type"), "")
    kind = value.partition(";")[0].strip().lower()
    if re.fullmatch(r"[\w.+-]{1,100}/[\w.+-]{1,100}", kind, re.ASCII):
        return kind
    return TEXT if kind.startswith(("text", "plain")) or not kind else unreadable


def _parameter(value: str, name: str) -> str:
    if name not in value.lower():
        return ""
    carrier = Message()
    carrier["Content-Type"] = value[:_MAX_PARAMETERS].replace("\n", " ")
    try:
        found = carrier.get_param(name, "")
        if isinstance(found, tuple):
            charset, _, text = found
            found = text.encode("latin-1", "replace").decode(charset or "utf-8", "replace")
    # Each of these has been raised by the library for some parameter list.
    except (ValueError, LookupError, IndexError, TypeError, AttributeError, RecursionError):
        return ""
    return str(found or "").strip()
