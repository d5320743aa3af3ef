"""`undo`: what it takes back, what it cannot, and who hears of it."""

from __future__ import annotations

import pytest

from pbem.desk.core.undo import replay_records
from pbem.store.commit_record import read_records
from tests.desk.room import Room
from tests.fakegame import GAME


def test_undo_takes_back_the_last_orders_and_asks_again(room: Room) -> None:
    room.send("anna", "spend 1\nadd 2")
    handled = room.send("anna", "undo")
    state = room.state()
    assert (handled.outcome, state.counter, state.points["anna"], state.turn) == ("played", 0, 3, "anna")


def test_undo_gives_numbers_above_all_that_were_given(room: Room) -> None:
    """Decision numbers keep rising: no token of the orders taken back fits again."""
    room.send("anna", "add 2")
    given = room.stored().table.decisions
    bobs = room.last("bob")
    room.send("anna", "undo")
    assert given < room.state().number
    assert room.send("bob", "add 1", to=bobs).outcome == "refused"
    room.send("anna", "add 3")
    assert room.state().counter == 3


def test_undo_tells_the_one_whose_turn_had_come(room: Room) -> None:
    """Everybody who was told of the orders and must know is mailed."""
    room.send("anna", "add 2")
    sent = room.sent_by("anna", "undo")
    assert {("anna", "receipt"), ("bob", "news")} == {(got.seat, got.kind) for got in sent}
    assert "took back" in next(got for got in sent if got.seat == "bob").text


def test_orders_taken_back_are_not_told_to_who_never_heard_of_them(trio: Room) -> None:
    """Cleo sits third: nobody has told her of Anna's first try."""
    trio.send("anna", "add 3")
    trio.send("anna", "undo")
    trio.send("anna", "add 1")
    trio.send("bob", "pass")
    text = trio.last("cleo").text
    assert "Anna added 1." in text
    assert "Anna added 3." not in text
    assert "took back" not in text


def test_undo_stops_at_a_commit_point(room: Room) -> None:
    """Something hidden was shown: the roll stands, what came after it goes."""
    room.send("anna", "roll\nspend 1\nadd 2")
    rolled = room.state().rolled or room.record().entries[0].data["number"]
    room.send("anna", "undo")
    state = room.state()
    assert (0, 3, rolled) == (state.counter, state.points["anna"], state.rolled)


def test_undo_after_a_roll_alone_is_refused(room: Room) -> None:
    room.send("anna", "roll")
    handled = room.send("anna", "undo")
    assert handled.outcome == "refused"
    assert "something hidden was shown" in room.last("anna").text


def test_undo_after_somebody_else_has_acted_is_refused(trio: Room) -> None:
    trio.send("anna", "add 1")
    trio.send("bob", "add 1")
    assert trio.send("anna", "undo").outcome == "refused"
    assert trio.state().counter == 2


def test_undo_of_two_letters_goes_back_one_after_the_other(room: Room) -> None:
    room.send("anna", "spend 1")
    room.send("anna", "add 2")
    room.send("anna", "undo")
    assert (room.state().points["anna"], room.state().counter) == (2, 0)
    room.send("anna", "undo")
    assert room.state().points["anna"] == 3
    assert room.send("anna", "undo").outcome == "refused"


def test_undo_takes_any_token_of_the_holder(room: Room) -> None:
    """Contract, «The token»: queries, talk and undo take any token issued to the seat's present holder."""
    old = room.last("anna")
    room.send("anna", "add 1")
    assert room.send("anna", "undo", to=old).outcome == "played"


def test_undo_and_other_orders_in_one_letter(room: Room) -> None:
    room.send("anna", "add 1")
    sent = room.sent_by("anna", "undo\nadd 3")
    assert room.state().counter == 3
    assert {("anna", "receipt"), ("bob", "turn")} == {(got.seat, got.kind) for got in sent}
    room.send("anna", "undo")
    assert (room.state().counter, room.state().turn) == (0, "anna")


def test_undo_is_not_done_when_a_line_after_it_is_refused(room: Room) -> None:
    room.send("anna", "add 1")
    assert room.send("anna", "undo\nadd 9").outcome == "refused"
    assert room.state().counter == 1


def test_undo_takes_back_a_sealed_answer_that_nobody_followed(room: Room) -> None:
    room.send("anna", "pass")
    room.send("bob", "pass")
    room.send("bob", "bid 3")
    assert room.send("bob", "undo").outcome == "played"
    assert room.state().bids == {}


def test_same_dice_return_after_an_undo(room: Room) -> None:
    """A draw depends on its purpose only: taking back and rolling later shifts nobody's luck."""
    room.send("anna", "spend 1")
    room.send("anna", "undo")
    room.send("anna", "roll")
    rolled = room.state().rolled
    other = Room(room.folder / "other")
    other.open()
    other.send("anna", "roll")
    assert other.state().rolled == rolled


def test_chronicle_with_undos_folds_to_the_position(trio: Room) -> None:
    """The record of an undo names the entry that still counts; folding everything gives the position."""
    for seat, text in (
        ("anna", "roll\nspend 1"),
        ("anna", "undo"),
        ("anna", "add 2"),
        ("anna", "undo\nspend 2"),
        ("anna", "add 1"),
        ("bob", "add 3"),
        ("bob", "undo"),
        ("bob", "pass"),
    ):
        assert trio.send(seat, text).outcome == "played", text
    assert trio.state() == replay_records(GAME, read_records(trio.store.open("tally-1")))
    assert trio.state().number > trio.stored().table.records - 4


@pytest.mark.parametrize(("letter", "said"), [("undo", "Taken back"), ("undo\nadd 2", "Played"), ("undo\nsay oh", "Taken back")])
def test_the_first_line_says_what_was_taken_back(room: Room, letter: str, said: str) -> None:
    room.send("anna", "add 1")
    sent = room.sent_by("anna", letter)
    assert sent[0].text.split("\n")[2] == f"{said}."
