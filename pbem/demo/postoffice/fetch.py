"""FETCH: what a client may ask of a letter (RFC 3501 sections 6.4.5 and 7.4.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.demo.postoffice.maildir import StoredMail
from pbem.demo.postoffice.mime import MimePart, envelope, head_and_body, split, structure
from pbem.demo.postoffice.words import BadCommand, Word, atom

_MACROS = {
    "FAST": ("FLAGS", "INTERNALDATE", "RFC822.SIZE"),
    "ALL": ("FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE"),
    "FULL": ("FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE", "BODY"),
}
_SIMPLE = {"FLAGS", "UID", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE", "BODYSTRUCTURE", "BODY"}
_OLD = {"RFC822": "", "RFC822.HEADER": "HEADER", "RFC822.TEXT": "TEXT"}
_BODY = re.compile(
    r"BODY(?P<peek>\.PEEK)?\[(?P<part>\d+(?:\.\d+)*)?\.?"
    r"(?P<what>HEADER\.FIELDS(?:\.NOT)? \((?P<names>[^)]*)\)|HEADER|TEXT|MIME|)\](?:<(?P<from>\d+)\.(?P<count>\d+)>)?",
    re.IGNORECASE,
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


@dataclass(frozen=True)
class FetchItem:
    """One thing asked for. `label` is how the answer names it; the rest describes octets of the letter."""

    name: str
    label: bytes = b""
    part: tuple[int, ...] = ()
    what: str = ""
    names: frozenset[bytes] = frozenset()
    span: tuple[int, int] | None = None
    marks_read: bool = False


def items(word: Word) -> list[FetchItem]:
    """The items of a FETCH command. Raises BadCommand."""
    if not isinstance(word, list):
        macro = _MACROS.get(atom(word).upper())
        if macro:
            return [FetchItem(name) for name in macro]
        word = [word]
    return [_item(atom(one)) for one in word]


def _item(text: str) -> FetchItem:
    name = text.upper()
    if name in _SIMPLE:
        return FetchItem(name)
    if name in _OLD:
        return FetchItem("OCTETS", name.encode(), what=_OLD[name], marks_read=name != "RFC822.HEADER")
    found = _BODY.fullmatch(text)
    if not found:
        raise BadCommand(f"FETCH does not know {text[:60]}")
    part = tuple(int(number) for number in found["part"].split(".")) if found["part"] else ()
    what = found["what"].upper().partition(" ")[0]
    if what == "MIME" and not part:
        raise BadCommand("MIME needs the number of a part")
    # HEADER.FIELDS may name its fields quoted; the answer names them as they were asked for.
    names = frozenset(one.strip(b'"').lower() for one in (found["names"] or "").encode().split())
    section = text[text.index("[") : text.rindex("]") + 1]
    span = (int(found["from"]), int(found["count"])) if found["from"] else None
    label = f"BODY{section}" + (f"<{span[0]}>" if span else "")
    return FetchItem("OCTETS", label.encode("utf-8", "surrogateescape"), part, what, names, span, not found["peek"])


class FetchedLetter:
    """One letter while it is answered for: read and split at most once, and only if something needs it."""

    def __init__(self, mail: StoredMail) -> None:
        self._mail = mail
        self._raw: bytes | None = None
        self._tree: MimePart | None = None

    @property
    def raw(self) -> bytes:
        if self._raw is None:
            self._raw = self._mail.raw()
        return self._raw

    @property
    def tree(self) -> MimePart:
        if self._tree is None:
            self._tree = split(self.raw)
        return self._tree

    def answer(self, item: FetchItem) -> bytes:
        """`NAME value` for the FETCH answer."""
        mail = self._mail
        if item.name == "FLAGS":
            return f"FLAGS ({mail.flag_words})".encode()
        if item.name == "UID":
            return b"UID %d" % mail.uid
        if item.name == "RFC822.SIZE":
            return b"RFC822.SIZE %d" % mail.size
        if item.name == "INTERNALDATE":
            return f'INTERNALDATE "{internal_date(mail.date)}"'.encode()
        if item.name == "ENVELOPE":
            return b"ENVELOPE " + envelope(self.tree)
        if item.name in ("BODY", "BODYSTRUCTURE"):
            return item.name.encode() + b" " + structure(self.tree, item.name == "BODYSTRUCTURE")
        octets = self._octets(item)
        if octets is None:
            return item.label + b" NIL"
        if item.span:
            octets = octets[item.span[0] : item.span[0] + item.span[1]]
        return item.label + b" {%d}\r\n" % len(octets) + octets

    def _octets(self, item: FetchItem) -> bytes | None:
        if not item.part:
            if not item.what:
                return self.raw
            head, body = head_and_body(self.raw)
            return body if item.what == "TEXT" else _fields(head, item)
        part: MimePart | None = self.tree
        for number in item.part:
            part = part.numbered(number) if part is not None else None
        if part is None:
            return None
        if not item.what:
            return part.body
        if item.what == "MIME":
            # A letter of one part is its own part 1, and has no header of a part.
            return b"\r\n" if part is self.tree else part.head
        if part.kind != "message/rfc822":
            return None
        inner = part.inner[0]
        return inner.body if item.what == "TEXT" else _fields(inner.head, item)


def _fields(head: bytes, item: FetchItem) -> bytes:
    """The header, or those of its fields that were asked for, with an empty line at the end."""
    if item.what == "HEADER":
        return head
    wanted = item.what == "HEADER.FIELDS"
    kept = [
        field
        for field in re.findall(rb"[^\r\n][^\n]*\n(?:[ \t][^\n]*\n)*", head)
        if (field.partition(b":")[0].strip().lower() in item.names) is wanted
    ]
    return b"".join(kept) + b"\r\n"


def internal_date(seconds: int) -> str:
    """`21-Nov-2026 00:01:02 +0000`, in English whatever the locale."""
    when = datetime.fromtimestamp(seconds, UTC)
    return f"{when.day:02}-{_MONTHS[when.month - 1]}-{when.year:04} {when:%H:%M:%S} +0000"


def read_date(text: str) -> datetime:
    """A date of SEARCH, `1-Feb-2026`, or one of APPEND, with time and zone. Raises BadCommand."""
    found = re.fullmatch(r" ?(\d{1,2})-([A-Za-z]{3})-(\d{4})(?: (\d\d:\d\d:\d\d [+-]\d{4}))?", text)
    try:
        if found and found[2].title() in _MONTHS:
            month = _MONTHS.index(found[2].title()) + 1
            clock = found[4] or "00:00:00 +0000"
            return datetime.strptime(f"{found[3]}-{month}-{found[1]} {clock}", "%Y-%m-%d %H:%M:%S %z")
    except ValueError:
        pass
    raise BadCommand(f"{text!r} is no date")
