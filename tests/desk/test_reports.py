"""Reports of mail that did not arrive: known by their shapes, believed where they name a mail of ours, ending nothing."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.daemon.delivery_reports import DeliveryReports
from pbem.inbound.incoming_letter import open_letter
from pbem.inbound.smtp_replies import ReplyFault
from pbem.store.database import QueuedMail
from tests.clocks.table import HOUR, Clocked
from tests.desk.report_letters import NOBODY, REPORTS, WHO, fields, prose

from .room import Room

LETTERS = Path(__file__).parent.parent / "letters"
DEAD = fields("failed", "5.1.1", "smtp; 550 5.1.1 user unknown")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = Room(tmp_path)
    made.open()
    return made


def report(room: Room, letter: str, to: str = "") -> tuple[list[str], str]:
    """What the moderator is told of a report that comes to an address of ours; and anna's mark."""
    before = len(room.mails())
    raw = f"To: {to or room.last('anna').reply_to}\n{letter}".replace("\n", "\r\n").encode()
    room.post(raw)
    assert all(got.kind == "notice" for got in room.mails()[before:]), "nobody but the moderator is written to"
    told = [" ".join(got.text.split()) for got in room.mails()[before:]]
    return told, room.people.holder("tally-1", "anna").unreachable


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_heard_as_what_it_is(name: str) -> None:
    what, blame, letter = REPORTS[name]
    found = open_letter(letter.encode()).report
    assert found is not None
    assert (what, ReplyFault[blame]) == (found.what, found.fault)
    assert WHO in found.to


def test_no_letter_of_a_person_is_a_report() -> None:
    wanted = tomllib.loads((LETTERS / "expected.toml").read_text(encoding="utf-8"))
    for path in sorted(LETTERS.glob("*.eml")):
        letter = open_letter(path.read_bytes(), frozenset({"troyes@gm.test"}))
        assert (letter.report is not None) == (wanted[path.stem]["kind"] == "bounce"), path.stem


@pytest.mark.parametrize("text", ["550 5.1.1 user unknown, my friend says", "Mail delivery failed: Action: failed"])
def test_a_person_may_write_about_a_report(text: str) -> None:
    letter = f"From: {WHO}\nSubject: Undelivered Mail Returned to Sender\n\n{text}\n"
    assert open_letter(letter.encode()).report is None


@pytest.mark.parametrize("name", [name for name, (what, _, _) in REPORTS.items() if what == "failed"])
def test_only_a_mailbox_that_is_none_has_its_address_mended(room: Room, name: str) -> None:
    """The moderator reads whose fault it is, in the server's own words."""
    _, blame, letter = REPORTS[name]
    told, mark = report(room, letter)
    assert mark.startswith(ReplyFault[blame])
    assert len(told) == 1
    assert ("The address must be mended" in told[0]) is (blame == "ADDRESS")
    words = open_letter(letter.encode()).report.words  # type: ignore[union-attr]
    assert words in told[0]
    assert words in mark
    assert report(room, f"X-Again: yes\n{letter}") == ([], mark), "once"


def test_a_complaint_is_told_to_the_moderator_alone_and_once(room: Room) -> None:
    for name in ("complaint", "complaint without fields"):
        told, mark = report(room, REPORTS[name][2])
        assert mark == ""
        assert len(told) == (name == "complaint")
    (told,), _ = report(room, REPORTS["complaint"][2].replace(WHO, "x@other.test"), "pbem@games.test")
    assert "complains" in told


def test_a_report_counts_that_names_a_mail_of_ours(room: Room) -> None:
    """By its Message-ID, or by the key of its sender's address with an address of the seat."""
    ours = str(room.last("anna").message["Message-ID"])
    copy = "Subject: failure notice\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n"
    copy = f"{NOBODY}{copy}550 5.1.1 unknown user\n--b\nContent-Type: message/rfc822\n\nMessage-ID: %s\n\nx\n--b--\n"
    assert report(room, DEAD, "pbem@games.test")[1] == "", "of no mail"
    assert report(room, DEAD.replace(WHO, "x@other.test"))[1] == "", "to another address"
    assert report(room, DEAD, room.last("bob").reply_to)[1] == "", "with another seat's key"
    assert report(room, copy % "<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@games.test>", "pbem@games.test")[1] == ""
    assert report(room, copy % ours, "pbem@games.test")[1] != ""


