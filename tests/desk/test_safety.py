"""Nothing half, nothing twice, nothing for ever: kills, defects, doubles, caps, lost spools."""

from __future__ import annotations

import email
import email.policy
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.admin.tables import opening
from pbem.desk.transaction import commit
from pbem.desk.transaction.rebuild import rebuild_spool, rewritten_mails
from pbem.store.commit_record import Record
from pbem.store.errors import Damaged
from pbem.store.game_table import Status
from pbem.store.private_text import PrivateText
from pbem.store.spool import Spool
from pbem.store.state_file import commit_game
from tests.desk.room import Room
from tests.fakegame import Tally


class Killed(BaseException):
    """Stands for kill -9: no handler of the program catches it."""


def test_same_order_in_a_new_letter_is_told_as_played(room: Room) -> None:
    """«already played, nothing done again», never «too late»; other words are late."""
    first = room.last("anna")
    room.send("anna", "Hello,\n\nspend 1\nroll\n\nAnna")
    records = room.stored().table.entries
    assert room.send("anna", "Spend 1\n roll", to=first).outcome == "refused"
    assert "Already played; nothing was done again." in room.last("anna").text
    assert room.send("anna", "roll", to=first).outcome == "refused"
    assert "has gone on" in room.last("anna").text
    assert records == room.stored().table.entries


@pytest.mark.parametrize("step", ["words", "prepare", "commit", "committed"])
@pytest.mark.parametrize("after", [False, True])
def test_kill_at_any_step_loses_nothing_and_repeats_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    """The steps of `commit`: before the commit nothing is left, after it nothing is applied twice."""
    raw = room.write("anna", "spend 1\nadd 2")
    owner: Any = {"words": PrivateText, "commit": commit}.get(step, Spool)
    name = {"words": "keep", "commit": "commit_game"}.get(step, step)
    real = getattr(owner, name)

    def killed(*args: Any, **named: Any) -> Any:
        if after:
            real(*args, **named)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, killed)
        with pytest.raises(Killed):
            room.post(raw)
    room.spool.close()
    room.restart()
    for incoming in room.spool.waiting():
        room.post(incoming.raw)
    assert (room.state().counter, room.state().points["anna"]) == (2, 2)
    ready = [(row.seat, row.kind) for row in room.spool.rows() if row.state == "ready"]
    assert ready == [("anna", "welcome"), ("bob", "welcome"), ("anna", "receipt"), ("bob", "turn")]
    assert room.spool.waiting() == []


