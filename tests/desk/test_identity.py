"""Whose letter it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.store.errors import HandEdited
from tests.desk.room import OWN, Room


def test_unknown_sender_gets_nothing_whatever_token_the_letter_shows(room: Room) -> None:
    """Contract: From must be a registered address of the seat; whose key it is hears of it, the writer never."""
    sent = room.sent_by("anna", "add 1", sender="Anna <anna@elsewhere.test>")
    assert ["anna@people.test"] == [str(got.message["To"].addresses[0].addr_spec) for got in sent]
    assert room.state().counter == 0
    before = len(room.mails())
    fields = {"To": OWN, "In-Reply-To": ""}
    assert "silent" == room.send("anna", "add 1", sender="Anna <anna@elsewhere.test>", fields=fields).outcome
    assert before == len(room.mails())


def test_token_of_another_seat_is_refused_with_the_senders_own_position(room: Room) -> None:
    """Bad input, «wrong seat»: a clear refusal, to the registered address."""
    annas = room.last("anna")
    sent = room.sent_by("bob", "add 1", to=annas)
    assert [(got.seat, got.kind) for got in sent] == [("bob", "refusal")]
    assert "another seat" in sent[0].text
    assert room.state().counter == 0


def test_any_registered_alias_may_write_and_the_first_is_answered(room: Room) -> None:
    holder = room.people.holder("tally-1", "anna")
    room.people.change("tally-1", replace(holder, addresses=(*holder.addresses, "anna@work.test")))
    sent = room.sent_by("anna", "add 1", sender="anna@work.test")
    assert "anna@people.test" in str(sent[0].message["To"])
    assert room.state().counter == 1


def test_new_holder_ends_the_tokens_of_the_old_one(room: Room) -> None:
    old = room.last("anna")
    holder = room.people.holder("tally-1", "anna")
    room.people.change("tally-1", replace(holder, generation=2))
    handled = room.send("anna", "add 1", to=old)
    assert (handled.outcome, room.state().counter) == ("refused", 0)
    assert "not valid" in room.last("anna").text
    room.send("anna", "add 1")
    assert room.state().counter == 1


def test_letter_without_key_from_a_player_is_answered_with_a_key(room: Room) -> None:
    """Every letter from a known player gets exactly one answer; the newest token goes to the registered address."""
    fields = {"To": OWN, "In-Reply-To": "", "Subject": "my move"}
    sent = room.sent_by("anna", "add 1", fields=fields)
    assert [(got.seat, got.kind) for got in sent] == [("anna", "refusal")]
    assert room.state().counter == 0
    room.send("anna", "add 1")
    assert room.state().counter == 1


def test_token_is_read_from_the_subject_without_plus_addressing(tmp_path: Path) -> None:
    room = Room(tmp_path, plus=False)
    room.open()
    assert "+" not in room.last("anna").reply_to
    room.send("anna", "add 1", fields={"In-Reply-To": ""})
    assert room.state().counter == 1


@pytest.mark.parametrize(
    ("fields", "outcome", "says"),
    [
        pytest.param({"To": OWN}, "played", "", id="by In-Reply-To alone, where no plus address is kept"),
        pytest.param({"To": "{UPPER}", "In-Reply-To": ""}, "played", "", id="compared without case"),
        pytest.param({"References": "{first} {newest}"}, "played", "", id="older mails of the thread do no harm"),
        pytest.param({"To": "{new}, {old}", "In-Reply-To": ""}, "refused", "keys of different mails", id="two that disagree"),
        pytest.param({"To": "{forged}", "In-Reply-To": ""}, "refused", "is not valid", id="a forged one"),
        pytest.param({"From": "eve@elsewhere.test", "Reply-To": "anna@people.test", "Sender": "anna@people.test"}, "silent", "",
                     id="Reply-To and Sender are no identity"),
    ],
)  # fmt: skip
def test_where_a_key_is_read(room: Room, fields: dict[str, str], outcome: str, says: str) -> None:
    first = room.last("anna")
    room.send("anna", "roll")
    newest, new = str(room.last("anna").message["Message-ID"]), room.last("anna").reply_to
    forged = new.replace(new.split(".")[2][:16], "a" * 16)
    told = {
        name: one.format(first=first.message["Message-ID"], newest=newest, new=new, old=first.reply_to, forged=forged, UPPER=new.upper())
        for name, one in fields.items()
    }
    handled = room.send("anna", "add 1", sender=told.pop("From", "anna@people.test"), fields=told)
    assert (outcome, int(outcome == "played")) == (handled.outcome, room.state().counter)
    assert says in room.last("anna").text


def test_letter_to_another_game_of_the_same_people_stays_there(empty: Room) -> None:
    empty.open()
    empty.open()
    first = next(got for got in empty.mails("anna") if "tally-1" in str(got.message["Subject"]))
    empty.send("anna", "add 1", to=first)
    assert (empty.state("tally-1").counter, empty.state("tally-2").counter) == (1, 0)


def test_bounce_marks_the_seat_and_tells_the_moderator_once(room: Room) -> None:
    token = room.last("anna").reply_to
    report = (
        f"From: MAILER-DAEMON@mx.test\r\nTo: {token}\r\nReturn-Path: <>\r\nSubject: Undelivered Mail\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; anna@people.test\r\nAction: failed\r\n"
        "Status: 5.1.1\r\n\r\n--b--\r\n"
    ).encode()
    before = len(room.mails())
    assert room.post(report).outcome == "silent"
    room.post(report + b"again")
    assert room.people.holder("tally-1", "anna").unreachable
    assert [got.kind for got in room.mails()[before:]] == ["notice"]


def test_who_answers_the_mail_that_asks_is_reached_again(room: Room) -> None:
    """Else nobody's clock would run for them for ever, and the others be told that no mail reaches who plays on."""
    mark = "address refused on 2026-11-22"

    def marked() -> str:
        return room.people.holder("tally-1", "anna").unreachable

    room.people.change("tally-1", replace(room.people.holder("tally-1", "anna"), unreachable=mark))
    asked = room.last("anna")
    room.send("anna", "add 1", sender="Anna <anna@elsewhere.test>")
    assert marked() == mark, "a stranger with their key is nobody"
    room.send("anna", "add 1", to=asked)
    assert (marked(), room.state().counter) == ("", 1)
    room.send("bob", "add 1")
    assert room.last("anna").reply_to != asked.reply_to
    room.people.change("tally-1", replace(room.people.holder("tally-1", "anna"), unreachable=mark))
    room.send("anna", "status", to=asked)
    assert marked() == mark, "an older mail came before the one that was lost"


def test_mails_are_sent_from_the_address_that_bounces_should_come_to(room: Room) -> None:
    rows = room.spool.rows()
    assert all("+tally-1." in row.mail_from for row in rows)


def test_hand_edited_game_waits_and_the_letter_stays(room: Room) -> None:
    """Contract: a work tree that differs from HEAD parks that game."""
    raw = room.write("anna", "add 1")
    path = room.store.open("tally-1").folder / "state.toml"
    text = path.read_text()
    path.write_text(text + "\n# mine\n")
    with pytest.raises(HandEdited):
        room.post(raw)
    assert len(room.spool.waiting()) == 1
    path.write_text(text)
    assert room.post(raw).outcome == "played"
