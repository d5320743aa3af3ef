"""Letters that lay at our server before the clock played for their writers."""

from __future__ import annotations

from email.utils import format_datetime
from pathlib import Path

import pytest

from pbem.desk.core.undo import DEFAULT, replay_records
from pbem.store.commit_record import read_records
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
    found = list(read_records(room.store.open("tally-1")))
    assert GAME.dump(state) == GAME.dump(replay_records(GAME, found))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("vote hold", "Anna asks for the game to be held (1 of 2); «vote hold» agrees."),
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


def test_it_counts_whomever_else_the_clock_has_played_for_meanwhile(room: Clocked) -> None:
    """Who was played for after its writer is asked again, and no answer of the clock is counted against them."""
    room.wait(200, until=lambda: room.defaults("bob"))
    asked = next(got for got in room.mails("anna") if got.kind == "reminder")
    taken = next(one.at for one in read_records(room.store.open("tally-1")) if one.what == DEFAULT)
    before = len(room.mails())
    room.send("anna", "add 2", to=asked, fields=received(taken - HOUR))
    assert (2, "bob") == (room.state().counter, room.state().turn)
    assert "bob" in {got.seat for got in room.mails()[before:] if got.kind == "turn"}
    assert (0, 0) == (room.defaults("anna"), room.defaults("bob"))
    assert GAME.dump(room.state()) == GAME.dump(replay_records(GAME, read_records(room.store.open("tally-1"))))
    begun = room.time
    room.wait(200, until=lambda: room.defaults("bob"))
    assert begun + 60 * HOUR <= room.time


def test_it_counts_where_several_were_played_for_at_once(tmp_path: Path) -> None:
    """Answers that all give at once: the last of them showed what the clock had sealed, and nobody has acted since."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice")
    room.says("bob", "1")
    room.wait(100, until=lambda: room.defaults("anna") and room.defaults("cleo"))
    first = next(one for one in read_records(room.store.open(name)) if one.what == DEFAULT).private[DEFAULT]["seat"]
    asked = next(got for got in room.mails(first) if got.kind == "reminder")
    before = len(room.mails())
    room.send(first, "2", to=asked, fields=received(room.time - HOUR))
    assert "undo" == list(read_records(room.store.open(name)))[-1].what
    assert not room.defaults(first)
    other = next(one for one in ("anna", "cleo") if one != first)
    sent = {got.seat: got for got in room.mails()[before:]}
    assert "An answer had come in time" in " ".join(sent["bob"].text.split())
    assert "turn" == sent[other].kind


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
    told = " ".join(room.last("anna").text.split())
    assert "NOT PLAYED" in told
    assert (how == "acted") == ("had come before the clock played for you; but the game has gone on since" in told)