def test_trouble_after_the_commit_is_not_played_twice(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk of the spool fails once, after the commit was made."""
    raw = room.write("anna", "say hello\nadd 2")
    real = type(room.spool).committed
    failures = [sqlite3.OperationalError("disk full")]

    def failing(*args: Any) -> None:
        if failures:
            raise failures.pop()
        real(*args)

    monkeypatch.setattr(type(room.spool), "committed", failing)
    with pytest.raises(sqlite3.Error):
        room.post(raw)
    assert room.post(raw).outcome == "seen"
    assert room.state().counter == 2
    assert [got.kind for got in room.mails("bob")] == ["welcome", "turn"]


def test_defect_puts_the_letter_aside_with_one_apology(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    """Quarantine after one honest reply, and the loop goes on."""
    raw = room.write("anna", "spend 1\ncrash")
    before = len(room.mails())
    with caplog.at_level(logging.ERROR):
        outcomes = [room.post(raw).outcome for _ in range(4)]
    assert outcomes == ["retry", "retry", "quarantined", "seen"]
    (got,) = room.mails()[before:]
    assert "anna@people.test" in str(got.message["To"])
    assert "a fault in this program" in got.text
    assert room.state().points["anna"] == 3
    assert "a defect of the game" not in caplog.text
    assert "Traceback" not in caplog.text
    room.send("anna", "add 1")
    assert room.state().counter == 1


def test_rebuilt_mails_are_the_same_bytes(room: Room) -> None:
    """The spool can be rebuilt; no two different mails for one intent."""
    for seat, text in (
        ("anna", "say hello\nspend 1\nroll\nadd 9"),
        ("anna", "undo"),
        ("anna", "status\ncard counter"),
        ("anna", "try spend 1"),
        ("anna", "board"),
        ("anna", "add 1"),
        ("anna", "undo"),
        ("anna", "pass"),
        ("bob", "tell anna: psst\nadd 3"),
        ("bob", "bid 2"),
        ("anna", "bid 0"),
        ("anna", "nonsense"),
    ):
        room.send(seat, text)
    before = {got.name: got.raw for got in room.mails()}
    room.lose_spool()
    repo = room.store.open("tally-1")
    again = rewritten_mails(room.desk.services, repo, before)
    assert before == {mail.message_id: mail.raw for mail in again}
    newest = {room_mail.seat: room_mail.message_id for room_mail in again}
    assert len(newest) == room.desk.rebuild("tally-1")
    assert set(newest.values()) == {row.message_id for row in room.spool.rows(state="ready")}
    assert room.desk.rebuild("tally-1") == 0


def test_an_older_spool_sends_the_newest_mail_only(room: Room) -> None:
    """What it still has waiting for a seat with newer mails is out of date, too."""
    room.spool.close()
    old = (room.folder / "mail" / "spool.sqlite").read_bytes()
    room.restart()
    for text in ("add 1", "undo", "add 2"):
        room.send("anna", text)
    newest = {got.seat: got.name for got in room.mails()}
    room.spool.close()
    for path in (room.folder / "mail").glob("spool.sqlite*"):
        path.unlink()
    (room.folder / "mail" / "spool.sqlite").write_bytes(old)
    room.spool = Spool(room.folder / "mail")
    assert {row.state for row in room.spool.rows()} == {"ready"}
    services = replace(room.desk.services, spool=room.spool)
    with room.store.open("tally-1").lock() as repo:
        assert rebuild_spool(services, repo) == len(newest)
    assert set(newest.values()) == {row.message_id for row in room.spool.rows(state="ready")}
    room.spool.recover(room.store)
    assert set(newest.values()) == {row.message_id for row in room.spool.rows(state="ready")}


def test_letters_of_a_lost_spool_are_not_played_again(room: Room) -> None:
    raw = room.write("anna", "say hello")
    room.post(raw)
    room.lose_spool()
    assert room.post(raw).outcome == "seen"


def test_turn_file_is_played_and_others_are_mailed(room: Room) -> None:
    before = len(room.mails())
    found = room.desk.play_file("tally-1", "anna", ["spend 1", "add 2"])
    assert (found.handled.outcome, found.mail.kind, found.mail.token) == ("played", "receipt", "")
    assert [got.seat for got in room.mails()[before:]] == ["bob"]
    assert room.state().counter == 2


def test_turn_file_is_told_in_the_seats_next_mail(empty: Room) -> None:
    """Whoever played it saw the answer; the seat's own mail still tells it."""
    empty.open(2)
    empty.desk.play_file("tally-1", "anna", ["add 2"])
    empty.send("bob", "pass")
    assert "Anna added 2." in empty.last("anna").text


def test_trial_of_a_turn_file_says_nothing_to_anybody(room: Room) -> None:
    """Talk beside a trial is not passed on, and so nothing counts as played."""
    before = len(room.mails())
    found = room.desk.play_file("tally-1", "anna", ["add 2", "say Hello"], trial=True)
    assert (found.handled.outcome, found.mail.kind) == ("answered", "trial")
    assert before == len(room.mails())


def test_refused_turn_file_stores_nothing(room: Room) -> None:
    head = room.store.head("tally-1")
    found = room.desk.play_file("tally-1", "anna", ["add 2", "add 9"])
    assert (found.handled.outcome, found.mail.kind) == ("refused", "refusal")
    assert head == room.store.head("tally-1")


def test_position_can_be_sent_again(room: Room) -> None:
    room.resend("tally-1", "anna")
    assert room.last("anna").kind == "turn"
    room.send("anna", "1")
    assert room.state().counter == 3


def test_number_never_counts_in_a_list_that_was_not_mailed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade may order the options anew between the mail and its answer."""
    real = Tally.offers
    monkeypatch.setattr(Tally, "offers", lambda self, state, seat, language="en": real(self, state, seat, language)[::-1])
    assert room.send("anna", "1").outcome == "refused"
    assert "list of options has changed" in room.last("anna").text
    room.send("anna", "1")
    assert room.state().turn == "bob"


def test_no_address_and_no_key_ever_lies_in_the_repository(room: Room) -> None:
    for seat, text in (("anna", "roll\nadd 2"), ("bob", "say hi"), ("bob", "nonsense"), ("bob", "pass")):
        room.send(seat, text)
    repo = room.store.open("tally-1")
    number = room.stored().table.records
    texts = [repo.read("state.toml"), repo.read("secret.toml")]
    for n in range(1, number + 1):
        texts += list(room.record(n).to_toml())
    keys = [got.reply_to.split("+")[1].split("@")[0].split(".")[2].encode() for got in room.mails() if got.seat]
    everything = b"".join(texts) + b"".join(commit.message.encode() for commit in repo.log())
    assert b"anna@people.test" not in everything
    assert b"bob@people.test" not in everything
    assert not [key for key in keys if key in everything]


def test_people_file_is_private_and_outside_the_games(room: Room) -> None:
    path: Path = room.people.folder / "tally-1.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert not path.is_relative_to(room.store.root)


def test_held_game_answers_questions_and_plays_nothing(room: Room) -> None:
    repo = room.store.open("tally-1")
    stored = room.stored()
    held = replace(stored, table=replace(stored.table, status=Status.HELD, reason="a doubt about the rules"))
    record = Record(stored.table.records + 1, room.time, "hold", "0")
    with repo.lock():
        commit_game(repo, held, record, "held")
    assert "refused" == room.send("anna", "add 1").outcome
    assert "a doubt about the rules" in room.last("anna").text
    assert "answered" == room.send("anna", "status").outcome


def test_stored_game_that_cannot_be_read_waits(room: Room) -> None:
    """A letter is no reason to lose a game that somebody has to mend."""
    repo = room.store.open("tally-1")
    stored = room.stored()
    files = stored.files()
    files |= Record(stored.table.records + 1, room.time, "repair", "0").files()
    broken = files["state.toml"].replace(b'"tally"', b'"nonesuch"')
    with repo.lock():
        repo.commit({**files, "state.toml": broken}, "a bad repair")
    with pytest.raises(Damaged):
        room.send("anna", "add 1")
    assert 1 == len(room.spool.waiting())


def test_attachment_that_was_not_read_is_named(room: Room) -> None:
    message = email.message_from_bytes(room.write("anna", "add 1"), policy=email.policy.default)
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="plan.pdf")
    room.post(message.as_bytes())
    assert "plan.pdf" in room.last("anna").text
    assert 1 == room.state().counter


def test_turn_file_attached_to_an_empty_letter_is_played(room: Room) -> None:
    message = email.message_from_bytes(room.write("anna", "\n"), policy=email.policy.default)
    message.add_attachment("add 2\n", filename="turn.txt")
    room.post(message.as_bytes())
    assert 2 == room.state().counter


def test_nothing_is_taken_back_once_the_seed_is_known(empty: Room) -> None:
    empty.open(2, options={"rounds": "1"})
    for seat, line in (("anna", "pass"), ("bob", "pass"), ("anna", "bid 0"), ("bob", "bid 0"), ("anna", "keep")):
        empty.send(seat, line)
    empty.send("bob", "keep")
    assert "ended" == empty.stored().table.status
    assert (b"s" * 32).hex() == empty.record().also["seed"]
    assert "refused" == empty.send("bob", "undo").outcome


def test_kill_while_a_table_is_opened_leaves_no_half_of_it(empty: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*args: Any) -> Any:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(opening, "create_game", killed)
        with pytest.raises(Killed):
            empty.open()
    empty.spool.close()
    empty.restart()
    assert [] == empty.mails()
    assert "tally-1" == empty.open()
    assert ["anna", "bob"] == [got.seat for got in empty.mails()]
