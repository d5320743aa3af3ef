"""Parse the bytes of an incoming mail into a `Letter`.

No input raises an exception, and time is linear in its size: limits are checked before the work they limit. Who may do
what is decided elsewhere.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime

from engine.catalog import Msg, T
from pbem.inbound import headers, mime
from pbem.inbound.body_text import attached_turn_file, decode_part, letter_body
from pbem.inbound.bounce import Report
from pbem.inbound.mime import LimitExceeded, Part
from pbem.inbound.quotes import DELIMITERS, OwnLines, holds_forwarded, own_lines
from pbem.inbound.sanitize import one_line
from pbem.inbound.triage import READ_KINDS, Kind, Sorting, is_reaction, triage
from pbem.reading.normalize import folded_line, normalize_line

__all__ = ["MAX_BYTES", "MAX_LINES", "MAX_LINE_LENGTH", "MAX_TEXT", "Kind", "Letter", "open_head", "open_letter"]

MAX_BYTES = 256 * 1024
"""Bytes of the largest letter that is read."""

MAX_LINES = 400
"""Most lines of the writer's own; quoted ones do not count."""

MAX_LINE_LENGTH = 1000
"""Most characters of such a line, before and after normalization."""

MAX_TEXT = 10_000
"""Most characters of all such lines. Some readers look at each word more than once."""

MAX_TEXT_LINES = 5000
"""Most lines of text altogether, quotations included."""

_MAX_HEADERS = 64 * 1024
"""Bytes of an oversized letter in which its header is read."""

_BLANK = re.compile(rb"\r?\n\r?\n")

_LONG = 60
"""Columns from which a program may have broken a line."""

_OWN_FIELDS = ("from", "date", "subject", "in-reply-to", "references")
"""Fields that servers on the way neither add nor change."""

_ENCRYPTED = T(
    "Your letter is encrypted, and this host has no key that could open it, so nothing of it was read or done. Please "
    "send the same without encryption."
)

_WRAPPERS = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})


@dataclass(frozen=True, slots=True)
class Letter:
    """One incoming mail, read as far as it is safe to read.

    `lines` are the writer's own lines, normalized; `raw_lines` are the same lines as written. An empty line ends a
    paragraph. Both are empty if the letter is neither orders nor forwarded, if there is `trouble`, or if it holds
    quotations only.
    """

    digest: str
    """SHA-256 of the bytes, in hexadecimal."""
    content: str = ""
    """SHA-256 of what the writer sent, without the fields that servers have added."""
    message_id: str = ""
    """With its angle brackets; "" if it is missing or unusable."""
    sender: str = ""
    """The address of From, lower-case; "" if it is missing, unreadable or not exactly one."""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    """Addresses of Delivered-To, X-Original-To, Envelope-To, To and Cc, in that order."""
    subject: str = ""
    """Decoded, on one line."""
    asks_subject: str = ""
    """The subject without Re:, Aw:, TR: and the like. Only tokens are read from it."""
    references: tuple[str, ...] = ()
    """Ids of In-Reply-To, then of References, with their angle brackets."""
    date: datetime | None = None
    received: datetime | None = None
    """When our own mail server received it, if it says so."""
    verdicts: tuple[tuple[str, str], ...] = ()
    """DMARC results: (authserv-id, result), both lower-case."""
    kind: Kind = Kind.ORDERS
    lines: tuple[str, ...] = ()
    raw_lines: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()
    """Names of attachments that were not read."""
    turn_file: tuple[str, ...] = ()
    """Lines of an attached text or TOML file, if the letter itself says nothing."""
    trouble: Msg | None = None
    """Why nothing was read, for the writer."""
    report: Report | None = None
    auto: str = field(default="", compare=False)
    """Why the letter does not count as orders, for the log."""


def open_letter(raw: bytes, own: frozenset[str] = frozenset()) -> Letter:
    """Read one letter. Never raises. `own` are our addresses, and the display name of our mails."""
    digest = hashlib.sha256(raw).hexdigest()
    try:
        return _read(raw, digest, frozenset(address.lower() for address in own))
    except Exception as broken:  # last resort: no defect of ours or of a library may stop the mail
        return _unreadable(raw, digest, type(broken).__name__)


