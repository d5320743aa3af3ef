"""SEARCH: which letters of a folder fit (RFC 3501 section 6.4.4): by flags, days, numbers and header fields."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import UTC, datetime

from pbem.demo.postoffice.imap_fetch import FetchedLetter
from pbem.demo.postoffice.imap_grammar import BadCommand, Word, atom, read_date
from pbem.demo.postoffice.mail_storage import StoredMail

Criterion = Callable[[StoredMail], bool]
Numbers = Callable[[str, bool], frozenset[int]]
"""The UIDs that a set names; the flag says whether the set holds UIDs or sequence numbers."""

_FLAGS = {"ANSWERED": "R", "DELETED": "T", "DRAFT": "D", "FLAGGED": "F", "SEEN": "S"}
_FIELDS = ("CC", "FROM", "SUBJECT", "TO")


def search_criterion(words: list[Word], numbers: Numbers) -> Criterion:
    """Whether a letter fits all keys. Raises BadCommand."""
    words = list(words)
    if len(words) > 2 and words[0] == b"CHARSET":
        del words[:2]
    if not words:
        raise BadCommand("SEARCH needs something to look for")
    tests: list[Criterion] = []
    while words:
        tests.append(_key(words, numbers))
    return lambda mail: all(one(mail) for one in tests)


def _key(words: list[Word], numbers: Numbers) -> Criterion:
    """One key, taken from the beginning of the words."""
    if not words:
        raise BadCommand("the search ends too early")
    first = words.pop(0)
    if isinstance(first, list):
        return search_criterion(first, numbers)
    key = first.decode("utf-8", "surrogateescape").upper()
    if key == "ALL":
        return lambda mail: True
    if (flag := _FLAGS.get(key.removeprefix("UN"))) is not None:
        return lambda mail: (flag in mail.flags) is not key.startswith("UN")
    if key == "NOT":
        inner = _key(words, numbers)
        return lambda mail: not inner(mail)
    if key == "OR":
        one, other = _key(words, numbers), _key(words, numbers)
        return lambda mail: one(mail) or other(mail)
    told = atom(words.pop(0)) if words and key in ("BEFORE", "ON", "SINCE", "UID", *_FIELDS) else ""
    if key in _FIELDS:
        return lambda mail: told.lower() in str(FetchedLetter(mail).tree[key]).lower()
    if key in ("BEFORE", "ON", "SINCE"):
        day = read_date(told).date()
        compare = {"BEFORE": operator.lt, "ON": operator.eq, "SINCE": operator.ge}[key]
        return lambda mail: bool(compare(datetime.fromtimestamp(mail.date, UTC).date(), day))
    uids = numbers(told, True) if key == "UID" else numbers(key, False)
    return lambda mail: mail.uid in uids

