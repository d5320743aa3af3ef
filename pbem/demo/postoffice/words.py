"""The grammar of IMAP commands, as far as clients use it (RFC 3501 section 9)."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

Word = bytes | list["Word"]
"""A word of a command: an atom, quoted string or literal as bytes, a parenthesised list as a list."""

_ATOM_END = re.compile(rb'[ (){\r\n"\[]')
_LITERAL = re.compile(rb"\{(\d+)\+?\}\r\n")
_DEEPEST = 20


class BadCommand(Exception):  # noqa: N818 - the answer BAD
    """The command cannot be read. The text goes to the client."""


def read(command: bytes) -> list[Word]:
    """The words of one whole command, literals included, without its last line end. Raises BadCommand."""
    words, place = _words(command, 0, 0)
    if place != len(command):
        raise BadCommand("a closing parenthesis too many")
    return words


def _words(text: bytes, place: int, depth: int) -> tuple[list[Word], int]:
    if depth > _DEEPEST:
        raise BadCommand("too many parentheses")
    words: list[Word] = []
    while place < len(text):
        sign = text[place : place + 1]
        if sign == b" ":
            place += 1
        elif sign == b"(":
            inner, place = _words(text, place + 1, depth + 1)
            if text[place : place + 1] != b")":
                raise BadCommand("a parenthesis is not closed")
            words.append(inner)
            place += 1
        elif sign == b")":
            break
        elif sign == b'"':
            word, place = _quoted(text, place)
            words.append(word)
        elif sign == b"{":
            head = _LITERAL.match(text, place)
            if not head:
                raise BadCommand("a literal has no length")
            place = head.end() + int(head[1])
            words.append(text[head.end() : place])
        else:
            word, place = _atom(text, place)
            words.append(word)
    return words, place


def _quoted(text: bytes, place: int) -> tuple[bytes, int]:
    closed = re.compile(rb'"((?:[^"\\\r\n]|\\.)*)"').match(text, place)
    if not closed:
        raise BadCommand("a quoted string is not closed")
    return re.sub(rb"\\(.)", rb"\1", closed[1]), closed.end()


def _atom(text: bytes, place: int) -> tuple[bytes, int]:
    """An atom; square brackets with all that stands in them belong to it, as in `BODY[HEADER.FIELDS (TO)]<0.9>`."""
    start = place
    while place < len(text):
        stop = _ATOM_END.search(text, place)
        if stop is None:
            return text[start:], len(text)
        place = stop.start()
        if text[place : place + 1] != b"[":
            break
        bracket = text.find(b"]", place)
        if bracket < 0:
            raise BadCommand("a square bracket is not closed")
        place = bracket + 1
    if place == start:
        raise BadCommand(f"{text[place : place + 1]!r} cannot stand here")
    return text[start:place], place


def atom(word: Word) -> str:
    """The word as text. Raises BadCommand for a list."""
    if isinstance(word, list):
        raise BadCommand("a list stands where a word is wanted")
    return word.decode("utf-8", "surrogateescape")


def chosen(text: str, numbers: Sequence[int]) -> list[int]:
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


def as_set(numbers: Sequence[int]) -> str:
    """`3:5,9` for 3, 4, 5, 9, in the order given: COPYUID pairs two such sets."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(f"{low}:{high}" if high > low else f"{low}" for low, high in spans)


def string(value: bytes | str | None) -> bytes:
    """NIL, a quoted string, or a literal for what cannot be quoted."""
    if value is None:
        return b"NIL"
    data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    if len(data) < 200 and data.isascii() and not re.search(rb'[\x00-\x1f"\\\x7f]', data):
        return b'"' + data + b'"'
    return b"{%d}\r\n" % len(data) + data
