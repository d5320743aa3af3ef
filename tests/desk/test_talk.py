"""Questions, talk and trials."""

from __future__ import annotations

import pytest

from engine.errors import NotAllowed
from engine.game import Seat
from engine.game import games
from pbem import commands
from pbem.commands.talk import message_of
from tests.desk.room import Room
from tests.fakegame import GAME


def test_no_command_word_means_two_things() -> None:
    """Orders: verbs and aliases are exact words, EN and FR together, and no word means two things."""
    assert commands.clashes((GAME, *games().values())) == ()


def test_every_command_is_in_the_help(room: Room) -> None:
    text = room.sent_by("anna", "help")[0].text
    assert all(command.usage in text for command in commands.COMMANDS)


@pytest.mark.parametrize(
    "line", ["status", "options", "history", "history 3", "help", "help undo", "card counter", "board"]
)
def test_question_changes_nothing(room: Room, line: str) -> None:
    before = room.state()
    sent = room.sent_by("anna", line)
    assert [(got.seat, got.kind) for got in sent] == [("anna", "answer")]
    assert before == room.state()


def test_questions_take_any_token(room: Room) -> None:
    old = room.last("anna")
    room.send("anna", "roll")
    assert room.send("anna", "status", to=old).outcome == "answered"


def test_question_beside_orders_is_answered_in_the_receipt(room: Room) -> None:
    sent = room.sent_by("anna", "card counter\nadd 1")
    assert sent[0].kind == "receipt"
    assert "It goes up." in sent[0].text
    assert room.state().counter == 1


def test_unknown_card_is_refused(room: Room) -> None:
    assert room.send("anna", "card unicorn").outcome == "refused"


def test_history_shows_what_happened(empty: Room) -> None:
    empty.open(3)
    empty.send("anna", "add 2")
    empty.send("bob", "add 3")
    text = empty.sent_by("anna", "history")[0].text
    assert text.index("Anna added 2.") < text.index("Bob added 3.")


def test_board_carries_no_token_and_no_other_mail(room: Room) -> None:
    """Contract, «Private»: a public view without token or options."""
    token = room.last("anna").reply_to.split("+")[1].split("@")[0]
    got = room.sent_by("anna", "board")[0]
    key = token.split(".")[2].encode()
    assert key not in got.raw
    assert b"References" not in got.raw
    assert "[1]" not in got.text


def test_board_stands_alone(room: Room) -> None:
    assert room.send("anna", "board\nadd 1").outcome == "refused"
    assert room.send("anna", "status\nboard").outcome == "refused"
    assert room.state().counter == 0


def test_say_is_relayed_to_everybody_else_on_one_line(empty: Room) -> None:
    empty.open(3)
    sent = empty.sent_by("bob", "say Hello \u202eworld\u0007, «add 3»")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "news"), ("bob", "receipt"), ("cleo", "news")]
    assert "Hello world, «add 3»" in sent[0].text
    assert "\u202e" not in sent[0].text


def test_say_comes_with_the_turn_in_one_mail(room: Room) -> None:
    """One letter in causes at most one mail per person."""
    sent = room.sent_by("anna", "say your turn\nadd 1")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt"), ("bob", "turn")]
    assert "your turn" in sent[1].text


def test_tell_reaches_one_seat_and_stays_secret_in_the_record(empty: Room) -> None:
    empty.open(3)
    sent = empty.sent_by("anna", "tell Cleo: marmalade")
    assert {"anna", "cleo"} == {got.seat for got in sent}
    repo = empty.store.open("tally-1")
    number = empty.stored().table.records
    assert b"marmalade" not in repo.read(f"chronicle/0000/{number:06}.toml")
    assert "marmalade" in str(empty.record().private)
    assert "marmalade" not in empty.subjects()[0]


def test_say_keeps_accents_and_case(room: Room) -> None:
    sent = room.sent_by("anna", "say À bientôt, Été “quoted”")
    assert "À bientôt, Été “quoted”" in sent[1].text


def test_message_over_a_thousand_characters_is_refused() -> None:
    """Contract, «Private»: 1,000 characters at most, counted as they are relayed."""
    say = commands.command_of("say x")
    assert say is not None
    names = {Seat("anna"): "Anna", Seat("bob"): "Bob"}
    assert len(message_of(say[0], "x" * 1000, names, Seat("anna")).text) == 1000
    with pytest.raises(NotAllowed, match="this one has"):
        message_of(say[0], "x" * 1001, names, Seat("anna"))


def test_message_is_not_sent_when_its_letter_is_refused(room: Room) -> None:
    sent = room.sent_by("anna", "say hello\nadd 9")
    assert [got.seat for got in sent] == ["anna"]


def test_tell_to_nobody_is_refused(room: Room) -> None:
    assert room.send("anna", "tell zoe: hello").outcome == "refused"


def test_try_plays_nothing(room: Room) -> None:
    sent = room.sent_by("anna", "try spend 1\ntry add 2")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "trial")]
    assert "NOT PLAYED" in str(sent[0].message["Subject"])
    assert "Anna added 2." in sent[0].text
    assert (room.state().counter, room.state().points["anna"]) == (0, 3)


def test_everything_after_try_is_tried(room: Room) -> None:
    room.send("anna", "try\nspend 1\nadd 2")
    assert (room.state().counter, room.state().points["anna"]) == (0, 3)


def test_try_never_shows_a_die(room: Room) -> None:
    """A trial ends where something would be shown; no number is drawn at all."""
    text = room.sent_by("anna", "try spend 1\ntry roll\ntry add 1")[0].text
    assert "rolled" not in text
    assert "Anna spent 1." in text
    assert "nobody knows before it is played" in text
    assert "Anna added 1." not in text


def test_try_of_the_last_sealed_answer_shows_no_other(room: Room) -> None:
    for seat, line in (("anna", "pass"), ("bob", "pass"), ("bob", "bid 3")):
        room.send(seat, line)
    text = room.sent_by("anna", "try bid 1")[0].text
    assert "The bids" not in text
    assert room.state().bids == {"bob": 3}


def test_try_after_played_orders_is_refused(room: Room) -> None:
    assert room.send("anna", "spend 1\ntry add 1").outcome == "refused"
    assert room.state().points["anna"] == 3


def test_try_shows_the_refusal_of_the_rules(room: Room) -> None:
    text = room.sent_by("anna", "try add 9")[0].text
    assert "Add 1 to 3, not 9." in text
