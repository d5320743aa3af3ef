"""Read the header fields of a letter: sender, recipients, subject, references, times, DMARC results.

Identity is From alone: Reply-To, Sender and display names never count.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import parsedate_to_datetime

from pbem.inbound.body_text import decode_part
from pbem.inbound.mime import Part, find_addresses
from pbem.inbound.sanitize import one_line
from pbem.reading.normalize import folded_line

_MAX_SUBJECT = 500
_MAX_IDS = 60
_MAX_RECIPIENTS = 100
_MAX_VERDICTS = 20
_NESTED = 8

_ROUTES = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")

_ID = re.compile(r"<([^<>\s]{1,250})>")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_COMMENT = re.compile(r"\([^()]*\)")
_DMARC = re.compile(r"\s*dmarc\s*=\s*([a-z]{1,20})\b", re.IGNORECASE)
_ADDR_SPEC = r"[^\s<>()\[\],;:\"@\\]{1,64}@[A-Za-z0-9.-]{1,255}"
_MAILBOX = re.compile(rf"([^<>@:;]*|\s*{_ADDR_SPEC}\s*)<\s*({_ADDR_SPEC})\s*>\s*")
_BARE = re.compile(rf"\s*({_ADDR_SPEC})\s*")

_ANSWER = re.compile(r"(?:re|aw|sv|antw|ref|rif|res)\s?(?:\[\d{1,3}\])?\s?:\s*")
_FORWARD = re.compile(r"(?:fwd?|tr|wg|i|rv|enc|doorst)\s?:\s*")


def from_address(tree: Part) -> tuple[str, str]:
    """Address and name of From (RFC 5322, section 3.6.2); both empty unless it is one field with one mailbox."""
    written = tree.every("from")
    if len(written) != 1:
        return "", ""
    # A quoted name may hold an address, so it is removed before the address is searched.
    bare = _QUOTED.sub(" ", written[0][:4000])
    for _ in range(_NESTED):  # comments may be nested
        bare, found = _COMMENT.subn(" ", bare)
        if not found:
            break
    if match := _MAILBOX.fullmatch(bare):
        before, address = match[1].strip().lower(), match[2].lower()
        if "@" in before and before != address:
            return "", ""
        return address, decode_words(written[0].rpartition("<")[0].strip().strip('"'))[:200]
    match = _BARE.fullmatch(bare)
    return (match[1].lower(), "") if match else ("", "")


def recipient_addresses(tree: Part) -> tuple[str, ...]:
    """Where the letter was sent, to find its token: delivery fields first, then To and Cc."""
    found = (address for route in _ROUTES for value in tree.every(route) for address in find_addresses(value))
    return tuple(dict.fromkeys(found))[:_MAX_RECIPIENTS]


def reference_ids(tree: Part) -> tuple[str, ...]:
    """The ids of the letters that it answers, In-Reply-To first."""
    found = (*message_ids(tree.first("in-reply-to")), *message_ids(tree.first("references")))
    return tuple(dict.fromkeys(found))[:_MAX_IDS]


def message_ids(value: str) -> tuple[str, ...]:
    """Message-IDs as written: some programs make ids that no grammar allows."""
    return tuple(f"<{found}>" for found in _ID.findall(value))


def written_at(tree: Part) -> datetime | None:
    """The time of Date; None if it is missing or unreadable."""
    return _moment(tree.first("date"))


def _moment(told: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(told.strip()[:100])
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def received_at(tree: Part) -> datetime | None:
    """When our own server received the letter: by the topmost Received (RFC 5321, section 4.4)."""
    told = next((value for name, value in tree.fields if name == "received"), "")
    return _moment(told.rpartition(";")[2]) if ";" in told else None


def dmarc_results(tree: Part) -> tuple[tuple[str, str], ...]:
    """DMARC results (RFC 8601) as pairs of authserv-id and result, in lower case.

    Of each id only the topmost field counts, and those that no Received separates from it. A server writes its field at
    the top; what stands below a further Received may be forged.
    """
    found: list[tuple[str, str]] = []
    hop, hops = 0, dict[str, int]()
    for name, value in tree.fields:
        if name == "received":
            hop += 1
        elif name == "authentication-results" and len(found) < _MAX_VERDICTS:
            server, results = _results(value)
            if server and hops.setdefault(server, hop) == hop:
                said = (_DMARC.match(result) for result in results.split(";"))
                found += [(server, match[1].lower()) for match in said if match]
    return tuple(found)


def authserv_ids(tree: Part) -> tuple[str, ...]:
    """The authserv-id of each Authentication-Results, "" for one without."""
    return tuple(_results(value)[0] for value in tree.every("authentication-results"))


def _results(value: str) -> tuple[str, str]:
    """Split Authentication-Results into its id and its results. Exchange writes no id."""
    who, _, results = _COMMENT.sub(" ", value).partition(";")
    server = next(iter(who.lower().split()), "")
    return ("", value) if "=" in server else (server, results)


def decode_words(value: str) -> str:
    """Decode a header of words (RFC 2047) to one line of at most 500 characters."""
    value = value[:2000]
    try:
        pieces = decode_header(value) if "=?" in value else [(value, None)]
    except (HeaderParseError, ValueError, LookupError, IndexError, RecursionError):
        return one_line(value, _MAX_SUBJECT)
    text = ""
    for piece, charset in pieces:
        kind = f'text/plain; charset="{(charset or "utf-8")[:40]}"'
        text += piece if isinstance(piece, str) else decode_part(Part((("content-type", kind),), "text/plain", piece))
    return one_line(text, _MAX_SUBJECT)


def strip_reply_prefixes(subject: str) -> tuple[str, bool]:
    """The subject without prefixes such as Re:, and whether the outermost one means forwarding."""
    rest, forwarded, first = subject.strip(), False, True
    for _ in range(20):
        words = folded_line(rest[:40])
        match = _ANSWER.match(words) or _FORWARD.match(words)
        if not match:
            break
        forwarded = forwarded or (first and _FORWARD.match(words) is not None)
        first = False
        rest = rest[match.end() :].lstrip()
    return rest, forwarded
