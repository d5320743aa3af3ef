"""What people write, made fit to stand in somebody else's mail.

Names, messages and lines of letters are relayed as they are but for what could deceive a reader or break a line:
control and bidirectional characters and letters that nobody sees go, every kind of line end becomes a space (contract,
«Private»). What holds no visible character is nothing.
"""

from __future__ import annotations

import re
import unicodedata

from pbem.reading.normalize import BLANK

MESSAGE_LIMIT = 1000
"""Characters of a relayed message."""

WRITTEN_LIMIT = 300
"""Characters of a line of a letter that is shown back to its writer."""

_JOINERS = frozenset("\u200c\u200d")
# Joiners shape Arabic, Indic scripts and emoji; they neither reorder nor hide text.
_SHAPES = _JOINERS | frozenset(map(chr, range(0xFE00, 0xFE10)))
# What only shapes its neighbours, and is nothing alone.
_UNSEEN = re.compile(f"[{''.join(BLANK | _SHAPES)}]")


def one_line(text: str, limit: int = 0) -> str:
    """`text` on one line without control or bidirectional characters; with `limit`, at most that many characters.

    Linear time; what is cut off is replaced by «…».
    """
    line = text.strip() if text.isprintable() and not _UNSEEN.search(text) else _cleaned(text)
    if limit and len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return line


def _cleaned(text: str) -> str:
    kept = (" " if _is_break(char) else char for char in text if _is_break(char) or _may_stay(char))
    line = "".join(kept).strip()
    return line if any(char not in _SHAPES and not char.isspace() for char in line) else ""


def relayed(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`one_line` with runs of blanks made one, for what people wrote freely."""
    return one_line(" ".join(one_line(text).split()), limit)


def _is_break(char: str) -> bool:
    return char in "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def _may_stay(char: str) -> bool:
    # Cc control, Cf format (bidirectional marks, zero-width space, byte order mark, tags), Cs lone surrogates.
    if char.isascii():
        return char.isprintable()
    return char in _JOINERS or (unicodedata.category(char) not in _UNFIT and char not in BLANK)


_UNFIT = frozenset({"Cc", "Cf", "Cs"})
