"""Answers to letters stay short: refusals of every shape, and the small words of a player's own side."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.kit import console
from pbem.inbound.body_text import unflow
from tests.desk.room import Got
from tests.whole.room import Hall

LINES = 25
LETTERS = (
    "settle palce 6",
    "farm Y6",
    "hello there\nwhat a game\nhow are you all\n" + "\n".join(f"it rained on day {n}th" for n in range(20)),
    "\n".join(["say hello"] * 14 + ["settel palace 6"]),
    "\n".join(["say hello"] * 14 + ["farm Y6", "yellow 9: cathedral"]),
    "say hello\nsay again\nfarmm Y1",
    "99",
    "card nonsense",
)


def lines_of(got: Got) -> list[str]:
    """The logical lines of a text part that hold something."""
    body = got.message.get_body(("plain",))
    assert body is not None
    return [line for line in unflow(str(body.get_content()).splitlines()) if line.strip()]


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_refusal_has_few_lines_and_its_nearest_orders_stand_above_the_list(tmp_path: Path, kind: str) -> None:
    hall = Hall(tmp_path, kind)
    hall.seat_all(3, first="Anna") if kind == "troyes" else hall.seat_all(3)
    for letter in LETTERS:
        assert "refused" == hall.send("anna", letter).outcome, letter
        got = hall.last("anna")
        assert len(lines_of(got)) <= LINES, (letter, got.text)
        assert "Possible: answer" not in got.text


def test_the_nearest_orders_begin_the_count_that_the_list_goes_on_with(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(3, first="Anna")
    hall.send("anna", "settle palce 6")
    got = hall.last("anna")
    near, _, rest = got.text.partition("Nearest to what you wrote:\n")[2].partition("\n\n")
    assert ["[1]", "[2]", "[3]"] == [line.split()[0] for line in near.splitlines()]
    assert rest.index("You: ") < rest.index("[4] ") and "[1]" not in rest
    page = str(got.message.get_body(("html",)).get_content())
    assert page.index("[1]") < page.index("<h2", page.index("[1]")) < page.index("[4]")
    assert "played" == hall.send("anna", "1").outcome
    assert "Done: «settle palace 6»" in hall.last("anna").text


def test_my_side_has_no_gap_where_no_dice_are(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(3, first="Anna")
    assert "\nYours: 5 deniers, " in hall.last("anna").text


def test_one_is_not_told_as_many() -> None:
    assert ["1 letter", "2 letters"] == [console.count_text(n, "letter") for n in (1, 2)]
