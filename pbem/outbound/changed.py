"""Marks what has changed on a board since the reader's last mail, by comparing it as it was written then and is now.

Nothing here knows a game: the same templates have written both. Where all of a section or table is new, nothing of it
is marked, since a mark on everything tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup

from pbem.outbound.look import look

MARK = "*"
HEAD = "head"

_TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
_CAPTION = re.compile(r"<caption[^>]*>(.*?)</caption>", re.DOTALL)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"(<t[hd][^>]*>)(.*?</t[hd]>)", re.DOTALL)
_TILE = re.compile(
    r'(<div class="tile[^>]*>)(<b>.*?</b>)(.*?)(?=<div class="tile|</div>\s*</div>\s*(?:<div class="half|$))', re.DOTALL
)
_CLASSES = re.compile(r'class="([^"]*)"(?: style="[^"]*")?')


def lines(now: str, before: str) -> str:
    """A board in words: lines that did not stand there are marked."""
    known = set(before.split("\n"))
    return "\n\n".join(_section(part.split("\n"), known) for part in now.split("\n\n"))


def _section(rows: list[str], known: set[str]) -> str:
    fresh = [row not in known and not row.isupper() for row in rows]
    if all(new or row.isupper() for row, new in zip(rows, fresh, strict=True)):
        return "\n".join(rows)
    return "\n".join(f"{MARK}{row}" if new else row for row, new in zip(rows, fresh, strict=True))


def page(now: str, before: str) -> Markup:
    """The same of a board that is drawn: cells of tables, by the name of their row, and tiles by theirs."""
    old = {_caption(table): table for table in _TABLE.findall(before)}

    def table(found: re.Match[str]) -> str:
        was = old.get(_caption(found[0]), "")
        if was == found[0]:
            return found[0]
        known = dict(_rows(was))
        old_cells = {cell for row in known.values() for cell in _cells(row)}
        if old_cells.isdisjoint(cell for row in _ROW.findall(found[0]) for cell in _cells(row) if "<td" in cell):
            return found[0]
        return _ROW.sub(lambda row: _marked_row(row[0], known.get(_name(row[0]))), found[0])

    tiles = {name: rest for _, name, rest in _TILE.findall(before)}

    def tile(found: re.Match[str]) -> str:
        if not tiles or tiles.get(found[2]) == found[3]:
            return found[0]
        return f"{_fresh(found[1])}{MARK} {found[2]}{found[3]}"

    return Markup(_TILE.sub(tile, _TABLE.sub(table, now)))


def _marked_row(row: str, before: str | None) -> str:
    """Cells that are not as they were; a row that is new by one mark."""
    cells = _cells(before or "")
    count = iter(range(len(row)))

    def cell(found: re.Match[str]) -> str:
        at = next(count)
        same = at < len(cells) and cells[at] == found[0]
        if same:
            return found[0]
        return f"{_fresh(found[1])}{found[2] if before is None and at else f'{MARK} {found[2]}'}"

    return _CELL.sub(cell, row)


def _cells(row: str) -> list[str]:
    return [tag + rest for tag, rest in _CELL.findall(row)]


def _fresh(tag: str) -> str:
    """The tag with the class of what is new beside its own."""
    if (own := _CLASSES.search(tag)) is None:
        return re.sub(r"^<(\w+)", rf"<\1 {look('fresh')}", tag)
    return f"{tag[: own.start()]}{look(*own[1].split(), 'fresh')}{tag[own.end() :]}"


def _rows(table: str) -> Iterator[tuple[str, str]]:
    return ((_name(row), row) for row in _ROW.findall(table))


def _name(row: str) -> str:
    """What stands first in a row, without what stands under it; the head of a table is known as such."""
    if "<td" not in row:
        return HEAD
    found = _CELL.search(row)
    if found is None or not found[1].startswith("<th"):
        return ""
    return re.sub(r"<[^>]*>", " ", found[2].partition("<div")[0]).strip()


def _caption(table: str) -> str:
    found = _CAPTION.search(table)
    return found[1] if found else ""