def test_a_report_of_a_mail_before_a_letter_of_theirs_is_none(room: Room) -> None:
    """From where a letter has come since, the mailbox is read."""
    asked = room.last("anna").reply_to
    room.send("anna", "status")
    assert report(room, DEAD, asked) == ([], "")


@pytest.mark.parametrize(("again", "stands"), [(False, 48), (True, 48)])
def test_a_forged_report_stops_a_clock_for_two_days_at_most(tmp_path: Path, again: bool, stands: int) -> None:
    """Whoever is losing can write one; an hour before time is short, and again every day."""
    ends = []
    for forged in (False, True):
        clocked = Clocked(tmp_path / str(forged))
        clocked.seated(pace="brisk")
        key = clocked.last("anna").reply_to
        begun = clocked.time
        clocked.wait(23)
        for day in range(20):
            if forged and (again or not day):
                letter = f"To: {key}\nX-Day: {day}\n{DEAD}".replace("\n", "\r\n").encode()
                clocked.post(letter)
            clocked.wait(24, until=lambda room=clocked: room.state().turn == "bob")  # type: ignore[misc]
            if clocked.state().turn == "bob":
                break
        assert clocked.state().turn == "bob", "nothing was ever played for the seat"
        ends.append((clocked.time - begun) / HOUR)
    assert ends[0] < ends[1] <= ends[0] + stands + 24


def test_a_clock_that_stood_does_not_jump_when_the_mark_goes(tmp_path: Path) -> None:
    clocked = Clocked(tmp_path)
    clocked.seated(pace="brisk")
    clocked.wait(20)
    clocked.post(f"To: {clocked.last('anna').reply_to}\n{DEAD}".replace("\n", "\r\n").encode())
    clocked.wait(30)
    holder = clocked.people.holder("tally-1", "anna")
    clocked.people.change("tally-1", replace(holder, unreachable=""))
    assert "anna" == clocked.state().turn
    clocked.wait(20)
    assert "anna" == clocked.state().turn


def test_no_clock_runs_while_our_own_server_refuses_the_address(tmp_path: Path) -> None:
    clocked = Clocked(tmp_path)
    clocked.seated(pace="brisk")
    clocked.time += timedelta(hours=1)
    clocked.well = clocked.time
    holder = clocked.people.holder("tally-1", "anna")
    mark = replace(holder, unreachable="our server refuses the address", unreachable_since=clocked.time, refused=True)
    clocked.people.change("tally-1", mark)
    assert [] == clocked.wait(24 * 14)


def test_each_part_of_a_refused_mail_is_told_and_its_moment_is_kept_to_the_microsecond(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spool keeps its own to the microsecond; and one of them may be about no seat."""
    at, told = datetime(2026, 11, 22, 12, 0, 0, 900_000, UTC), list[str]()
    mail = QueuedMail("<m@x>", "tally-1", "anna", "turn", "", "anna@people.test", b"", "failed", 1, None, "", at)
    monkeypatch.setattr(room.spool, "parts", lambda one: [replace(one, seat="", kind="follow"), one])
    DeliveryReports(room.desk.services, lambda: at, lambda says, game: told.append(game)).undeliverable(mail, "no", dead=True)
    holder = room.people.holder("tally-1", "anna")
    assert (["tally-1"], at, True) == (told, holder.unreachable_since, holder.refused)


def test_a_vacation_is_no_report() -> None:
    head = "From: anna@people.test\nReturn-Path: <>\nAuto-Submitted: auto-replied\n"
    assert open_letter(prose("Re: Your turn", "I am away until Monday; write to bob@people.test.", head).encode()).report is None
