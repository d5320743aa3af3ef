"""What people set of their own time: absences, zones, quiet hours, reminders."""

from __future__ import annotations

import pytest

from tests.clocks.table import HOUR, Clocked


def test_an_absence_is_noted_by_mail_and_the_others_see_it(room: Clocked) -> None:
    """`away`: the seat's time stands still, a budget a game, `away off`; the end of nobody's time comes sooner."""
    assert "You are away from Wednesday 25 November to Friday 27 November" in room.says("anna", "away 25 nov to 27 nov")
    assert "Anna is away" not in room.last("anna").text
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
        (("away next week",), "You are away from Monday 30 November to Sunday 6 December"),
        (("away this week",), "You are away from Tuesday 24 November to Sunday 29 November"),
        (("away la semaine prochaine", "back"), "no computer sits in it"),
        (("away until 28 nov", "back"), "You are here again"),
        (("vote no",), "Whoever must go writes «resign»"),
        (("vote end",), "Possible: vote hold"),
        (("vote resume",), "The game is not held: it goes on"),
        (("zone Europe/Paris\naway 24 dec\nvote hold",), "send this line on its own"),
        (("try pass\naway 24 dec",), "either plays or tries"),
    ],
)
def test_what_a_person_sets_is_answered(room: Clocked, lines: tuple[str, ...], says: str) -> None:
    assert says in [room.says("anna", line) for line in lines][-1]


@pytest.mark.parametrize(
    ("written", "offers"),
    [
        ("I am on holiday until Monday.", "[1] away until Monday"),
        ("I am on holiday next week, back on Monday.", "[1] away next week"),
        ("away", "«away 24 dec to 6 jan», say, tells the table when you are away"),
    ],
)
def test_a_vacation_in_plain_words_is_offered_with_its_dates(room: Clocked, written: str, offers: str) -> None:
    """A bare word is told what belongs behind it."""
    assert offers in room.says("anna", written)


def test_where_somebody_lives_and_sleeps_is_said_once_for_all_tables(room: Clocked) -> None:
    """Whoever travels sits elsewhere at each of them, and at those that are opened later."""
    room.seated(3)
    room.send("anna", "zone Asia/Kathmandu\nquiet 21-8", to=room.mails("anna")[0])
    room.seated(2)
    for game in ("tally-1", "tally-2", "tally-3"):
        one = room.people.holder(game, "anna")
        assert ("Asia/Kathmandu", "21-8") == (one.zone, one.quiet)
        assert "" == room.people.holder(game, "bob").zone
    text = room.mails("anna")[-1].text.replace("\n", " ")
    assert "(Asia/Kathmandu)" in text


def test_what_cannot_be_is_not_offered(room: Clocked) -> None:
    """«vote end» is not asked back as «vote resume» while nothing is held."""
    assert "[1] vote resume" not in room.says("anna", "vote end")


def test_a_refused_letter_sets_nothing(room: Clocked) -> None:
    room.says("anna", "zone Asia/Kathmandu\naway 24 dec\nadd 99")
    assert "away" not in room.row("anna")
    assert "" == room.people.holder("tally-1", "anna").zone


@pytest.mark.parametrize("answer", ["1", "add 2", "quiet 23-8\nadd 2"])
def test_what_a_person_sets_holds_though_the_answer_beside_it_comes_too_late(room: Clocked, answer: str) -> None:
    """The answer alone is asked back; words that are still possible with a number, which does not set it once more."""
    asked = room.last("anna")
    room.says("anna", "add 1")
    room.says("bob", "add 1")
    room.says("anna", "bid 0")
    room.says("bob", "bid 0")
    room.send("anna", f"zone Asia/Kathmandu\n{answer}", to=asked)
    holder = room.people.holder("tally-1", "anna")
    assert ("Asia/Kathmandu", "quiet" in answer) == (holder.zone, bool(holder.quiet))
    assert ("anna", 2) == (room.state().turn, room.state().counter)
    told = " ".join(room.last("anna").text.split())
    assert "NOT PLAYED" in told
    assert "Times are told to you in the zone Asia/Kathmandu, at all your tables." in told
    assert "The game has gone on since the mail that you answer" in told
    assert "Nothing else was done; it is still your turn." in told
    assert "You: " in told
    if answer != "1":
        assert "[1] add 2" in told
        room.says("anna", "1")
        assert 4 == room.state().counter


@pytest.mark.parametrize("beside", ["vote hold", "away 24 dec", "say Hello", "help"])
def test_beside_what_others_hear_of_nothing_is_set(room: Clocked, beside: str) -> None:
    asked = room.last("anna")
    room.says("anna", "add 1")
    room.send("anna", f"zone Asia/Kathmandu\n{beside}\nadd 2", to=asked)
    assert "" == room.people.holder("tally-1", "anna").zone
    told = " ".join(room.last("anna").text.split())
    assert "Nothing was done" in told
    assert "in the zone" not in told


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
