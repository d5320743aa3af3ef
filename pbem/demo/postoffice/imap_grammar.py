"""The grammar of IMAP commands and answers, as far as clients use it (RFC 3501 section 9)."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from datetime import datetime

Word = bytes | list["Word"]
"""A word of a command: an atom, quoted string or literal as bytes, a parenthesised list as a list."""

_DEEPEST = 20
_TOKEN = re.compile(
    rb' *(?:(?P<open>\()|(?P<close>\))|"(?P<quoted>(?:[^"\\\r\n]|\\.)*)"|\{(?P<literal>\d+)\+?\}\r\n'
    rb'|(?P<atom>(?:[^ (){\r\n"\[]|\[[^\]]*\])+))'
)
"""One token. Square brackets with all in them belong to an atom, as in `BODY[HEADER.FIELDS (TO)]<0.9>`."""

_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


class BadCommand(Exception):  # noqa: N818 - the answer BAD
    """The command cannot be read. The text goes to the client."""


class Refused(Exception):  # noqa: N818 - the answer NO
    """The command was understood and cannot be done. The text goes to the client."""


def parse_command(command: bytes) -> list[Word]:
    """The words of one whole command, literals included, without its last line end. Raises BadCommand."""
    stack: list[list[Word]] = [[]]
    place, end = 0, len(command.rstrip(b" "))
    while place < end and 0 < len(stack) <= _DEEPEST:
        token = _TOKEN.match(command, place)
        if token is None:
            raise BadCommand(f"{command[place : place + 20]!r} cannot be read")
        place = token.end()
        if token["open"]:
            inner: list[Word] = []
            stack[-1].append(inner)
            stack.append(inner)
        elif token["close"]:
            stack.pop()
        elif token["literal"]:
            stack[-1].append(command[place : place + int(token["literal"])])
            place += int(token["literal"])
        else:
            stack[-1].append(token["atom"] or re.sub(rb"\\(.)", rb"\1", token["quoted"]))
    if len(stack) != 1:
        raise BadCommand("the parentheses do not match, or are too many")
    return stack[0]


def atom(word: Word) -> str:
    """The word as text. Raises BadCommand for a list."""
    if isinstance(word, list):
        raise BadCommand("a list stands where a word is wanted")
    return word.decode("utf-8", "surrogateescape")


def in_set(text: str, numbers: Sequence[int]) -> list[int]:
    """Those of the ascending `numbers` that a set such as `3:5,9,12:*` names; `*` is the last. Raises BadCommand."""
    last = numbers[-1] if numbers else 0
    found: set[int] = set()
    for part in text.split(","):
        first, _, end = part.partition(":")
        try:
            low, high = sorted(last if one == "*" else int(one) for one in (first, end or first))
        except ValueError:
            raise BadCommand(f"{text!r} is no set of numbers") from None
        found.update(numbers[bisect.bisect_left(numbers, low) : bisect.bisect_right(numbers, high)])
    return sorted(found)


def quote(value: str | None) -> bytes:
    """NIL, a quoted string, or a literal for what cannot be quoted."""
    if value is None:
        return b"NIL"
    data = value.encode("utf-8", "surrogateescape")
    if re.fullmatch(rb'[\x20\x21\x23-\x5b\x5d-\x7e]{0,200}', data):
        return b'"' + data + b'"'
    return b"{%d}\r\n" % len(data) + data


def write_date(when: datetime) -> str:
    """`21-Nov-2026 00:01:02 +0000`, in English whatever the locale."""
    return f"{when.day:02}-{_MONTHS[when.month - 1]}-{when.year:04} {when:%H:%M:%S %z}"


def read_date(text: str) -> datetime:
    """A date of SEARCH, `1-Feb-2026`, or one of APPEND, with time and zone. Raises BadCommand."""
    day, month, year, *clock = re.split("[- ]", text.strip(), maxsplit=3)[:4] if text.count("-") > 1 else ("", "", "")
    try:
        number, time = _MONTHS.index(month.title()) + 1, clock[0] if clock else "00:00:00 +0000"
        return datetime.strptime(f"{year}-{number}-{day} {time}", "%Y-%m-%d %H:%M:%S %z")
    except ValueError:
        raise BadCommand(f"{text!r} is no date") from None
