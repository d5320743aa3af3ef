"""Tables that keep time, letter by letter on a simulated clock: reminders, defaults, what all are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.undo import replay
from pbem.moderation import deeds
from pbem.store.record import records
from tests.clocks.table import HOUR, Clocked
from tests.fakegame import GAME


@pytest.fixture
def room(tmp_path: Path) -> Clocked:
    made = Clocked(tmp_path)
    made.seated()
    return made


def test_a_silent_seat_is_reminded_and_then_played_for(room: Clocked) -> None:
    """Half time, twelve and two hours before the end; the default at the end of grace, twelve hours after it."""
    begun = room.time
    sent = room.wait(100, until=lambda: room.state().turn == "bob")
    assert [("anna", "reminder")] * 3 + [("anna", "news"), ("bob", "turn")] == room.kinds(sent)
    assert begun + 60 * HOUR <= room.time < begun + 61 * HOUR
    for got in sent[:3]:
        text = got.text.replace("\n", " ")
        assert "This is a reminder: an answer of yours is still awaited." in text
        assert "Would be done: «pass»" in text
        assert "This is played for you if no answer of yours has come by Thursday 26 November, 21:00 (UTC)." in text
        assert "Please answer by Thursday 26 November, 09:00 (UTC)." in text
        assert "[1] " in text
    for got in sent[3:]:
        assert "«pass» was played for Anna, who did not answer in time." in got.text.replace("\n", " ")
    assert room.subjects()[0] == "«pass» was played for Anna, who did not answer in time."


def test_what_is_folded_is_what_is_stored(room: Clocked) -> None:
    """A default is recorded as an order given by the clock: facts, not inputs."""
    room.wait(24 * 30, until=lambda: room.stored().table.status == "ended")
    assert "ended" == room.stored().table.status
    found = list(records(room.store.open("tally-1")))
    assert {"anna", "bob"} == {record.seat for record in found if record.what == "default"}
    assert GAME.dump(room.state()) == GAME.dump(replay(GAME, found))


def test_an_answer_ends_it(room: Clocked) -> None:
    """Whoever has answered is not reminded; the next one's clock starts with their own mail."""
    room.wait(30)
    room.says("anna", "add 1")
    bobs = room.time
    sent = room.wait(100, until=lambda: room.state().phase == "bid")
    assert {"bob"} == {got.seat for got in sent if got.kind == "reminder"}
    assert bobs + 60 * HOUR <= room.time


def test_a_table_without_a_pace_is_as_it_was(tmp_path: Path) -> None:
    """`none` is what running games keep: nothing is ever due, and no mail names a time."""
    room = Clocked(tmp_path)
    room.seated(pace="none")
    assert [] == room.wait(24 * 365)
    assert not any("Please answer by" in got.text for got in room.mails())
    state = room.store.open("tally-1").read("state.toml").decode()
    assert "pace" not in state
    assert "clock" not in state


def test_the_clock_starts_when_the_server_has_taken_the_mail(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.mails_go = False
    room.seated()
    assert [] == room.wait(24 * 7)
    room.mails_go = True
    room.well = room.time
    taken = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert taken + 60 * HOUR <= room.time


def test_no_default_before_a_reminder_with_it_was_delivered(room: Clocked) -> None:
    """Reminders that the server does not take are none: nothing is played, however late it is."""
    room.wait(20)
    room.mails_go = False
    room.wait(24 * 7)
    assert "anna" == room.state().turn
    room.mails_go = True
    back = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= back + 12 * HOUR


def test_one_sealed_reminder_tells_nothing_of_the_others(tmp_path: Path) -> None:
    """A deadline for each seat that has not answered, in a simultaneous decision, too."""
    room = Clocked(tmp_path)
    room.seated(3)
    for seat in ("anna", "bob", "cleo"):
        room.says(seat, "pass")
    room.says("bob", "bid 1")
    sent = room.wait(100, until=lambda: room.state().round == 2)
    assert {"anna", "cleo"} == {got.seat for got in sent if got.kind == "reminder"}
    for got in sent:
        if got.kind == "reminder":
            text = got.text.replace("\n", " ")
            assert "1 of 3 has answered, since Tuesday 24 November." in text
            assert "«bid 0»" in text
    told = [got.text.replace("\n", " ") for got in sent if got.kind == "turn"]
    assert told
    assert all("was sealed for somebody who did not answer in time" in text for text in told)


@pytest.mark.parametrize(("late", "what"), [("wait", "anna"), ("computer", "bob")])
def test_what_is_done_for_who_is_late_is_the_tables(tmp_path: Path, late: str, what: str) -> None:
    room = Clocked(tmp_path)
    room.seated(late=late)
    sent = room.wait(72)
    assert what == room.state().turn
    told = [got for got in sent if got.seat == "gm"]
    if late == "wait":
        assert 1 == len(told)
        assert "Anna has not answered in time" in told[0].text.replace("\n", " ")
        assert "the moderator is told" in sent[0].text.replace("\n", " ")
        assert [] == [got for got in room.wait(24 * 9) if got.seat == "gm"]
    else:
        assert not told
        assert "was played for Anna" in room.last("bob").text.replace("\n", " ")


def _others(room: Clocked) -> None:
    """Bob answers whatever he is asked."""
    if any(one.seat == "bob" for one in GAME.waiting(room.state())):
        room.says("bob", "bid 0" if room.state().phase == "bid" else "pass")


def test_three_defaults_in_a_row_are_told_to_the_moderator(room: Clocked) -> None:
    """The seat is to be offered to somebody else; a letter of its holder begins the count anew."""
    for turned in (1, 2, 3):
        room.wait(24 * 20, until=lambda want=turned: room.row("anna").get("defaults", 0) == want)
        told = [got.text.replace("\n", " ") for got in room.mails("gm")]
        assert (turned == 3) == any("Anna has not answered 3 times in a row" in text for text in told)
        _others(room)
    assert "gm replace anna" in told[-1]
    room.says("anna", "pass" if room.state().phase == "turn" else "bid 0")
    assert "defaults" not in room.row("anna")


def test_a_held_game_says_so_once_a_week(room: Clocked) -> None:
    room.desk.change("tally-1", "hold", deeds.hold("we are on holiday"))
    sent = room.wait(24 * 15)
    assert [("anna", "news"), ("bob", "news")] * 2 == room.kinds(sent)
    assert "The game is still held" in sent[0].text.replace("\n", " ")
    assert "clock" not in room.row("anna")
    room.desk.change("tally-1", "resume", deeds.resume("back"))
    room.deliver()
    begun = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + 60 * HOUR
