"""What has changed on the board since the last mail is marked, in words and drawn; what has not is not."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.outbound.changed import lines, page
from tests.parts import page_of
from tests.whole.pages import faults
from tests.whole.room import Hall

TABLE = (
    '<table><caption>Square</caption><tr><th scope="row">Anna<div>{anna}</div></th><td>Y1</td></tr>'
    '<tr><th scope="row">Bob<div>3</div></th><td class="done" style="x">{bob}</td></tr></table>'
)


def test_lines_that_are_new_are_marked_and_headings_are_not() -> None:
    before = "EVENTS\nWar; 3 free\nDrought; 4 free\n\nLevel 1: free"
    now = "EVENTS\nWar; 2 free\nDrought; 4 free\n\nLevel 1: free"
    assert lines(now, before) == now.replace("War", "*War")
    assert lines(before, before) == before


def test_where_all_is_new_nothing_is_marked() -> None:
    now = "THE DICE\nPlaza 1: red 2\nPlaza 2: red 3"
    assert lines(now, "THE DICE\nPlaza 1: white 2\nPlaza 2: white 3") == now


def test_a_cell_that_is_new_is_marked_in_the_row_of_its_name() -> None:
    old, new = TABLE.format(anna=1, bob="R1"), TABLE.format(anna=1, bob="R2")
    marked = page(new, old)
    assert re.findall(r"<td[^>]*>\* R2", marked) != []
    assert marked.count("fresh") == 1
    assert 'class="done fresh"' in marked
    assert page(old, old) == old


def test_a_row_that_is_new_has_one_mark_and_a_head_only_where_it_has_changed() -> None:
    old = TABLE.format(anna=1, bob="R1").replace("<tr>", '<tr><th scope="col">From Anna on</th><th scope="col">Dice</th></tr><tr>', 1)
    row = '<tr><th scope="row">Cleo<div>2</div></th><td>R4</td><td>W2</td></tr></table>'
    new = old.replace("From Anna", "From Bob").replace("</table>", row)
    marked = page(new, old)
    assert re.findall(r">\* ([A-Za-z ]+)", marked) == ["From Bob on", "Cleo"]
    assert marked.count("fresh") == 4


def test_a_mark_keeps_the_look_of_the_cell_it_stands_in() -> None:
    """Wherever its class stands in the tag; a second one would be passed over, and the page no longer valid."""
    old = TABLE.format(anna=1, bob="R1")
    row = '<tr><th scope="row" class="bar-r" style="x">War</th><td title="War" class="done">1</td></tr></table>'
    tags = re.findall(r"<t[hd][^>]*>", page(old.replace("</table>", row), old))[-2:]
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
