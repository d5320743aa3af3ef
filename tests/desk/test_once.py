"""A letter is taken once, whatever way it comes, and Message-IDs of ours tell nothing."""

from __future__ import annotations

import re

import pytest

from tests.desk.room import OWN, Room

ANOTHER_WAY = b"Received: from relay.example.org by mx.example.org; Sun, 22 Nov 2026 01:00:00 +0000\n"


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("text", ["say hello", "tell bob: psst", "spend 1", "status"])
def test_a_letter_on_another_way_is_a_duplicate(room: Room, text: str, lost: bool) -> None:
    """Contract, «The token»: same sender and Message-ID, other bytes: recorded and silent, after a lost spool too."""
    raw = room.write("anna", text)
    room.post(raw)
    if lost:
        room.lose_spool()
    before, head = len(room.mails()), room.store.head("tally-1")
    handled = room.post(ANOTHER_WAY + raw)
    assert ("seen", before, head) == (handled.outcome, len(room.mails()), room.store.head("tally-1"))
    assert [] == room.spool.waiting()


def test_a_letter_without_message_id_is_known_by_its_content(room: Room) -> None:
    raw = room.write("anna", "say hello", fields={"Message-ID": "", "Date": "Sun, 22 Nov 2026 00:00:00 +0000"})
    assert "played" == room.post(raw).outcome
    assert "seen" == room.post(ANOTHER_WAY + raw).outcome
    assert "played" == room.post(raw.replace(b"00:00:00", b"00:00:01")).outcome


def test_the_same_words_in_a_letter_of_their_own_are_another_letter(room: Room) -> None:
    outcomes = [room.send("anna", "say hello").outcome for _ in range(3)]
    assert ["played"] * 3 == outcomes
    assert 3 == len([got for got in room.mails("bob") if "says" in got.text])


def test_a_message_id_is_taken_for_each_sender_by_itself(room: Room) -> None:
    """Whoever uses Anna's Message-ID takes nothing from her."""
    fields = {"Message-ID": "<the-same@people.test>"}
    assert "played" == room.send("bob", "say first", fields=fields).outcome
    assert "played" == room.send("anna", "add 1", fields=fields).outcome


def test_a_forged_letter_takes_no_message_id(room: Room) -> None:
    """Without Anna's key nothing is remembered in her name: her own letter still counts."""
    fields = {"Message-ID": "<hers@people.test>"}
    room.send("anna", "add 3", fields={**fields, "To": OWN, "In-Reply-To": ""})
    assert "played" == room.send("anna", "add 1", fields=fields).outcome


def test_the_history_holds_no_message_id_and_no_address(room: Room) -> None:
    room.send("anna", "say hello", fields={"Message-ID": "<very-own@people.test>"})
    record = room.record()
    assert record.letter is not None
    assert re.fullmatch("[a-z2-7]{32}", record.letter.name)
    assert b"very-own" not in b"".join(record.to_toml()[:1])


def ids(room: Room, seat: str) -> list[str]:
    return [str(got.message["Message-ID"]) for got in room.mails(seat)]


def test_no_message_id_is_given_twice_and_none_names_a_game(room: Room) -> None:
    for text in ("status", "board", "spend 1", "add 9", "try add 1", "add 1"):
        room.send("anna", text)
    names = [*ids(room, "anna"), *ids(room, "bob")]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"<[a-z2-7]{32}@games\.test>", name) for name in names)


def test_the_message_id_of_a_view_to_be_forwarded_is_no_key(room: Room) -> None:
    """`board` is made to be passed on: who cites it holds nothing."""
    (board,) = room.sent_by("anna", "board")
    cited = {"To": OWN, "In-Reply-To": str(board.message["Message-ID"]), "Subject": "Re: [tally-1]"}
    assert "refused" == room.send("anna", "add 1", fields=cited).outcome
    assert 0 == room.state().counter


@pytest.mark.parametrize("lost", [False, True])
def test_a_message_id_stands_for_its_mails_token(room: Room, lost: bool) -> None:
    """Also after a lost spool: the names are made again from the intents."""
    if lost:
        room.lose_spool()
        room.desk.rebuild("tally-1")
    assert "played" == room.send("anna", "add 1", fields={"To": OWN}).outcome
    assert "refused" == room.send("bob", "add 1", to=room.last("anna"), fields={"To": OWN}).outcome


def test_the_message_id_of_a_former_holders_mail_is_no_key(room: Room) -> None:
    from dataclasses import replace

    old = room.last("anna")
    holder = room.people.holder("tally-1", "anna")
    room.people.change("tally-1", replace(holder, generation=2))
    assert "refused" == room.send("anna", "add 1", to=old, fields={"To": OWN}).outcome
    assert 0 == room.state().counter
