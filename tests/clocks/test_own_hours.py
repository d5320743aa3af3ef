"""What people set of their own time: absences, zones, quiet hours, reminders."""

from __future__ import annotations

import pytest

from tests.clocks.table import HOUR, Clocked


def test_an_absence_is_noted_by_mail_and_the_others_see_it(room: Clocked) -> None:
    """`away`: the seat's time stands still, a budget a game, `away off`; the end of nobody's time comes sooner."""
    assert "You are away from Wednesday 25 November to Friday 27 November" in room.says("anna", "away 25 nov to 27 nov")
    begun = room.time
    sent = room.wait(200, until=lambda: room.state().turn == "bob")
    assert room.time > begun + (60 + 48) * HOUR
    for got in sent:
        day = got.message["Date"].datetime.day
        assert got.seat != "anna" or day not in (25, 26, 27)
    assert "Anna is away from Wednesday 25 November to Friday 27 November." in sent[-1].text.replace("\n", " ")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("away 24 dec to 24 jan",), "it may be 21"),
        (("zone",), "needs something after it"),
        (("away 1 dec to 10 dec", "away 5 dec"), "away then already"),
        (("away off",), "You are not away"),
        (("away someday",), "I cannot read the dates"),
        (("away 2026-11-01 to 2026-12-01",), "cannot begin before today"),
        (("away du 24 décembre au 6 janvier", "away off"), "You are here again"),
        (("congé 24 dec",), "You are away from Thursday 24 December to Thursday 24 December"),
        (("remind 12h",), "You are reminded 12 hours before the end"),
        (("remind 99 days",), "No decision takes longer"),
        (("zone Asia/Kathmandu",), "in the zone Asia/Kathmandu"),
        (("zone Mars",), "is no time zone"),
        (("quiet 23-8",), "from 23:00 to 8:00 where you live"),
        (("quiet never",), "are no hours"),
        (("vote no",), "nothing else to vote about"),
        (("vote resume",), "You have said so already"),
        (("zone Europe/Paris\naway 24 dec\nvote hold",), "send this line on its own"),
        (("try pass\naway 24 dec",), "either plays or tries"),
    ],
)
def test_what_a_person_sets_is_answered(room: Clocked, lines: tuple[str, ...], says: str) -> None:
    assert says in [room.says("anna", line) for line in lines][-1]


def test_a_refused_letter_sets_nothing(room: Clocked) -> None:
    room.says("anna", "zone Asia/Kathmandu\naway 24 dec\nadd 99")
    assert "away" not in room.row("anna")
    assert "" == room.people.holder("tally-1", "anna").zone


def test_times_are_told_in_the_readers_own_zone(room: Clocked) -> None:
    """9:00 UTC is 14:45 in Kathmandu, and their night is not Greenwich's."""
    assert "Thursday 26 November, 14:45 (Asia/Kathmandu)" in room.says("anna", "zone Asia/Kathmandu")
    sent = room.wait(72, until=lambda: room.state().turn == "bob")
    assert all(7 <= (room.hour(got) + 5.75) % 24 < 22 for got in sent if got.kind == "reminder")
    assert "(Asia/Kathmandu)" in sent[0].text
    assert "(UTC)" in room.last("bob").text


def test_a_person_is_reminded_when_they_wish(room: Clocked) -> None:
    room.says("anna", "remind 12h")
    sent = room.wait(100, until=lambda: room.state().turn == "bob")
    assert [21] == [room.hour(got) for got in sent if got.kind == "reminder"]
