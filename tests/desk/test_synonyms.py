"""Letters in plain words: what one number does of what was asked back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pbem.clocks.dates import period
from tests.whole.room import Hall


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A table of two, whose first seat is asked."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    return hall


def test_a_wish_that_is_not_sure_is_done_by_one_number(hall: Hall) -> None:
    """Leaving is always asked back."""
    seat = str(hall.asked())
    asked = hall.sent_by(seat, "I want to leave the game")
    assert [got.seat for got in asked] == [seat]
    assert "[1] resign · you leave the game" in asked[0].text
    assert hall.stored(hall.table).table.seat(seat).by == "person"
    hall.send(seat, "1")
    assert hall.stored(hall.table).table.seat(seat).by == "computer"


def test_a_person_away_need_not_write_otherwise(hall: Hall) -> None:
    """What an automatic note would say, too, is done by one number, which no program answers."""
    seat = str(hall.asked())
    note = hall.sent_by(seat, "I am away from 24 to 30 December")[0]
    text = " ".join(note.text.split())
    assert "automatic note" in text
    assert "[1] away from 24 to 30 December" in text
    assert not hall.stored(hall.table).table.seat(seat).away
    hall.send(seat, "1")
    assert len(hall.stored(hall.table).table.seat(seat).away) == 1


def test_several_questions_are_answered_together(hall: Hall) -> None:
    """A question a line, with courtesy around them."""
    mail = hall.sent_by(str(hall.asked()), "Hi,\nwhat does the hermit do?\nand how does hiring work?\nThanks!\nAnna")[0]
    assert "HERMIT" in mail.text
    assert "ACTIVATING A CARD" in mail.text


def test_a_choice_beside_a_question_is_not_dropped(hall: Hall) -> None:
    """It is asked back first, so that nobody believes that it was played."""
    seat = str(hall.asked())
    text = hall.sent_by(seat, "What's left? ok, 2")[0].text
    asked = next(line for line in text.splitlines() if line.startswith("[1]"))
    listed = next(line for line in hall.sent_by(seat, "options")[0].text.splitlines() if line.startswith("[2]"))
    both = (asked.removeprefix("[1] "), listed.removeprefix("[2] "))
    assert 1 == len({hall.rules.read(hall.position(), seat, line.split(" · ")[0]).text for line in both})


def test_what_is_going_to_be_said_is_not_said(hall: Hall) -> None:
    """It is asked back, and one number says it."""
    seat = str(hall.asked())
    other = next(name for name in ("anna", "faye") if name != seat)
    assert [got.seat for got in hall.sent_by(seat, f"I will tell {other} nice move when I see her")] == [seat]
    assert "nice move when I see her" not in hall.last(other).text
    hall.send(seat, f"tell {other}: I will tell you nice move")
    assert "I will tell you nice move" in hall.last(other).text


def test_a_question_of_which_nothing_is_known_shows_ways(hall: Hall) -> None:
    """The table may be meant; nothing is done."""
    text = hall.sent_by(str(hall.asked()), "is it raining where you are?")[0].text
    assert "[1] status" in text
    assert "[3] help" in text


def test_days_of_the_week_and_spans_are_dates() -> None:
    """From a Saturday on."""
    today = date(2026, 11, 21)
    assert period("monday to friday", today) == (date(2026, 11, 23), date(2026, 11, 27))
    assert period("jusqu'à lundi", today) == (today, date(2026, 11, 23))
    assert period("pendant 10 jours", today) == (today, date(2026, 11, 30))


def test_words_for_all_but_one_are_asked_back(tmp_path: Path) -> None:
    """Whoever is not to hear them is offered nowhere but for all; one number says them."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    seat = str(hall.asked())
    left, out = [name for name in ("anna", "faye", "geoffrey") if name != seat]
    for words in (f"tell all but {out} let us attack", f"say all except {out}: let us attack"):
        assert [got.seat for got in hall.sent_by(seat, words)] == [seat]
        assert f"[1] tell {left}: let us attack" in hall.last(seat).text
    hall.send(seat, "1")
    assert "let us attack" in hall.last(left).text
    assert "let us attack" not in hall.last(out).text


def test_a_long_text_is_no_question(hall: Hall) -> None:
    """Lines that a program broke are one sentence; no sentence is so long, and nobody looks for wishes in it."""
    seat = str(hall.asked())
    lines = ["what does the hermit do about the people of the other towns now and"] * 12
    assert "«what» begins no order" in hall.sent_by(seat, "\n".join(lines))[0].text


def test_what_is_refused_is_not_proposed_again(tmp_path: Path) -> None:
    """Nor is a word that could not be carried out called one that may be talk."""
    alone = Hall(tmp_path)
    alone.seat_all(1)
    seat = alone.asked() or ""
    alone.send(seat, "undo")
    text = alone.last(seat).text
    assert "There is nothing that you can take back" in text
    assert "[1] undo" not in text
    assert "as talk" not in text


def test_a_seat_taken_back_is_not_given_up(hall: Hall) -> None:
    seat = hall.asked() or ""
    hall.send(seat, "Here I am again! The computer has played in my place long enough, I'm taking my seat back.")
    text = hall.last(seat).text
    assert "[1] back" in text
    assert "resign" not in text
