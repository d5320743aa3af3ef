"""Letters that lay at our server before the clock played for their writers."""

from __future__ import annotations

from email.utils import format_datetime
from pathlib import Path

import pytest

from pbem.desk.undo import replay
from pbem.store.record import records
from tests.clocks.table import HOUR, Clocked, received
from tests.fakegame import GAME


def test_a_letter_that_lay_at_our_server_in_time_counts(room: Clocked) -> None:
    """It was read after the clock had played: that is taken back, and the letter is played."""
    room.wait(100, until=lambda: room.state().turn == "bob")
    asked = next(got for got in room.mails("anna") if got.kind == "reminder")
    before = len(room.mails())
    room.send("anna", "add 2", to=asked, fields=received(room.time - HOUR))
    state = room.state()
    assert (2, "bob") == (state.counter, state.turn)
    sent = room.mails()[before:]
    assert {"anna", "bob"} == {got.seat for got in sent}
    told = "The answer of Anna had come in time: what the clock had played is taken back."
    assert told in room.last("bob").text.replace("\n", " ")
    assert not room.defaults("anna")
    found = list(records(room.store.open("tally-1")))
    assert GAME.dump(state) == GAME.dump(replay(GAME, found))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("vote hold", "Anna asks for the game to be held (1 of 2)."),
        ("away 24 dec to 6 jan", "Anna is away from"),
        ("resign", "Anna has left the game"),
        ("hint", "Anna has asked for a hint."),
    ],
)
def test_what_else_such_a_letter_does_is_told_as_well(tmp_path: Path, line: str, told: str) -> None:
    room = Clocked(tmp_path)
    room.seated(hints="yes")
    room.wait(100, until=lambda: room.state().turn == "bob")
    asked = next(got for got in room.mails("anna") if got.kind == "reminder")
    room.send("anna", f"add 2\n{line}", to=asked, fields=received(room.time - HOUR))
    assert room.state().counter == 2
    heard = room.last("bob").text.replace("\n", " ")
    assert "The answer of Anna had come in time: what the clock had played is taken back." in heard
    assert told in heard


@pytest.mark.parametrize("how", ["late", "acted", "written"])
def test_a_letter_that_came_too_late_does_not(room: Clocked, how: str) -> None:
    """After the end; or somebody has acted since; or only its writer says that it was written in time."""
    room.wait(100, until=lambda: room.state().turn == "bob")
    asked = next(got for got in room.mails("anna") if got.kind == "reminder")
    fields = received(room.time - HOUR)
    if how == "acted":
        room.says("bob", "add 1")
    if how == "late":
        fields = received(room.time)
    if how == "written":
        fields = {"Date": format_datetime(room.time - HOUR)}
    before = room.state().counter
    room.send("anna", "add 2", to=asked, fields=fields)
    assert before == room.state().counter
    assert "NOT PLAYED" in room.last("anna").text