def open_head(raw: bytes, own: frozenset[str] = frozenset()) -> Letter:
    """Read the header alone, for a letter whose text cannot or must not be read. Never raises."""
    return open_letter(_BLANK.split(raw[:_MAX_HEADERS], 1)[0] + b"\r\n\r\n", own)


def _unreadable(raw: bytes, digest: str, why: str) -> Letter:
    trouble = T("Your letter could not be read. Nothing was done; please write it again, as plain text.")
    try:
        sender, name = headers.from_address(mime.parse_header(raw[:_MAX_HEADERS]))
    except Exception:  # whatever broke the letter may break this, too; without a sender nobody is answered
        sender, name = "", ""
    return Letter(digest, sender=sender, sender_name=name, trouble=trouble, auto=f"unreadable: {why}")


def _read(raw: bytes, digest: str, own: frozenset[str]) -> Letter:
    # Some programs leave the separator line of an mbox file before a letter.
    raw = raw.partition(b"\n")[2] if raw.startswith((b"From ", b">From ")) else raw
    tree, trouble = _taken_apart(raw)
    sender, name = headers.from_address(tree)
    subject = headers.decode_words(tree.first("subject"))
    asks, forwarded = headers.strip_reply_prefixes(subject)
    finding = triage(tree, sender, subject, own)
    text = OwnLines()
    file: Part | None = None
    lines: tuple[str, ...] = ()
    if finding.kind in READ_KINDS and trouble is None:
        text, copied, trouble = (OwnLines(), False, _ENCRYPTED) if _is_encrypted(tree) else _text(tree, own, asks)
        if forwarded and (copied or any(part.kind == "message/rfc822" for part in tree.walk())):
            # A forward by a list has no lines of the sender.
            text = text if finding.kind is Kind.ORDERS else OwnLines()
            finding = Sorting(Kind.FORWARD, "forwarded mail") if finding.kind is Kind.ORDERS else finding
        elif is_reaction(text.lines):
            finding, text = Sorting(Kind.REACTION, "reaction (Outlook)"), OwnLines()
        elif not text.lines and trouble is None:
            file, lines, trouble = _turn_file(tree)
    return Letter(
        digest=digest,
        content=_content(raw, tree),
        message_id=next(iter(headers.message_ids(tree.first("message-id"))), ""),
        sender=sender,
        sender_name=name,
        recipients=headers.recipient_addresses(tree),
        subject=subject,
        asks_subject=asks,
        references=headers.reference_ids(tree),
        date=headers.written_at(tree),
        received=headers.received_at(tree),
        verdicts=headers.dmarc_results(tree),
        kind=finding.kind,
        lines=text.lines,
        raw_lines=text.raw,
        attached=_attached(tree, file),
        turn_file=lines,
        trouble=trouble,
        report=finding.report,
        auto=finding.reason,
    )


def _content(raw: bytes, tree: Part) -> str:
    """A hash of fields and text that identifies a letter without a Message-ID, whichever way it came."""
    own = [f"{name}: {' '.join(tree.first(name).split())}" for name in _OWN_FIELDS]
    text = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2].rstrip()
    return hashlib.sha256("\n".join(own).encode("utf-8", "surrogatepass") + b"\n\n" + text).hexdigest()


def _taken_apart(raw: bytes) -> tuple[Part, Msg | None]:
    if len(raw) > MAX_BYTES:
        return mime.parse_header(raw[:_MAX_HEADERS]), T(
            "Your letter has {size} kB; at most {limit} kB are read. Nothing was done; please send the orders alone, "
            "without attachments.",
            size=len(raw) // 1024 + 1,
            limit=MAX_BYTES // 1024,
        )
    try:
        return mime.parse_parts(raw), None
    except LimitExceeded as limit:
        return mime.parse_header(raw), limit.says


def _is_encrypted(tree: Part) -> bool:
    """Whether the letter is encrypted: RFC 3156, RFC 8551, or OpenPGP armour in its text."""
    if tree.kind == "multipart/encrypted":
        return True
    if tree.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        return tree.parameter("smime-type").lower() != "signed-data"
    return tree.kind == "text/plain" and decode_part(tree).lstrip().startswith("-----BEGIN PGP MESSAGE-----")


