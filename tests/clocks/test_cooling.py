"""A table may leave some minutes in which the next player is not mailed and a second letter replaces the first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from tests.clocks.table import HOUR, Clocked

MINUTE = HOUR / 60


@pytest.fixture
def host(tmp_path: Path) -> Clocked:
    made = Clocked(tmp_path)
    made.seated(2, "none", cooling="10")
    return made


def test_the_next_player_is_mailed_some_minutes_later(host: Clocked) -> None:
    before = len(host.mails("bob"))
    assert "For 10 minutes the others are not mailed yet" in host.says("anna", "add 2\nsay Your turn")
    host.wait(9 / 60)
    assert len(host.mails("bob")) == before
    host.wait(2 / 60)
    (mail,) = host.mails("bob")[before:]
    assert mail.kind == "turn"
    assert "Anna says: «Your turn»" in mail.text
    host.wait(3)
    assert len(host.mails("bob")) == before + 1


@pytest.mark.parametrize("words", ["add 1", "number"])
def test_a_second_answer_to_the_same_mail_replaces_the_first(host: Clocked, words: str) -> None:
    if words == "number":
        words = str([offer.text for offer in host.rules.offers(host.state(), Seat("anna"))].index("add 1") + 1)
    asked, before = host.last("anna"), len(host.mails("bob"))
    host.send("anna", "add 3", to=asked)
    host.send("anna", words, to=asked)
    assert "This takes the place of what you wrote before." in host.last("anna").text
    assert host.state().counter == 1
    host.wait(1)
    (mail,) = host.mails("bob")[before:]
    assert "Anna added 1." in mail.text
    assert "added 3" not in mail.text
    assert "took back" not in mail.text
    host.send("bob", "add 1")
    assert host.state().counter == 2


def test_an_answer_to_the_receipt_replaces_as_well_and_another_one_again(host: Clocked) -> None:
    for number in (3, 2, 1):
        host.send("anna", f"add {number}")
        assert host.state().counter == number
    assert host.state().turn == "bob"


def test_what_cannot_be_read_leaves_the_first_as_it_stands(host: Clocked) -> None:
    asked = host.last("anna")
    host.send("anna", "add 3", to=asked)
    host.send("anna", "add 9", to=asked)
    assert "NOT PLAYED" in host.last("anna").text
    assert host.state().counter == 3
    host.send("anna", "add 3", to=asked)
    assert "Already played" in host.last("anna").text


def test_after_those_minutes_or_where_the_next_has_acted_nothing_is_replaced(host: Clocked) -> None:
    asked = host.last("anna")
    host.send("anna", "add 3", to=asked)
    host.wait(11 / 60)
    host.send("anna", "add 1", to=asked)
    assert "NOT PLAYED" in host.last("anna").text
    assert host.state().counter == 3
    host.send("bob", "pass")
    assert host.state().phase == "bid"


def test_who_asks_of_themselves_may_act_at_once_and_then_nothing_is_replaced(host: Clocked) -> None:
    asked, bobs = host.last("anna"), host.last("bob")
    host.send("anna", "add 3", to=asked)
    host.send("bob", "status", to=bobs)
    host.send("bob", "add 1")
    host.send("anna", "add 1", to=asked)
    assert host.state().counter == 4
    before = len(host.mails("bob"))
    host.wait(1)
    assert [got.kind for got in host.mails("bob")[before:]] == []


def test_what_has_shown_something_asks_the_next_at_once(host: Clocked) -> None:
    before = len(host.mails("bob"))
    host.send("anna", "roll\nadd 1")
    host.send("bob", "pass") if host.mails("bob")[before:] else host.wait(11 / 60)
    assert len(host.mails("bob")) > before


def test_what_was_taken_back_is_told_nobody(host: Clocked) -> None:
    before = len(host.mails("bob"))
    host.send("anna", "add 3")
    host.send("anna", "undo")
    host.wait(1)
    assert len(host.mails("bob")) == before
    assert not host.stored().secrets.held
    host.send("anna", "add 1")
    host.wait(1)
    assert [got.kind for got in host.mails("bob")[before:]] == ["turn"]


def test_a_kill_meanwhile_loses_nothing_and_sends_nothing_twice(host: Clocked) -> None:
    before = len(host.mails("bob"))
    host.send("anna", "add 3")
    host.restart()
    host.wait(1)
    host.restart()
    host.wait(1)
    assert [got.kind for got in host.mails("bob")[before:]] == ["turn"]
    assert host.row("bob")["told"] == host.stored().table.entries


def test_without_it_nothing_waits(tmp_path: Path) -> None:
    host = Clocked(tmp_path)
    host.seated(2, "none")
    before = len(host.mails("bob"))
    host.send("anna", "add 3")
    assert len(host.mails("bob")) == before + 1


def position(host: Clocked) -> Any:
    """Of the table of Troyes."""
    stored = host.stored("troyes-1")
    return host.rules.load(stored.game, stored.hidden)


@pytest.fixture
def troyes(tmp_path: Path) -> Clocked:
    made = Clocked(tmp_path)
    made.seated(3, "none", kind="troyes", cooling="10")
    return made


def test_what_takes_the_place_of_another_answer_tells_those_who_have_said_something_since(troyes: Clocked) -> None:
    """As `undo` does: what was said against the first answer is gone, and what was taken back does not come back."""
    seat = Seat(position(troyes).asked[0].seat)
    owner, asked = position(troyes).after(seat), troyes.last(seat)
    troyes.send(seat, "settle palace 6", to=asked)
    troyes.send(owner, "auto: counter, every round")
    third = position(troyes).after(owner)
    troyes.send(third, "auto: place palace 5, palace 4")
    troyes.send(seat, "settle palace 1", to=asked)
    assert "This takes the place of what you wrote before." in troyes.last(seat).text
    assert {} == position(troyes).plans == position(troyes).wishes
    troyes.wait(1)
    for one in (owner, third):
        told = [" ".join(got.text.split()) for got in troyes.mails(one)]
        assert any("Orders were taken back, and with them what you have said for later since then" in text for text in told), one


def test_what_is_said_for_later_takes_nobody_s_place(troyes: Clocked) -> None:
    """Not even where it could have answered too: what was played stands, and it stands beside it."""
    seat = Seat(position(troyes).asked[0].seat)
    troyes.send(seat, "settle palace 6")
    troyes.send(seat, "auto: place palace 5, palace 4")
    state = position(troyes)
    assert seat == state.palace[5] and ["palace 5", "palace 4"] == state.wishes[seat]
