"""How much one answer tells at most: what a letter of a few lines asks for must not be megabytes."""

from __future__ import annotations

from binascii import b2a_qp
from collections.abc import Sequence
from html import escape

from engine.catalog import Msg, T
from engine.reference import CardText

LARGEST = 36_000
"""Octets of what answers questions, in a mail of at most 60 kB."""
TAGS = 60
"""Octets of what stands around a line in HTML."""


def size_of(blocks: Sequence[CardText]) -> int:
    """Octets of these blocks in a mail, which tells them as text and as HTML."""
    return sum(_octets(line) for block in blocks for line in (block.title, *block.lines))


def _octets(line: Msg) -> int:
    text = str(line)
    return len(b2a_qp(text.encode())) + len(b2a_qp(escape(text).encode())) + TAGS


def fitting(blocks: Sequence[CardText]) -> tuple[CardText, ...]:
    """The same, or as much of them as one answer has room for, with a word of what was left out."""
    if size_of(blocks) <= LARGEST:
        return tuple(blocks)
    room, left, found = LARGEST, 0, list[CardText]()
    for block in blocks:
        kept: list[Msg] = []
        for line in block.lines:
            room -= _octets(line)
            if room > 0:
                kept.append(line)
        left += len(block.lines) - len(kept)
        found += [CardText(block.title, tuple(kept))] if kept else []
    says = T(
        "{n} line was left out, since one answer has no room for it. Ask for less in one letter.",
        "{n} lines were left out, since one answer has no room for them. Ask for less in one letter.",
        n=left,
    )  # fmt: skip
    return (*found, CardText(T("Left out"), (says,)))
