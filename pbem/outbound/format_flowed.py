"""Write text as `format=flowed` (RFC 3676): lines of at most 76 columns that mail programs join again."""

from __future__ import annotations

from collections.abc import Iterator

FLOW_WIDTH = 76
"""Columns of a written line with its soft break."""


def flow(text: str) -> str:
    """Break logical lines softly (RFC 3676, section 4.2), `DelSp=no`.

    A line beginning with `> ` is a quotation of depth one, and so is each of its pieces (section 4.5). Lines beginning
    with a blank, `>` or `From ` are space-stuffed (section 4.4). Trailing blanks are dropped, since they mean a soft
    break.
    """
    written: list[str] = []
    for line in text.split("\n"):
        if line.startswith("> "):
            written.extend(f"> {part}" for part in _parts(line[2:].rstrip(), FLOW_WIDTH - 2))
        else:
            parts = _parts(line.rstrip(), FLOW_WIDTH - 1)
            written.extend(f" {part}" if part.startswith((" ", ">", "From ")) else part for part in parts)
    return "\n".join(written)


def _parts(line: str, width: int) -> Iterator[str]:
    """Pieces of at most `width` columns, all but the last with a blank at the end; a longer word stays whole."""
    while len(line) > width:
        cut = line.rfind(" ", 1, width) + 1 or line.find(" ", 1) + 1
        # A line `-- ` alone would begin a signature (section 4.3).
        while 0 < cut < len(line) and line[:cut].strip() in ("", "--"):
            cut = line.find(" ", cut) + 1
        if not 0 < cut < len(line):
            break
        yield line[:cut]
        line = line[cut:]
    yield line
