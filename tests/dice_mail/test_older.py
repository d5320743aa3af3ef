"""Sealed answers and late letters: an older one never takes a newer one's place; and no Message-ID tells who answered."""

from __future__ import annotations

import re
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.dice.games import GAME
from tests.dice_mail.table import finish, offered, seated
from tests.whole.room import Hall


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """Three at the first half day."""
    return seated(tmp_path / "host")


def kept(hall: Hall) -> object:
    return GAME.dump(hall.position())


def test_an_older_letter_does_not_displace_a_newer_answer(hall: Hall) -> None:
    """Held up by greylisting on its way, it comes after the letter that changed the answer."""
    asked = hall.last("anna")
    slow = hall.write("anna", "1", to=asked)
    hall.time += timedelta(minutes=1)
    hall.send("anna", "3", to=asked)
    stands = kept(hall)
    assert "refused" == hall.post(slow).outcome
    assert stands == kept(hall)
    got = hall.last("anna")
    assert "what you wrote last stands" in got.text
    assert offered(hall, "anna")[2] in got.text.partition("ONLY FOR YOU")[2]
    # Asked back: the same words in answer to this mail are newer.
    assert "played" == hall.send("anna", "1").outcome
    assert stands != kept(hall)


def test_an_older_undo_takes_no_newer_answer_back(hall: Hall) -> None:
    asked = hall.last("anna")
    hall.send("anna", "1", to=asked)
    slow = hall.write("anna", "undo", to=asked)
    hall.time += timedelta(minutes=1)
    hall.send("anna", "2", to=asked)
    stands = kept(hall)
    assert "refused" == hall.post(slow).outcome
    assert stands == kept(hall)


def test_an_older_answer_does_not_come_back_after_undo(hall: Hall) -> None:
    asked = hall.last("anna")
    slow = hall.write("anna", "1", to=asked)
    hall.time += timedelta(minutes=1)
    hall.send("anna", "2", to=asked)
    hall.send("anna", "undo", to=asked)
    stands = kept(hall)
    assert "refused" == hall.post(slow).outcome
    assert stands == kept(hall)


@pytest.mark.parametrize("date", ["", "yesterday", "same"])
def test_in_doubt_it_is_asked_back(hall: Hall, date: str) -> None:
    """Without a Date that can be read, or with the same one, nobody knows which letter is newer."""
    asked, now = hall.last("anna"), format_datetime(hall.time)
    hall.send("anna", "1", to=asked)
    stands = kept(hall)
    fields = {"Date": now if date == "same" else date}
    assert "refused" == hall.send("anna", "3", to=asked, fields=fields).outcome
    assert stands == kept(hall)
    # The answer to the receipt is surely newer.
    assert "played" == hall.send("anna", "3", fields={"Date": ""}).outcome


def test_a_newer_letter_on_the_same_mail_changes_the_answer(hall: Hall) -> None:
    asked = hall.last("anna")
    for line in ("1", "3", "2"):
        assert "played" == hall.send("anna", line, to=asked).outcome
    assert offered(hall, "anna")[1] in hall.last("anna").text


def test_the_answer_that_stood_is_told_as_played_when_it_comes_again(hall: Hall) -> None:
    """After the half day: «already played» for what counted, «too late» for what was replaced."""
    asked = hall.last("anna")
    hall.send("anna", "1", to=asked)
    hall.send("anna", "2", to=asked)
    finish(hall)
    before = kept(hall)
    hall.send("anna", "2", to=asked)
    assert "Already played; nothing was done again." in hall.last("anna").text
    hall.send("anna", "1", to=asked)
    assert "has gone on" in hall.last("anna").text
    assert before == kept(hall)


def test_a_mail_is_the_same_whoever_else_has_answered(tmp_path: Path) -> None:
    """Two tables that differ only in whether Faye has answered, asked, and slipped: Anna's mails, ids apart, are equal.

    Ids are of one shape and hold no number; there is one mail in both.
    """
    found = []
    for name, letters in (("quiet", ()), ("busy", ("1", "status", "nonsense", "2"))):
        hall = seated(tmp_path / name, options={"answers": "hidden"})
        hall.send("anna", "status", fields={"Message-ID": "<one@people.test>"})
        for text in letters:
            hall.send("faye", text)
        hall.time = hall.time.replace(hour=20, minute=0)
        before = len(hall.mails("anna"))
        hall.send("anna", "status", fields={"Message-ID": "<two@people.test>"})
        (got,) = hall.mails("anna")[before:]
        found.append(got.raw)
    ids = [re.findall(rb"<([a-z2-7]{32})@games", raw) for raw in found]
    assert len(ids[0]) == len(ids[1]) >= 2
    shapes = [re.sub(rb"<[a-z2-7]{32}@games", b"<id@games", raw) for raw in found]
    # What parts the parts is made of the id.
    shapes = [re.sub(rb"=_[0-9a-f]{32}", b"=_", shape) for shape in shapes]
    assert shapes[0] == shapes[1]
