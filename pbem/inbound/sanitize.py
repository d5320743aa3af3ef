"""Sanitize people's words before they are put into somebody else's mail.

Control and bidirectional characters and invisible letters are removed, and every line end becomes a space. A text
without any visible character becomes empty.
"""

from __future__ import annotations

import re
import unicodedata

from pbem.reading.normalize import BLANK

MESSAGE_LIMIT = 1000
"""Most characters of a message to other players."""

WRITTEN_LIMIT = 300
"""Most characters of a line that is quoted to its writer."""

_JOINERS = frozenset("\u200c\u200d")
# Joiners shape Arabic, Indic scripts and emoji; they neither reorder nor hide text.
_SHAPES = _JOINERS | frozenset(map(chr, range(0xFE00, 0xFE10)))
# Characters that shape their neighbours and are invisible alone.
_BREAKS = frozenset("\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029")
# Control characters, format characters (bidirectional marks, zero-width space, byte order mark, tags), surrogates.
_UNFIT = frozenset({"Cc", "Cf", "Cs"})
_UNSEEN = re.compile(f"[{''.join(BLANK | _SHAPES)}]")


def one_line(text: str, limit: int = 0) -> str:
    """`text` on one line without control or bidirectional characters, cut to `limit` characters with «…» at the end."""
    line = text.strip() if text.isprintable() and not _UNSEEN.search(text) else _cleaned(text)
    if limit and len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return line


def _cleaned(text: str) -> str:
    kept = (" " if char in _BREAKS else char for char in text if char in _BREAKS or _may_stay(char))
    line = "".join(kept).strip()
    return line if any(char not in _SHAPES and not char.isspace() for char in line) else ""


def clean_text(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`one_line` with single blanks, for free text."""
    return one_line(" ".join(one_line(text).split()), limit)


def _may_stay(char: str) -> bool:
    if char.isascii():
        return char.isprintable()
    return char in _JOINERS or (unicodedata.category(char) not in _UNFIT and char not in BLANK)
