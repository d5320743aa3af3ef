"""Text as RFC 3676 `format=flowed`: one logical line stays one line, though no written line is longer than 76.

A program that knows flowed text joins the lines again and fits them to its window; any other shows short lines.
"""

from __future__ import annotations

from collections.abc import Iterator

WIDTH = 76
"""Columns of a written line, its soft break included."""


def flow(text: str) -> str:
    """Break the logical lines of `text` softly (RFC 3676, section 4.2), `DelSp=no`.

    A logical line beginning `> ` is a quotation of depth one: each of its written lines begins so (section 4.5).
    Lines beginning with a blank, `>` or `From ` are space-stuffed (section 4.4). Undone exactly by joining, but
    for blanks at the end of a logical line, which are dropped since they would mean a soft break.
    """
    written: list[str] = []
    for line in text.split("\n"):
        if line.startswith("> "):
            written.extend(f"> {part}" for part in _parts(line[2:].rstrip(), WIDTH - 2))
        else:
            written.extend(_stuffed(part) for part in _parts(line.rstrip(), WIDTH - 1))
    return "\n".join(written)


def _parts(line: str, width: int) -> Iterator[str]:
    """Pieces of at most `width` columns that end in a blank but for the last; a longer word stays whole."""
    while len(line) > width:
        cut = line.rfind(" ", 1, width) + 1 or line.find(" ", 1) + 1
        # A line `-- ` on its own announces a signature (section 4.3) and would hide what follows.
        while 0 < cut < len(line) and line[:cut].strip() in ("", "--"):
            cut = line.find(" ", cut) + 1
        if not 0 < cut < len(line):
            break
        yield line[:cut]
        line = line[cut:]
    yield line


def _stuffed(line: str) -> str:
    return f" {line}" if line.startswith((" ", ">", "From ")) else line
