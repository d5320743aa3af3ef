"""Write the arguments of IMAP commands and read the responses (RFC 3501 and its extensions). Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, TypeVar

from aioimaplib import aioimaplib as lib

from pbem.inbound.sanitize import one_line

_FETCH = re.compile(rb"\d+ FETCH \(", re.IGNORECASE)
_UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)", re.IGNORECASE)
COPYUID = re.compile(rb"\[COPYUID (\d+) ([\d:,]+) ([\d:,]+)\]", re.IGNORECASE)
_STORAGE = re.compile(rb"\bSTORAGE (\d+) (\d+)", re.IGNORECASE)
_MOST_UIDS = 10_000

T = TypeVar("T")


def chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Slices of at most `size` items, because servers limit the length of a command."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def quoted_string(text: str) -> str:
    """`text` as an IMAP quoted string (RFC 3501 section 9). Raises ValueError on anything but printable ASCII."""
    if not text.isascii() or not text.isprintable():
        raise ValueError("only printable ASCII can be quoted for IMAP")
    return str(lib.quoted(text))


_NOT_NOW = re.compile(r"NO \[(?:UNAVAILABLE|SERVERBUG|CONTACTADMIN|INUSE|LIMIT)\b", re.IGNORECASE)
_TOO_MANY = re.compile(r"(?:too many|maximum|limit)\b.*\bconnections?\b|\bconnections?\b.*\b(?:limit|exceeded)\b", re.I)
_VALIDITY = re.compile(rb"\[UIDVALIDITY (\d+)\]", re.IGNORECASE)
_PREFIX = re.compile(rb'\("([^"]*)" (?:"(?:[^"\\]|\\.)"|NIL)')


def is_temporary(answer: Any) -> bool:
    """Whether a refusal has a passing reason, such as an outage (RFC 5530, section 3)."""
    return bool(_NOT_NOW.match(server_words(answer)))


def too_many_connections(answer: Any) -> bool:
    """Whether a login was refused because of too many connections."""
    return bool(_TOO_MANY.search(server_words(answer)))


def read_namespace(lines: Sequence[bytes]) -> tuple[str, ...]:
    """The prefixes of folder names in a NAMESPACE response, the personal ones first (RFC 2342)."""
    told = next((bytes(line).strip() for line in lines[:-1] if b"(" in bytes(line)), b"").removeprefix(b"NAMESPACE ")
    found = tuple(prefix.decode("utf-8", "replace") for prefix in _PREFIX.findall(told))
    return ("", *found) if told.startswith(b"NIL") else found


def lists_folder(lines: Iterable[bytes]) -> bool:
    """Whether a LIST response names an existing folder."""
    found = (bytes(line).upper() for line in lines)
    return any(line.startswith((b"LIST (", b"(")) and rb"\NONEXISTENT" not in line for line in found)


def read_validity(lines: Iterable[bytes]) -> int | None:
    """The UIDVALIDITY of a SELECT response."""
    return next((int(found[1]) for line in lines if (found := _VALIDITY.search(bytes(line)))), None)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def search_date(one: date) -> str:
    """A date for SEARCH, `1-Feb-2026`, in English whatever the locale (RFC 3501, section 9)."""
    return f"{one.day}-{MONTHS[one.month - 1]}-{one.year}"


def uid_set(uids: Iterable[int]) -> str:
    """The shortest set of these UIDs: `3:5,9` for 3, 4, 5, 9."""
    spans: list[list[int]] = []
    for uid in sorted(set(uids)):
        if spans and uid == spans[-1][1] + 1:
            spans[-1][1] = uid
        else:
            spans.append([uid, uid])
    return ",".join(f"{first}:{last}" if last > first else f"{first}" for first, last in spans)


def read_uid_set(text: bytes) -> list[int]:
    """The numbers of a set like `3:5,9` in its order; empty if the set is absurdly large."""
    found: list[int] = []
    for span in text.split(b","):
        first, _, last = span.partition(b":")
        if not first.isdigit() or (last and not last.isdigit()) or int(last or first) - int(first) > _MOST_UIDS:
            return []
        found += range(int(first), int(last or first) + 1)
    return found


def read_copyuid(lines: Iterable[bytes | bytearray]) -> dict[int, tuple[int, int]]:
    """Map old UIDs to (UIDVALIDITY, UID) in the target folder, by COPYUID (RFC 4315, RFC 6851)."""
    for line in lines:
        if told := COPYUID.search(bytes(line)):
            validity, old, new = int(told[1]), read_uid_set(told[2]), read_uid_set(told[3])
            if len(old) == len(new):
                return {before: (validity, after) for before, after in zip(old, new, strict=True)}
    return {}


def server_words(answer: Any) -> str:
    """The server's last line of a response, for an error text."""
    return f"{answer.result} {printable_words(bytes(answer.lines[-1]) if answer.lines else b'')}"


def printable_words(words: bytes) -> str:
    """A server's words on one line without escape sequences, fit for a terminal or a log."""
    return one_line(words.decode("utf-8", "replace"), 200)


def _records(lines: Sequence[bytes | bytearray]) -> list[tuple[bytes, list[bytes]]]:
    """For each untagged FETCH its text without the literals, and its literals."""
    records: list[tuple[bytes, list[bytes]]] = []
    for line in lines:
        if isinstance(line, bytearray):
            if records:
                records[-1][1].append(bytes(line))
        elif _FETCH.match(line):
            records.append((line, []))
        elif records:
            records[-1] = (records[-1][0] + b" " + line, records[-1][1])
    return records


def read_quota(lines: Iterable[bytes | bytearray]) -> tuple[int, int] | None:
    """Used and allowed kB (1,024 octets) of the quota that is nearest its limit; None without one."""
    found = [(int(told[1]), int(told[2])) for line in lines for told in _STORAGE.finditer(bytes(line))]
    return max((one for one in found if one[1]), key=lambda one: one[0] / one[1], default=None)


def read_uids(lines: Sequence[bytes | bytearray]) -> set[int]:
    """The UIDs of a `UID SEARCH` response."""
    return {int(uid) for line in lines[:-1] for uid in bytes(line).split() if uid.isdigit()}


def read_sizes(lines: Sequence[bytes | bytearray]) -> dict[int, int]:
    """Map UIDs to sizes in octets, from `UID FETCH … (UID RFC822.SIZE)`."""
    sizes = {}
    for words, _ in _records(lines):
        uid, size = _UID.search(words), _SIZE.search(words)
        if uid and size:
            sizes[int(uid[1])] = int(size[1])
    return sizes


def read_bodies(lines: Sequence[bytes | bytearray]) -> dict[int, bytes]:
    """Map UIDs to letters, from `UID FETCH … (UID BODY.PEEK[])`; one with body `NIL` is left out."""
    found = ((_UID.search(words), literals) for words, literals in _records(lines))
    return {int(uid[1]): literals[0] for uid, literals in found if uid and len(literals) == 1}
