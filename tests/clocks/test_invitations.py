"""Invitations that nobody answers, and who begins without whom."""

from __future__ import annotations

import email.policy
from datetime import timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

import pytest

from engine.errors import NotAllowed
from pbem.admin.actions import seat_holders
from pbem.admin.persons import Person
from pbem.admin.tables import invitations, player_tables
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.store.commit_record import read_records
from tests.clocks.table import HOUR, Clocked
from tests.clocks.test_life import text
from tests.desk.open_tables import lets, opened
from tests.desk.room import NAMES, OWN
from tests.repair.bench import MODERATOR
from tests.repair.terminal import at


@pytest.fixture
def room(tmp_path: Path) -> Clocked:
    """Two people are invited; their invitations are on the way."""
    made = Clocked(tmp_path)
    made.open(2, now=False)
    made.deliver()
    return made


def gm(room: Clocked, line: str) -> str:
    """The answer to the moderator's letter."""
    message = EmailMessage()
    message["From"], message["To"] = MODERATOR, room.last("gm").reply_to if room.mails("gm") else OWN
    message["Message-ID"] = f"<gm{len(room.mails())}@host.test>"
    message["Subject"] = "[tally-1]"
    message.set_content(f"{line}\n")
    room.post(message.as_bytes())
    return text(room, "gm")


def test_an_invitation_is_repeated_twice_and_then_the_moderator_is_told(room: Clocked) -> None:
    """After two and five days, by day, at a table without a pace too; and then no more."""
    begun = room.time
    room.says("bob", "join heron")
    sent = room.wait(24 * 30)
    assert [("anna", "invitation"), ("anna", "invitation"), ("gm", "news")] == room.kinds(sent)
    days = [(BytesParser(policy=email.policy.default).parsebytes(got.raw)["Date"].datetime - begun) / (24 * HOUR)
            for got in sent]  # fmt: skip
    assert [2, 5, 8] == [round(day) for day in days]
    assert "You have not answered this invitation yet." in text(room, "anna")
    assert "[1] join" in text(room, "anna")
    assert "Anna has not answered the invitation" in text(room, "gm")
    assert "gm start without anna" in text(room, "gm")
    # A number in the repeated mail counts.
    room.says("anna", "1")
    assert "running" == room.stored().table.status


@pytest.mark.parametrize("answer", ["decline no time", "join"])
def test_whoever_has_answered_is_not_asked_again(room: Clocked, answer: str) -> None:
    room.says("anna", answer)
    sent = room.wait(24 * 9)
    assert {"bob", "gm"} == {got.seat for got in sent}


def test_a_new_person_is_invited_anew(room: Clocked) -> None:
    room.wait(24 * 4)
    action = seat_holders.replace_holder(room.desk.services, "anna", Person("Zoe", ("zoe@people.test",)), "she is ill")
    room.desk.change("tally-1", "replace", action)
    room.deliver()
    begun = room.time
    sent = [got for got in room.wait(24 * 3) if got.seat == "anna"]
    assert ["invitation"] == [got.kind for got in sent]
    assert room.time - begun > timedelta(days=2)
    assert "zoe@people.test" in str(sent[0].message["To"])


def test_an_outage_repeats_no_invitation_twice_at_once(room: Clocked) -> None:
    room.time += 24 * 20 * HOUR
    for _ in range(4):
        room.look()
    assert [("anna", "invitation"), ("bob", "invitation")] == room.kinds(room.mails()[2:])
    assert [] == [record for record in read_records(room.store.open("tally-1")) if record.what == "outage"]


def test_a_game_begins_without_who_does_not_answer(tmp_path: Path) -> None:
    """By letter; the others are welcomed, and the key of who was left out is dead."""
    room = Clocked(tmp_path)
    room.open(3, now=False)
    room.deliver()
    cleo = room.last("cleo")
    room.says("anna", "join")
    gm(room, "gm status")
    assert "an answer is missing from Bob, Cleo" in gm(room, "gm start without")
    assert "Anna has joined" in gm(room, "gm start without anna")
    room.says("bob", "join")
    gm(room, "gm start without cleo")
    assert ["anna", "bob"] == [row.seat for row in room.stored().table.seats]
    assert "running" == room.stored().table.status
    for seat in ("anna", "bob"):
        assert "welcome" == room.last(seat).kind
        assert "The game begins without Cleo." in text(room, seat)
    before = len(room.mails())
    room.send("cleo", "join", to=cleo)
    assert before == len(room.mails())
    assert "turn" in room.says("anna", "add 1") or "bob" == room.state().turn


def test_too_few_do_not_begin(room: Clocked) -> None:
    room.says("anna", "join")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "start", invitations.start(room.desk.services, "bob"))
    room.says("bob", "join")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "start", invitations.start(room.desk.services, ""))


def test_one_more_is_invited(room: Clocked) -> None:
    """The others hear of it, and the hash that was published stays."""
    before = room.stored().table.commitment
    zoe = Person("Zoe", ("zoe@people.test",))
    room.desk.change("tally-1", "invite", invitations.invite(room.desk.services, zoe))
    assert before == room.stored().table.commitment
    assert "invitation" == room.last("zoe").kind
    assert "Zoe is invited to the table." in room.says("bob", "join")
    room.says("zoe", "join owl")
    room.says("anna", "join")
    assert "running" == room.stored().table.status
    assert "The word of Zoe: «owl»" in text(room, "bob")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "invite", invitations.invite(room.desk.services, zoe))


def test_whom_the_moderator_invites_has_as_long_as_the_table_is_open(tmp_path: Path) -> None:
    """The days of those who were named when it was opened are not theirs."""
    room = Clocked(tmp_path)
    room.seated()
    lets(room, "known")
    game = opened(room, "new tally 3 players pace=brisk")
    zoe = Person("Zoe", ("zoe@people.test",))
    room.desk.change(game, "invite", invitations.invite(room.desk.services, zoe))
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=5))
    assert "zoe" not in room.stored(game).table.declined


def test_a_terminal_invites_and_begins(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in NAMES[:2])
    name = open_table(room.desk, Opening("troyes-dice", invited)).table.game
    for seat in ("anna", "bob"):
        room.says(seat, "join")
        room.spool.close()
        if seat == "anna":
            told = at(room.folder).read("invite", name, "Zoe <zoe@people.test>")
            assert ["Zoe is invited to the table."] == told["says"]
        else:
            at(room.folder).read("start", name, code=1)
            told = at(room.folder).read("start", name, "--without", "zoe")
            assert ["The game begins without Zoe."] == told["says"]
        room.restart()
    assert "running" == room.stored(name).table.status


def test_a_computer_joins_for_a_seat(room: Clocked) -> None:
    """Whoever is awaited last is played by a computer: then the game begins."""
    room.says("anna", "join")
    room.desk.change("tally-1", "computer", seat_holders.computer("bob", "he does not answer"))
    assert "running" == room.stored().table.status
    assert "A computer (level steady) plays for Bob from now on." in text(room, "anna")
    room.says("anna", "add 1")
    assert "anna" == room.state().turn or room.state().phase == "bid"


def test_nobody_resigns_before_the_game(room: Clocked) -> None:
    room.says("anna", "resign")
    assert () == room.stored().table.joined
    assert () == room.stored().table.declined
