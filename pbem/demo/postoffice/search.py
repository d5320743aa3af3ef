"""SEARCH: which letters of a folder fit (RFC 3501 section 6.4.4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

from pbem.demo.postoffice.fetch import FetchedLetter, read_date
from pbem.demo.postoffice.maildir import StoredMail
from pbem.demo.postoffice.words import BadCommand, Word, atom

Test = Callable[[int, StoredMail], bool]
"""Whether the letter with this sequence number fits."""

Numbers = Callable[[str, bool], frozenset[int]]
"""The UIDs that a set names; the flag says whether the set holds UIDs or sequence numbers."""

_FLAGS = {"ANSWERED": "R", "DELETED": "T", "DRAFT": "D", "FLAGGED": "F", "SEEN": "S"}
_FIELDS = {"BCC", "CC", "FROM", "SUBJECT", "TO"}
_DATES = {"BEFORE", "ON", "SINCE", "SENTBEFORE", "SENTON", "SENTSINCE"}


def test(words: list[Word], numbers: Numbers) -> Test:
    """All of the search keys in one. Raises BadCommand."""
    words = list(words)
    if len(words) > 2 and not isinstance(words[0], list) and atom(words[0]).upper() == "CHARSET":
        del words[:2]
    if not words:
        raise BadCommand("SEARCH needs something to look for")
    tests = []
    while words:
        tests.append(_key(words, numbers))
    return lambda number, mail: all(one(number, mail) for one in tests)


def _next(words: list[Word]) -> str:
    if not words:
        raise BadCommand("the search ends too early")
    return atom(words.pop(0))


def _key(words: list[Word], numbers: Numbers) -> Test:
    if words and isinstance(words[0], list):
        return test(words.pop(0), numbers)  # type: ignore[arg-type]
    key = _next(words).upper()
    if key in ("ALL", "OLD"):
        return lambda number, mail: True
    if key in ("NEW", "RECENT", "KEYWORD"):
        # Recent letters and keywords are not kept; UNKEYWORD below is true of every letter for the same reason.
        if key == "KEYWORD":
            _next(words)
        return lambda number, mail: False
    if key == "UNKEYWORD":
        _next(words)
        return lambda number, mail: True
    if key in _FLAGS:
        return lambda number, mail: _FLAGS[key] in mail.flags
    if key.startswith("UN") and key[2:] in _FLAGS:
        return lambda number, mail: _FLAGS[key[2:]] not in mail.flags
    if key == "NOT":
        inner = _key(words, numbers)
        return lambda number, mail: not inner(number, mail)
    if key == "OR":
        one, other = _key(words, numbers), _key(words, numbers)
        return lambda number, mail: one(number, mail) or other(number, mail)
    if key in ("LARGER", "SMALLER"):
        size = _number(_next(words))
        return lambda number, mail: mail.size > size if key == "LARGER" else mail.size < size
    if key in _DATES:
        return _dated(key, read_date(_next(words)).date())
    if key == "HEADER":
        return _with(_next(words), _next(words))
    if key in _FIELDS:
        return _with(key, _next(words))
    if key in ("TEXT", "BODY"):
        return _containing(key, _next(words))
    uids = numbers(_next(words), True) if key == "UID" else numbers(key, False)
    return lambda number, mail: mail.uid in uids


def _number(text: str) -> int:
    if not text.isdigit():
        raise BadCommand(f"{text!r} is no number")
    return int(text)


def _dated(key: str, day: date) -> Test:
    def fits(number: int, mail: StoredMail) -> bool:
        when = datetime.fromtimestamp(mail.date, UTC).date()
        if key.startswith("SENT"):
            try:
                when = parsedate_to_datetime(str(FetchedLetter(mail).tree.fields.get("Date", ""))).date()
            except (ValueError, TypeError, OSError):
                return False
        kind = key.removeprefix("SENT")
        return when < day if kind == "BEFORE" else when == day if kind == "ON" else when >= day

    return fits


def _with(field: str, text: str) -> Test:
    def fits(number: int, mail: StoredMail) -> bool:
        try:
            values = FetchedLetter(mail).tree.fields.get_all(field, [])
        except OSError:
            return False
        return any(text.lower() in str(value).lower() for value in values)

    return fits


def _containing(key: str, text: str) -> Test:
    wanted = text.lower().encode("utf-8", "surrogateescape")

    def fits(number: int, mail: StoredMail) -> bool:
        try:
            reading = FetchedLetter(mail)
            return wanted in (reading.raw if key == "TEXT" else reading.tree.body).lower()
        except OSError:
            return False

    return fits