def _text(tree: Part, ours: frozenset[str], subject: str) -> tuple[OwnLines, bool, Msg | None]:
    """The writer's own lines, whether another letter is copied below them, and why nothing can be read."""
    try:
        found = letter_body(tree)
    except LimitExceeded as limit:
        return OwnLines(), False, limit.says
    if len(found.lines) > MAX_TEXT_LINES:
        return OwnLines(), False, _too_many_lines(len(found.lines), MAX_TEXT_LINES)
    text = own_lines(found.lines, found.exact, ours, subject)
    copied = holds_forwarded(found.lines, ours)
    if trouble := _over(text):
        return OwnLines(), copied, trouble
    if text.doubtful:
        trouble = T(
            "This line may be yours or a copy of my mail: «{line}». Nothing was done; please write your orders at the "
            "very top, one a line, without [1] or dashes before them.",
            line=one_line(text.doubtful, 80),
        )
        return OwnLines(), copied, trouble
    may_be_wrapped = not found.exact and len(text.lines) > 1 and any(len(line) >= _LONG for line in text.lines)
    return (_as_in_html(tree, text, ours, subject) if may_be_wrapped else text), copied, None


def _as_in_html(tree: Part, text: OwnLines, ours: frozenset[str], subject: str) -> OwnLines:
    """`text` with the line breaks of the HTML alternative, if that has the same words.

    Programs often wrap plain text made from HTML near column 78, which cuts a long order in two.
    """
    try:
        found = letter_body(tree, "text/html")
    except LimitExceeded:
        return text
    if not found.exact or len(found.lines) > MAX_TEXT_LINES:
        return text
    other = own_lines(found.lines, exact=True, ours=ours, subject=subject)
    same = " ".join(other.lines).split() == " ".join(text.lines).split()
    return other if same and not other.doubtful and _over(other) is None else text


def _over(text: OwnLines) -> Msg | None:
    lengths = [max(len(line), len(raw)) for line, raw in zip(text.lines, text.raw, strict=True)]
    count = sum(bool(length) for length in lengths)
    if count > MAX_LINES:
        return _too_many_lines(count, MAX_LINES)
    longest = max(lengths, default=0)
    if longest > MAX_LINE_LENGTH:
        return T(
            "A line of your letter has {n} characters; at most {limit} are read. Nothing was done; please write one "
            "order a line.",
            n=longest,
            limit=MAX_LINE_LENGTH,
        )
    if sum(lengths) > MAX_TEXT:
        return T(
            "What you have written has {n} characters; at most {limit} are read. Nothing was done; please send the "
            "orders alone.",
            n=sum(lengths),
            limit=MAX_TEXT,
        )
    return None


def _too_many_lines(count: int, limit: int) -> Msg:
    return T(
        "Your letter has {count} lines; at most {limit} are read. Nothing was done; please send the orders alone.",
        count=count,
        limit=limit,
    )


def _turn_file(tree: Part) -> tuple[Part | None, tuple[str, ...], Msg | None]:
    """The attached turn file, its lines, and why they cannot be read. A copy of our mail does not count."""
    file = attached_turn_file(tree)
    if file is None:
        return None, (), None
    lines = tuple(decode_part(file).splitlines())
    if trouble := _over(OwnLines(tuple(map(normalize_line, lines)), lines)):
        return None, (), trouble
    if any(mark in folded_line(normalize_line(line)) for line in lines for mark in DELIMITERS):
        return None, (), None
    return file, lines, None


def _attached(tree: Part, file: Part | None) -> tuple[str, ...]:
    """Names of unread attachments, without signatures and pictures of the text."""
    names = []
    for part in tree.walk():
        shown = part.first("content-id") and not part.first("content-disposition").lower().startswith("attachment")
        text = part.kind in ("text/plain", "text/html", "text/calendar") and not part.is_attachment
        multiple = bool(part.parts) or part.kind.startswith("multipart/")
        if not (part is file or text or shown or multiple or part.kind in _WRAPPERS):
            names.append(one_line(headers.decode_words(part.filename), 80) or part.kind)
    return tuple(names)
