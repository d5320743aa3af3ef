"""What has changed on the board since the last mail is marked, in words and drawn; what has not is not."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from pbem.outbound.highlight import highlight_lines, highlight_page
from tests.parts import page_of
from tests.tools.measure_mails import GAMES, play
from tests.whole.pages import faults
from tests.whole.room import Hall

TABLE = (
    '<table><caption>Square</caption><tr><th scope="row">Anna<div>{anna}</div></th><td>Y1</td></tr>'
    '<tr><th scope="row">Bob<div>3</div></th><td class="done" style="x">{bob}</td></tr></table>'
)


DICE, SQUARE = "THE DICE\nPlaza 1: red 2\nPlaza 2: red 3", "THE SQUARE (alone 2, pair 4, three 6)\nAnna: Y1\nBob: R1"
EVENTS = "EVENTS\nWar; 2 free\nDrought; 4 free\n\nLevel 1: free"


@pytest.mark.parametrize(
    ("now", "before", "marked"),
    [
        (EVENTS, EVENTS, ""), (EVENTS, EVENTS.replace("2", "3"), "War"),
        # All of a section is new; one row alone is marked where its heading is known.
        (DICE, DICE.replace("red", "white"), ""), ("RAMPARTS\nGuards: 2", "EVENTS\nWar", ""),
        ("RAMPARTS\nGuards: 2", "RAMPARTS\nGuards: 1", "Guards"),
        # A heading may say more than its capitals.
        (SQUARE, SQUARE.replace("1", "2"), ""), (SQUARE, SQUARE.replace("pair 4", "pair 6").replace("R1", "R2"), "Bob"),
    ],
)  # fmt: skip
def test_lines_that_are_new_are_marked_and_headings_are_not(now: str, before: str, marked: str) -> None:
    assert highlight_lines(now, before) == (now.replace(marked, f"*{marked}") if marked else now)


def test_a_cell_that_is_new_is_marked_in_the_row_of_its_name() -> None:
    old, new = TABLE.format(anna=1, bob="R1"), TABLE.format(anna=1, bob="R2")
    marked = highlight_page(new, old)
    assert re.findall(r"<td[^>]*>\*\sR2", marked) != []
    assert marked.count("fresh") == 1
    assert 'class="done fresh"' in marked
    assert highlight_page(old, old) == old


def test_a_row_that_is_new_has_one_mark_and_a_head_only_where_it_has_changed() -> None:
    old = TABLE.format(anna=1, bob="R1").replace("<tr>", '<tr><th scope="col">From Anna on</th><th scope="col">Dice</th></tr><tr>', 1)
    row = '<tr><th scope="row">Cleo<div>2</div></th><td>R4</td><td>W2</td></tr></table>'
    new = old.replace("From Anna", "From Bob").replace("</table>", row)
    marked = highlight_page(new, old)
    assert re.findall(r">\*\s([A-Za-z ]+)", marked) == ["From Bob on", "Cleo"]
    assert marked.count("fresh") == 4


def test_a_mark_keeps_the_look_of_the_cell_it_stands_in() -> None:
    """Wherever its class stands in the tag; a second one would be passed over, and the page no longer valid."""
    old = TABLE.format(anna=1, bob="R1")
    row = '<tr><th scope="row" class="bar-r" style="x">War</th><td title="War" class="done">1</td></tr></table>'
    tags = re.findall(r"<t[hd][^>]*>", highlight_page(old.replace("</table>", row), old))[-2:]
    assert [re.findall(r'class="([^"]*)"', tag) for tag in tags] == [["bar-r fresh"], ["done fresh"]]


def test_a_mail_marks_what_others_have_done_and_says_what_the_mark_is(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(3)
    found = 0
    for _ in range(24):
        seat = hall.asked()
        assert seat is not None
        got = hall.last(seat)
        if "\n* = changed\n" in got.text:
            found += 1
            assert "\n*" in got.text.partition("\nYou: ")[2].partition("Write above")[0]
            assert "* has changed since your last mail." in page_of(got.message)
            assert faults(page_of(got.message)) == []
        hall.send(seat, "1")
    assert found > 2


def test_what_stands_beneath_a_table_is_marked_as_a_row_of_it() -> None:
    old = TABLE.format(anna=1, bob="R1") + '<p class="line" style="x">Guards: 1</p>'
    marked = highlight_page(old.replace("Guards: 1", "Guards: 2"), old)
    assert re.findall(r"<p class=\"line fresh\"[^>]*>\*\sGuards: 2</p>", marked) != []
    assert marked.count("fresh") == 1
    everything = TABLE.format(anna=2, bob="R2") + '<p class="line" style="x">Guards: 2</p>'
    assert highlight_page(everything, old) == everything


def test_what_stands_above_every_heading_has_no_mark() -> None:
    old = '<p class="line">Round 1 of 4, actions.</p>' + TABLE.format(anna=1, bob="R1")
    assert highlight_page(old.replace("Round 1", "Round 2"), old) == old.replace("Round 1", "Round 2")


def test_a_tile_that_another_one_follows_now_has_not_changed() -> None:
    tile = '<div class="tile"><b>{0}</b> 3\n<div class="does">{0}s</div></div>\n'
    board = '<h2 class="head">CARDS</h2>\n{}</div>\n<div class="half">'
    old, new = (board.format("".join(map(tile.format, names))) for names in (("Monk", "Nun"), ("Monk", "Nun", "Miller")))
    assert re.findall(r"\*\s<b>(\w+)", highlight_page(new, old)) == ["Miller"]


NAME = re.compile(r"<[^>]*>")


def marked_names(drawn: str) -> set[str]:
    """What is marked on a page: rows by their heads, tiles, and lines beneath."""
    heads = re.findall(r'<tr>(?=(?:(?!</tr>).)*fresh)(?=(?:(?!</tr>).)*<td)<th[^>]*>(.*?)(?:<div|</th>)', drawn, re.DOTALL)
    heads += re.findall(r'<div class="tile[^"]*fresh[^>]*>(.*?)</b>', drawn, re.DOTALL)
    heads += re.findall(r'<p class="[^"]*fresh[^>]*>(.*?)[:<]', drawn, re.DOTALL)
    without = (re.sub(r'<span class="s\d?".*?</span>|<b class="[rywpk]".*?</b>', "", head, flags=re.DOTALL) for head in heads)
    return {re.split(r" \(|,", unescape(NAME.sub("", head)).strip("*\u00a0 \n"))[0].strip() for head in without}


TOLD_SHORTER = re.compile(
    r"^(Level|\d|[IV]+ .*|Guards|Anna|Faye|Geoffrey|gray|le Roy|dice \d \d|Palace|Bishopric|City Hall|lying|"
    r"Circled of|Cathedrals count|influence|deniers|knowledge|(Le Roy's d|D)ice|Next half day|The black die attacks.*|Plaza|)$"
)
"""Rows that a short text leaves out, such as levels without a cube, or tells in one line; and rows of other names."""


@pytest.mark.parametrize("name", ["all of the Ladies, 3 players", "dice, 3 players", "solo"])
def test_text_and_page_mark_the_same(name: str, tmp_path: Path) -> None:
    kind, players, options = GAMES[name]
    hall, _, _ = play(tmp_path, kind, players, options, letters=40)
    found = 0
    for got in hall.mails():
        told = {re.split(r"[:;(,]| \d", line)[0].strip() for line in re.findall(r"^\*(\S.*)", got.text, re.MULTILINE)}
        both = [{one for one in names if not TOLD_SHORTER.match(one)} for names in (told, marked_names(page_of(got.message)))]
        assert both[0] == both[1], got.name
        found += len(both[0])
    assert found > 5
