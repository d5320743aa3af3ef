"""Mark what has changed on a board since the reader's last mail, by comparing the rendered board then and now.

Nothing here knows the game. If all of a section or table is new, nothing of it is marked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from pbem.outbound.html_style import css

MARK = "*"
STAR = f"{MARK}\u00a0"
"""The mark in HTML; no line may break behind it."""

HEAD = "head"

_TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
_CAPTION = re.compile(r"<caption[^>]*>(.*?)</caption>", re.DOTALL)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"(<t[hd][^>]*>)(.*?</t[hd]>)", re.DOTALL)
_TILE = re.compile(
    r'(<div class="tile[^>]*>)(<b>.*?</b>)(.*?)(?=</div>\s*(?:<div class="tile|</div>\s*(?:<div class="half|$)))',
    re.DOTALL,
)
_PARAGRAPH = re.compile(r'(<p class="(?:line|small)[^>]*>)(.*?)</p>', re.DOTALL)
_TOGETHER = '<div class="together"'
"""Tables under one heading."""

_HEADED = re.compile(
    rf'{_TOGETHER}.*?</div>|(?:<table|<h2 class="head").*?(?=<table|<h2 class="head"|{_TOGETHER}|\Z)', re.DOTALL
)
_CLASSES = re.compile(r'class="([^"]*)"(?: style="[^"]*")?')


def highlight_lines(now: str, before: str) -> str:
    """Mark the new lines of a board in plain text."""
    known = set(before.split("\n"))
    return "\n\n".join(_section(part.split("\n"), known) for part in now.split("\n\n"))


def _section(rows: list[str], known: set[str]) -> str:
    headed = _is_heading(rows[0])
    fresh = [row not in known for row in rows[headed:]]
    if _all_new(fresh, headed and rows[0] in known):
        return "\n".join(rows)
    marked = (f"{MARK}{row}" if new else row for row, new in zip(rows[headed:], fresh, strict=True))
    return "\n".join([*rows[:headed], *marked])


def _is_heading(row: str) -> bool:
    """Whether a row is the heading of its section: its first word is in capitals."""
    first = row.split(" ")[0].rstrip(",:")
    return len(first) > 1 and first.isupper()


def _all_new(fresh: Sequence[bool], known: bool) -> bool:
    """Whether all of a section is new. A single row counts only if its heading is new as well."""
    return all(fresh) and (len(fresh) > 1 or not known)


def highlight_page(now: str, before: str) -> Markup:
    """Mark the new table cells (by the name of their row), tiles (by their name) and paragraphs of a board in HTML."""
    old = {_caption(table): table for table in _TABLE.findall(before)}
    tiles = {name: rest for _, name, rest in _TILE.findall(before)}
    said = {words for _, words in _PARAGRAPH.findall(before)}

    def table(found: re.Match[str]) -> str:
        was = old.get(_caption(found[0]), "")
        if was == found[0]:
            return found[0]
        known = {_name(row): row for row in _ROW.findall(was)}
        return _ROW.sub(lambda row: _marked_row(row[0], known.get(_name(row[0]))), found[0])

    def tile(found: re.Match[str]) -> str:
        return found[0] if tiles.get(found[2]) == found[3] else f"{_fresh(found[1])}{STAR}{found[2]}{found[3]}"

    def paragraph(found: re.Match[str]) -> str:
        return found[0] if found[2] in said else f"{_fresh(found[1])}{STAR}{found[2]}</p>"

    def section(found: re.Match[str]) -> str:
        """Mark what is new under one heading."""
        part = found[0]
        if part.startswith(_TOGETHER):
            fresh, known = [one not in before for one in part.split("<table")[1:]], True
        else:
            rows = old.get(_caption(part), "")
            fresh = [row not in rows for row in _ROW.findall(part) if "<td" in row]
            fresh += [tiles.get(name) != rest for _, name, rest in _TILE.findall(part)]
            fresh += [words not in said for _, words in _PARAGRAPH.findall(part)]
            known = bool(rows) or "<table" not in part
        if _all_new(fresh, known):
            return part
        return _PARAGRAPH.sub(paragraph, _TILE.sub(tile, _TABLE.sub(table, part)))

    return Markup(_HEADED.sub(section, now))


def _marked_row(row: str, before: str | None) -> str:
    """Mark the changed cells of a row; a new row gets one mark."""
    cells = [tag + rest for tag, rest in _CELL.findall(before or "")]
    count = iter(range(len(row)))

    def cell(found: re.Match[str]) -> str:
        at = next(count)
        if at < len(cells) and cells[at] == found[0]:
            return found[0]
        return f"{_fresh(found[1])}{found[2] if before is None and at else f'{STAR}{found[2]}'}"

    return _CELL.sub(cell, row)


def _fresh(tag: str) -> str:
    """The tag with the class `fresh` added."""
    if (own := _CLASSES.search(tag)) is None:
        return re.sub(r"^<(\w+)", rf"<\1 {css('fresh')}", tag)
    return f"{tag[: own.start()]}{css(*own[1].split(), 'fresh')}{tag[own.end() :]}"


def _name(row: str) -> str:
    """The name of a row: its first heading cell; `HEAD` for the head of a table."""
    if "<td" not in row:
        return HEAD
    found = _CELL.search(row)
    if found is None or not found[1].startswith("<th"):
        return ""
    return re.sub(r"<[^>]*>", " ", found[2].partition("<div")[0]).strip()


def _caption(table: str) -> str:
    found = _CAPTION.search(table)
    return found[1] if found else ""
