"""Everybody reaches a good end: whoever says no, forwards mail, is on holiday, or lives where the clocks change."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.store.game_table import Status
from tests.clocks.table import HOUR, Clocked
from tests.desk.room import OWN

KEYLESS = {"To": OWN, "In-Reply-To": "", "Subject": "hello"}


def at(folder: Path, start: str) -> Clocked:
    """A table of two, medium, that has begun then (UTC)."""
    room = Clocked(folder)
    room.time = room.well = datetime.fromisoformat(start).replace(tzinfo=UTC)
    room.seated(2)
    return room


@pytest.mark.parametrize(
    ("zone", "start", "end", "played"),
    [
        # Where the clocks change in these 48 hours the same hours end an hour later or earlier by the clock.
        ("Europe/Paris", "2026-10-24T10:00", "Monday 26 October, 11:00", "2026-10-27T06:00"),
        ("Europe/Paris", "2027-03-27T10:00", "Monday 29 March, 12:00", "2027-03-30T05:00"),
        ("Pacific/Auckland", "2026-09-25T22:00", "Monday 28 September, 11:00", "2026-09-28T18:00"),
        ("Pacific/Auckland", "2027-04-03T02:00", "Monday 5 April, 14:00", "2027-04-05T19:00"),
        ("Asia/Kathmandu", "2028-02-28T10:00", "Wednesday 1 March, 15:45", "2028-03-02T01:15"),
        ("UTC", "2028-02-28T10:00", "Wednesday 1 March, 10:00", "2028-03-02T07:00"),
    ],
)
def test_what_is_told_is_what_is_kept_wherever_one_lives(
    tmp_path: Path, zone: str, start: str, end: str, played: str
) -> None:
    """Over daylight saving both ways and a leap day: the mail's words, and the moment at which the clock plays."""
    room = at(tmp_path, start)
    assert f"{end} ({zone})" in room.says("anna", f"zone {zone}")
    room.wait(80, until=lambda: room.state().turn == "bob")
    assert 1 == room.defaults("anna")
    moment = datetime.fromisoformat(played).replace(tzinfo=UTC)
    assert moment <= room.time < moment + HOUR


def test_who_says_no_to_every_invitation_sits_nowhere_and_hears_no_more(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    for number in (1, 2, 3):
        room.open(2, now=False)
        room.deliver()
        invited = next(got for got in room.mails("anna") if f"[tally-{number}]" in str(got.message["Subject"]))
        room.send("anna", "No, thanks.", to=invited)
        room.deliver()
        table = room.stored(f"tally-{number}").table
        assert (Status.GATHERING, ("anna",)) == (table.status, tuple(map(str, table.declined)))
    before = len(room.mails("anna"))
    room.wait(24 * 20)
    assert before == len(room.mails("anna"))


def test_who_forwards_mail_plays_once_they_write_from_the_address_that_is_known(tmp_path: Path) -> None:
    """The letter from elsewhere plays nothing and is told to the seat; the same, from there, plays."""
    room = at(tmp_path, "2026-11-24T09:00")
    room.send("anna", "add 1", sender="anna@work.test")
    assert "anna" == room.state().turn
    told = room.mails()[-1]
    assert "A letter with your key came from another address." in told.text.replace("\n", " ")
    assert "anna@people.test" in str(told.message["To"])
    room.send("anna", "add 1", to=told)
    assert "bob" == room.state().turn


def test_a_vacation_note_neither_plays_nor_stops_what_its_writer_sends_later(tmp_path: Path) -> None:
    """One short answer, however many notes; then the person's own letter plays, within the same time."""
    room = at(tmp_path, "2026-11-24T09:00")
    before = len(room.mails("anna"))
    for _ in range(3):
        room.send("anna", "I am out of the office until Monday.", fields={"Auto-Submitted": "auto-replied"})
    assert len(room.mails("anna")) <= before + 1
    assert "anna" == room.state().turn
    room.wait(24)
    room.says("anna", "add 1")
    assert "bob" == room.state().turn
    assert 0 == room.defaults("anna")


def test_who_never_uses_a_key_plays_at_each_of_five_tables(tmp_path: Path) -> None:
    """Only fresh letters to the host: the list that comes back has an address for each table, and each plays."""
    room = Clocked(tmp_path)
    for _ in range(5):
        room.seated(2)
    room.send("anna", "Hello, it is my turn, I think.", to=room.mails("anna")[0], fields=KEYLESS)
    told = room.mails()[-1]
    addresses = [word for word in told.text.split() if word.startswith("pbem+tally-")]
    assert 5 == len(addresses)
    for address in addresses:
        room.send("anna", "add 1", to=told, fields={**KEYLESS, "To": address})
    assert ["bob"] * 5 == [room.state(f"tally-{number}").turn for number in (1, 2, 3, 4, 5)]
