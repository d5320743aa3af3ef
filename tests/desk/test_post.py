"""Who is mailed after a commit (contract, «Mail volume»)."""

from __future__ import annotations

import pytest

from engine.catalog import T
from engine.game import Decision, Seat
from pbem.desk.clock.delivery_policy import addressees
from pbem.outbound.mail import MailKind, Message
from tests.desk.room import Room

ANNA, BOB, CLEO = Seat("anna"), Seat("bob"), Seat("cleo")
SEATS = (ANNA, BOB, CLEO)


def asked(seat: Seat, number: int) -> Decision:
    return Decision(seat, "turn", number, T("?"))


RECEIPT = Message(kind=MailKind.RECEIPT, seat=ANNA)


def mailed(**asked: int) -> dict[Seat, int]:
    """The decision that each seat was mailed about last."""
    return {seat: asked.get(seat, 0) for seat in SEATS}


def test_writer_gets_the_answer_and_who_must_decide_a_turn() -> None:
    assert addressees(mailed(anna=1), (asked(BOB, 2),), RECEIPT) == {ANNA: MailKind.RECEIPT, BOB: MailKind.TURN}


def test_decision_that_was_mailed_is_not_mailed_again() -> None:
    """Others of a sealed decision keep waiting without a second mail."""
    found = addressees(mailed(bob=2, cleo=2), (asked(BOB, 2), asked(CLEO, 2)), RECEIPT)
    assert found == {ANNA: MailKind.RECEIPT}


def test_writer_who_is_asked_again_gets_one_mail() -> None:
    assert addressees(mailed(anna=1), (asked(ANNA, 2),), RECEIPT) == {ANNA: MailKind.RECEIPT}


def test_concerned_seats_get_news_unless_they_must_decide() -> None:
    found = addressees(mailed(bob=2), (asked(BOB, 3),), RECEIPT, concerned=(BOB, CLEO))
    assert found == {ANNA: MailKind.RECEIPT, BOB: MailKind.TURN, CLEO: MailKind.NEWS}


@pytest.mark.parametrize("kind", [MailKind.INVITATION, MailKind.WELCOME, MailKind.FINAL])
def test_end_and_beginning_concern_everybody(kind: MailKind) -> None:
    assert dict.fromkeys(SEATS, kind) == addressees(mailed(), (asked(BOB, 1),), RECEIPT, everybody=kind)


def test_nobody_else_is_mailed() -> None:
    assert addressees(mailed(bob=2), (asked(BOB, 2),)) == {}


def test_news_wait_for_the_next_mail(trio: Room) -> None:
    """Cleo hears of both turns before hers in one mail, and Anna of Bob's and Cleo's in her next."""
    trio.send("anna", "add 1")
    sent = trio.sent_by("bob", "add 2")
    assert {("bob", "receipt"), ("cleo", "turn")} == {(got.seat, got.kind) for got in sent}
    assert "Anna added 1." in sent[1].text
    assert "Bob added 2." in sent[1].text
    sent = trio.sent_by("cleo", "pass")
    anna = next(got for got in sent if got.seat == "anna")
    assert anna.kind == "turn"
    assert "Bob added 2." in anna.text
    assert "Anna added 1." not in anna.text


def test_sealed_answer_is_not_shown_before_all_are_in(room: Room) -> None:
    """Contract, «Private»: mails, commit messages and the state file show no sealed answer."""
    room.send("anna", "pass")
    room.send("bob", "pass")
    others = room.sent_by("bob", "bid 3")
    assert [got.seat for got in others] == ["bob"]
    assert "bid 3" not in room.sent_by("anna", "status")[0].text.split("[1]")[0]
    repo = room.store.open("tally-1")
    assert "bids" not in room.stored().game
    assert b"bid = 3" not in repo.read(f"chronicle/0000/{room.stored().table.records - 1:06}.toml")
    assert not any("3" in commit.subject for commit in repo.log())
    sent = room.sent_by("anna", "bid 1")
    assert "bob 3, anna 1" in sent[0].text


def test_mails_of_a_round_form_one_thread_per_seat(room: Room) -> None:
    first = room.last("anna").message
    receipt = room.sent_by("anna", "roll")[0].message
    assert str(first["Message-ID"]) in str(receipt["References"])
    assert str(receipt["In-Reply-To"]) == "<letter1@people.test>"


def test_commit_subject_says_what_happened(room: Room) -> None:
    room.send("anna", "spend 1\nadd 2")
    assert room.subjects()[0] == "Anna spent 1. Anna added 2."


def test_two_games_that_differ_in_secrets_send_the_same_mails(empty: Room) -> None:
    """Contract, «Private»: Bob's hidden answer differs; Anna's mails do not, by a byte."""
    seen = []
    for folder, bid in (("one", "0"), ("two", "3")):
        room = Room(empty.folder / folder)
        room.open(3)
        for seat, line in (("anna", "pass"), ("bob", "pass"), ("cleo", "pass"), ("bob", f"bid {bid}")):
            room.send(seat, line)
        lines = ("status", "options", "history", "try bid 2", "bid 7", "nonsense", "undo", "help", "say hi")
        for line in lines:
            room.send("anna", line)
        seen.append([got.raw for got in room.mails("anna")])
    assert len(seen[0]) == 12
    assert seen[0] == seen[1]
