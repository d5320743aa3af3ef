"""The text of a letter: find its part, decode its charset, unwrap its lines. Linear time; any bytes are accepted."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from pbem.inbound.html import lines_of_html
from pbem.inbound.mime import Part

_NOT_TEXT = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"})
# Python codecs that are no charsets, and two whose decoders are not linear.

_WESTERN = frozenset({"ascii", "iso8859-1", "iso8859-15", "cp1252"})
# Labels that mailers put on anything. The first two mean windows-1252 in practice (WHATWG).

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like the mark of UTF-16, so it comes first
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_FLOW_FROM = 60
"""Columns from which a blank at the end of a line is a soft break; phones leave a blank after any last word."""


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of a letter before anything is cut off; quoted lines begin with `>`.

    `exact`: lines end where the writer ended them (flowed text, HTML). Otherwise a program may have wrapped them.
    """

    lines: tuple[str, ...]
    exact: bool = False


def attached_turn_file(letter: Part) -> Part | None:
    """The first attached text or TOML file."""
    for leaf in letter.walk():
        named = leaf.filename.lower().endswith((".toml", ".txt"))
        if leaf.is_attachment and not leaf.parts and (leaf.kind == "text/plain" or named):
            return leaf
    return None


def letter_body(part: Part, wanted: str = "text/plain") -> Body:
    """The inline text of a letter; of alternatives the `wanted` type, if it says anything. Raises LimitExceeded."""
    if part.kind == "multipart/alternative":
        for child in sorted(part.parts, key=lambda child: not _holds(child, wanted)):
            found = letter_body(child, wanted)
            if any(line.strip() for line in found.lines):
                return found
        return Body(())
    if part.parts:
        inside = [found for child in part.parts if (found := letter_body(child, wanted)).lines]
        return Body(tuple(line for found in inside for line in found.lines), all(found.exact for found in inside))
    if part.is_attachment:
        return Body(())
    if part.kind == "text/html":
        return Body(lines_of_html(decode_part(part)), exact=True)
    if part.kind == "text/plain":
        # Other separators than these are within a line for a program that puts `>` before each.
        lines = re.split(r"\r\n|\r|\n", decode_part(part))
        if part.parameter("format").lower() == "flowed":
            return Body(unflow(lines, part.parameter("delsp").lower() == "yes"), exact=True)
        return Body(tuple(lines))
    return Body(())


def _holds(part: Part, kind: str) -> bool:
    return any(leaf.kind == kind and not leaf.is_attachment for leaf in part.walk())


def decode_part(part: Part) -> str:
    """The text of one part without NULs and byte order mark. A wrong, unknown or missing charset is guessed."""
    data = part.content()
    marked = next((charset for mark, charset in _MARKS if data.startswith(mark)), "")
    declared = marked or _charset(part.parameter("charset"))
    if declared in _WESTERN and not data.isascii():
        # Sound UTF-8 with one of these labels is mislabelled UTF-8.
        tried: tuple[str, ...] = ("utf-8", "iso8859-15" if declared == "iso8859-15" else "cp1252")
    else:
        tried = (declared, "utf-8", "cp1252") if declared else ("utf-8", "cp1252")
    for charset in tried:
        try:
            text = data.decode(charset)
            break
        except (UnicodeError, ValueError):
            continue
    else:
        text = data.decode("iso8859-1")
    return text.replace("\x00", "").removeprefix("\ufeff")


def _charset(label: str) -> str:
    """Python's name of a charset; "" if it knows none by that label or it is not for text."""
    try:
        found = codecs.lookup(label.strip().strip("\"'")[:40])
    except (LookupError, ValueError):
        return ""
    # bytes.decode itself asks `_is_text_encoding` before it refuses base64, rot13 and the like.
    return found.name if getattr(found, "_is_text_encoding", False) and found.name not in _NOT_TEXT else ""


def unflow(lines: list[str], delete_space: bool = False) -> tuple[str, ...]:
    """Join softly broken lines (RFC 3676, section 4), with or without `DelSp=yes`.

    Quoted lines get `> ` for each level. Unquoted lines are joined only if a program may have broken them there:
    `pass ` and the next line are two orders.
    """
    joined: list[tuple[int, list[str]]] = []
    soft = False
    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text.removeprefix(" ")
        length = len(joined[-1][1][-1]) + len(text.partition(" ")[0]) if joined else 0
        if soft and depth == joined[-1][0] and text != "-- " and (depth or length >= _FLOW_FROM):
            joined[-1][1].append(text)
        else:
            joined.append((depth, [text]))
        soft = text.endswith(" ") and text != "-- "
        if soft and delete_space:
            joined[-1][1][-1] = text[:-1]
    return tuple("> " * depth + "".join(pieces) for depth, pieces in joined)
