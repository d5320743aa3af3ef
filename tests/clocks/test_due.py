"""Pure time: when something is due, in whatever zone, over daylight saving, leap days, absences, quiet hours."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import OrderRefused
from pbem.clocks.availability import Availability, parse_quiet_hours
from pbem.clocks.dates import local_time, period, span
from pbem.clocks.deadlines import (
    REMINDERS_APART,
    SHOWN_BEFORE_DEFAULT,
    ClockedDecision,
    DueAction,
    NextAction,
    ShownReminder,
    deadline_of,
    grace_end,
    next_action,
    reminders,
)
from pbem.clocks.pace import TABLE_OPTIONS, pace_text, parse_pace, table_fields
from pbem.clocks.time_zones import zone_of, zones_meant
from pbem.store.game_table import Absence, Pace

HOUR = timedelta(hours=1)
ZONES = tuple(map(ZoneInfo, ("UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland")))
MEDIUM = parse_pace("medium")


def ask(zone: str = "UTC", start: str | None = "2026-11-24T09:00", **more: object) -> ClockedDecision:
    hours = Availability(ZoneInfo(zone), *more.pop("hours", ()))  # type: ignore[misc]
    at = datetime.fromisoformat(start).replace(tzinfo=UTC) if start else None
    return ClockedDecision(**{"seat": "anna", "hours": hours, "start": at, "order": "pass", **more})  # type: ignore[arg-type]


def local(moment: datetime | None, one: ClockedDecision) -> str:
    assert moment is not None
    return moment.astimezone(one.hours.zone).strftime("%Y-%m-%d %H:%M")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "start", "pace", "end", "grace"),
    [
        ("UTC", "2026-11-24T09:00", "brisk", "2026-11-25 09:00", "2026-11-25 21:00"),
        ("UTC", "2026-11-24T09:00", "medium", "2026-11-26 09:00", "2026-11-26 21:00"),
        ("UTC", "2026-11-24T09:00", "slow", "2026-11-27 09:00", "2026-11-27 21:00"),
        # 48 hours end at 23:00: quiet hours, so at 7:00; grace ends at 19:00.
        ("UTC", "2026-11-24T23:00", "medium", "2026-11-27 07:00", "2026-11-27 19:00"),
        # The night in which Paris goes back to winter time has an hour more, the one in March an hour less.
        ("Europe/Paris", "2026-10-24T10:00", "medium", "2026-10-26 11:00", "2026-10-27 07:00"),
        ("Europe/Paris", "2026-03-27T10:00", "medium", "2026-03-29 12:00", "2026-03-30 07:00"),
        ("Europe/Paris", "2026-10-24T20:30", "brisk", "2026-10-25 21:30", "2026-10-26 09:30"),
        ("America/New_York", "2026-11-01T04:30", "brisk", "2026-11-02 07:00", "2026-11-02 19:00"),
        # Kathmandu is 5:45 ahead; Auckland goes to summer time in September and back in April.
        ("Asia/Kathmandu", "2026-11-24T09:00", "medium", "2026-11-26 14:45", "2026-11-27 07:00"),
        ("Pacific/Auckland", "2026-09-25T22:00", "brisk", "2026-09-27 11:00", "2026-09-28 07:00"),
        ("Pacific/Auckland", "2027-04-03T02:00", "brisk", "2027-04-04 14:00", "2027-04-05 07:00"),
        # A leap day is a day.
        ("UTC", "2028-02-28T10:00", "medium", "2028-03-01 10:00", "2028-03-02 07:00"),
        # Weekdays and a clock time: from Thursday 48 hours end on Saturday, so on Monday at eight in the evening.
        ("UTC", "2026-11-26T09:00", "medium mon-fri 20:00", "2026-11-30 20:00", "2026-12-01 08:00"),
        ("UTC", "2026-11-26T09:00", "medium mon-fri", "2026-11-30 07:00", "2026-11-30 19:00"),
        # In the evening's quiet hours: the last minute before them, neither a night nor a week later.
        ("UTC", "2026-11-26T09:00", "medium sun 23:59", "2026-11-29 21:59", "2026-12-06 07:00"),
        ("UTC", "2026-11-24T09:00", "brisk 22:30", "2026-11-25 21:59", "2026-11-26 09:59"),
        ("UTC", "2026-11-24T09:00", "brisk 02:30", "2026-11-26 07:00", "2026-11-26 19:00"),
        ("UTC", "2026-11-25T19:00", "medium 20:00", "2026-11-27 20:00", "2026-11-28 08:00"),
        ("UTC", "2026-11-25T21:00", "medium 20:00", "2026-11-28 20:00", "2026-11-29 08:00"),
    ],
)
def test_a_decision_ends_when_it_should(zone: str, start: str, pace: str, end: str, grace: str) -> None:
    one = ask(zone, start)
    assert (end, grace) == (local(deadline_of(parse_pace(pace), one), one), local(grace_end(parse_pace(pace), one), one))


def test_nothing_is_due_without_a_pace_or_before_the_mail_was_taken() -> None:
    """Running games keep `none`; a seat's clock starts when the server took the mail that asks."""
    assert next_action(Pace(), ask(), utc("2030-01-01T12:00")) is None
    assert next_action(MEDIUM, ask(start=None), utc("2030-01-01T12:00")) is None


def test_reminders_go_at_half_time_twelve_and_two_hours_before_the_end() -> None:
    one = ask(start="2026-11-24T09:00")
    assert ["2026-11-25 09:00", "2026-11-25 21:00", "2026-11-26 07:00"] == [local(at, one) for at in reminders(MEDIUM, one)]
    # Half time of 24 hours is twelve hours before their end: one reminder, not two.
    brisk = [local(at, one) for at in reminders(parse_pace("brisk"), one)]
    assert ["2026-11-24 21:00", "2026-11-25 07:00"] == brisk


def test_a_reminder_near_another_is_left_out() -> None:
    """Twelve hours before is 2:00, moved to 7:00; two hours before is 12:00: nearer than six hours."""
    one = ask(start="2026-11-24T14:00")
    assert ["2026-11-25 14:00", "2026-11-26 07:00"] == [local(at, one) for at in reminders(MEDIUM, one)]
    wished = ask(start="2026-11-24T14:00", remind=3)
    assert ["2026-11-26 11:00"] == [local(at, wished) for at in reminders(MEDIUM, wished)]


def shown(at: str, accepted: str | None = "same", order: str = "pass") -> ShownReminder:
    taken = utc(at) if accepted == "same" else utc(accepted) if accepted else None
    return ShownReminder(utc(at), taken, order)


PLAY = DueAction.PLAY


@pytest.mark.parametrize(
    ("reminded", "now", "what", "at"),
    [
        # The ordinary course: three reminders, then the default at the end of grace.
        ((), "2026-11-24T10:00", DueAction.REMIND, "2026-11-25T09:00"),
        ((shown("2026-11-25T09:00"),), "2026-11-25T09:01", DueAction.REMIND, "2026-11-25T21:00"),
        ((shown("2026-11-25T09:00"), shown("2026-11-25T21:00")), "2026-11-26T00:00", DueAction.REMIND, "2026-11-26T07:00"),
        ((shown("2026-11-25T09:00"), shown("2026-11-26T07:00")), "2026-11-26T12:00", PLAY, "2026-11-26T21:00"),
        # Reminders that were missed are made good by one.
        ((), "2026-11-26T12:00", DueAction.REMIND, "2026-11-25T09:00"),
        ((shown("2026-11-26T12:00"),), "2026-11-26T12:01", PLAY, "2026-11-27T07:00"),
        # It showed another order than would be played now: it is shown anew, and twelve hours pass.
        ((shown("2026-11-26T07:00", order="add 1"),), "2026-11-26T12:00", DueAction.REMIND, "2026-11-26T09:00"),
        # The reminder has not gone out: nothing is due.
        ((shown("2026-11-26T07:00", None),), "2026-11-26T23:00", None, ""),
        # It went out late: twelve hours from then.
        ((shown("2026-11-26T07:00", "2026-11-26T20:00"),), "2026-11-26T21:00", PLAY, "2026-11-27T08:00"),
        # What a clock ten years ahead has written counts as nothing.
        ((shown("2036-11-26T07:00"),), "2026-11-26T12:00", DueAction.REMIND, "2026-11-25T09:00"),
    ],
)
def test_a_default_comes_only_after_a_reminder_that_shows_it(
    reminded: tuple[ShownReminder, ...], now: str, what: DueAction | None, at: str
) -> None:
    found = next_action(MEDIUM, ask(shown=reminded), utc(now))
    assert (found and (found.what, found.at)) == ((what, utc(at)) if what else None)


def test_at_a_table_that_waits_the_moderator_is_told_once() -> None:
    pace = parse_pace("medium", "wait")
    reminded = (shown("2026-11-26T07:00", order=""),)
    found = next_action(pace, ask(shown=reminded, order=""), utc("2026-11-26T12:00"))
    assert NextAction(utc("2026-11-26T21:00"), "anna", DueAction.TELL) == found
    assert next_action(pace, ask(shown=reminded, order="", told=True), utc("2026-11-26T22:00")) is None


def test_nothing_overdue_is_done_at_night_or_while_away() -> None:
    """Whatever made it late, it waits for the morning, or for the return."""
    reminded = (shown("2026-11-26T07:00"),)
    found = next_action(MEDIUM, ask(shown=reminded), utc("2026-11-26T23:30"))
    assert found is not None
    assert utc("2026-11-27T07:00") == found.at
    away = (Absence(utc("2026-11-26T22:00"), utc("2026-12-02T00:00")),)
    found = next_action(MEDIUM, ask(shown=reminded, hours=((22, 7), away)), utc("2026-11-27T12:00"))
    assert found is not None
    assert utc("2026-12-02T07:00") == found.at


def test_an_absence_does_not_count_and_shortens_nothing() -> None:
    away = (Absence(utc("2026-11-25T00:00"), utc("2026-12-05T00:00")),)
    one = ask(start="2026-11-24T09:00", hours=((22, 7), away))
    # Fifteen hours before it, thirty-three after: nine in the morning of the sixth.
    assert utc("2026-12-06T09:00") == deadline_of(MEDIUM, one)
    later = (Absence(utc("2026-12-24T00:00"), utc("2027-01-07T00:00")),)
    assert deadline_of(MEDIUM, ask()) == deadline_of(MEDIUM, ask(hours=((22, 7), later)))


moments = st.datetimes(datetime(2026, 1, 1), datetime(2029, 1, 1)).map(lambda at: at.replace(tzinfo=UTC, microsecond=0))
spans = st.integers(0, 20 * 24).map(lambda hours: hours * HOUR)
absences = st.tuples(moments, spans).map(lambda one: Absence(one[0], one[0] + one[1]))
asking = st.builds(
    ClockedDecision, seat=st.just("anna"), start=moments, order=st.just("pass"), remind=st.sampled_from((0, 0, 6, 48)),
    more=st.integers(-48, 200).map(lambda hours: hours * HOUR),
    hours=st.builds(
        Availability, st.sampled_from(ZONES), st.tuples(st.integers(0, 23), st.integers(1, 8)).map(lambda q: (q[0], (q[0] + q[1]) % 24)),
        st.lists(absences, max_size=3).map(tuple),
    ),
)  # fmt: skip
paces = st.builds(
    lambda name, days, at: parse_pace(" ".join(filter(None, (name, days, at)))),
    st.sampled_from(("slow", "medium", "brisk")), st.sampled_from(("", "mon-fri", "sat,sun", "wed")),
    st.sampled_from(("", "20:00", "02:30", "7:15", "23:59")),
)  # fmt: skip


@settings(max_examples=150)
@given(asking, paces)
def test_nothing_falls_due_at_night_in_an_absence_or_on_another_day(one: ClockedDecision, pace: Pace) -> None:
    """Law: ends, ends of grace and reminders, in every zone, whatever the hours, absences and paces."""
    end, grace = deadline_of(pace, one), grace_end(pace, one)
    assert end is not None
    assert grace is not None
    assert one.start is not None
    assert end - one.start >= min(timedelta(hours=pace.hours) + one.more, end - one.start)
    assert grace >= end + 12 * HOUR
    told = list(reminders(pace, one))
    for at in (end, grace, *told):
        assert not one.hours.is_quiet(at)
        assert not one.hours.is_away(at)
    for at in (end, grace):
        assert not pace.days or str(at.astimezone(one.hours.zone).isoweekday()) in pace.days
    assert all(later - sooner >= REMINDERS_APART for sooner, later in itertools.pairwise(told))


@settings(max_examples=100)
@given(asking, paces, st.lists(st.integers(1, 700).map(lambda minutes: timedelta(minutes=minutes)), max_size=40))
def test_a_walk_through_time_never_plays_unlawfully(one: ClockedDecision, pace: Pace, delays: list[timedelta]) -> None:
    """Whatever the delays of mail: before an order is played it was shown, delivered, for twelve hours, and by day."""
    assert one.start is not None
    now, sent = one.start, []
    delay = iter(delays)
    for _ in range(60):
        found = next_action(pace, ClockedDecision(**{**_fields(one), "shown": tuple(sent)}), now)
        assert found is not None
        now = max(now, found.at)
        if found.what is PLAY:
            break
        now += timedelta(minutes=1)
        sent.append(ShownReminder(now, now, "pass"))
        now += next(delay, timedelta())
    else:
        raise AssertionError("it is never played")
    assert sent
    assert now - sent[0].at >= SHOWN_BEFORE_DEFAULT
    assert now - one.start >= SHOWN_BEFORE_DEFAULT
    assert now >= (grace_end(pace, one) or now)
    assert not one.hours.is_quiet(now)
    assert not one.hours.is_away(now)


def _fields(one: ClockedDecision) -> dict[str, object]:
    return {name: getattr(one, name) for name in ClockedDecision.__slots__}


@pytest.mark.parametrize("text", ["none", "slow", "medium mon-fri 20:00", "brisk sat-mon", "medium wed,fri 7:30"])
def test_a_pace_is_read_as_it_is_written(text: str) -> None:
    pace = parse_pace(text)
    assert pace == parse_pace(pace_text(pace))


def test_days_may_go_over_the_weekend() -> None:
    assert "167" == parse_pace("brisk sat-mon").days


@pytest.mark.parametrize("text", ["", "fast", "medium someday", "slow 25:00", "medium 20"])
def test_what_is_no_pace_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(OrderRefused) as refused:
        parse_pace(text)
    assert "none, slow, medium, brisk" in str(refused.value.possible[0])


def test_every_option_of_a_table_has_its_usual_value() -> None:
    assert table_fields({}) == {"pace": Pace(), "answers": "count", "cooling": 0, "follow": False, "anonymous": False}
    assert table_fields({}) == table_fields({option.name: option.default for option in TABLE_OPTIONS})
    for name in ("late", "answers"):
        with pytest.raises(OrderRefused):
            table_fields({name: "never"})


TODAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("24 dec to 6 jan", "2026-12-24", "2027-01-06"),
        ("from 24 December until January 6th", "2026-12-24", "2027-01-06"),
        ("du 24 décembre au 6 janvier", "2026-12-24", "2027-01-06"),
        ("du 24 au 27 décembre", "2026-12-24", "2026-12-27"),
        ("24 to 27 dec", "2026-12-24", "2026-12-27"),
        ("jusqu’au 1er janv.", "2026-11-22", "2027-01-01"),
        ("until 6 jan", "2026-11-22", "2027-01-06"),
        ("24/12 - 6/1", "2026-12-24", "2027-01-06"),
        ("24.12. - 6.1.", "2026-12-24", "2027-01-06"),
        ("2026-12-24 to 2027-01-06", "2026-12-24", "2027-01-06"),
        ("tomorrow", "2026-11-23", "2026-11-23"),
        ("22 nov", "2026-11-22", "2026-11-22"),
        ("21 nov", "2027-11-21", "2027-11-21"),
        ("29 feb", "2028-02-29", "2028-02-29"),
        ("du 28 février au 1 mars 2028", "2027-02-28", "2028-03-01"),
    ],
)
def test_dates_are_read_in_english_and_french(text: str, first: str, last: str) -> None:
    assert (date.fromisoformat(first), date.fromisoformat(last)) == period(text, TODAY)


@pytest.mark.parametrize("text", ["", "soon", "31 feb", "24 dec 2026 to 2 dec 2026", "0 jan", "32/1", "24 dec to", "99999999"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(OrderRefused):
        period(text, TODAY)


@pytest.mark.parametrize(("text", "hours"), [("+2d", 48), ("12h", 12), ("3 jours", 72), ("+1w", 168), ("1 semaine", 168)])
def test_a_span_is_read(text: str, hours: int) -> None:
    assert hours * HOUR == span(text)


@pytest.mark.parametrize("text", ["", "-2d", "0h", "2 years", "d"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(OrderRefused):
        span(text)


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "é", "localtime", "posixrules",
                                  "Factory", "posix/Europe/Paris", "right/Europe/Paris"])  # fmt: skip
def test_what_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(OrderRefused):
        zone_of(name)


@pytest.mark.parametrize(
    ("told", "here", "among"),
    [
        ("UTC+2", "Europe/Paris", "Europe/Athens Europe/Helsinki Africa/Cairo Africa/Johannesburg Asia/Jerusalem"),
        ("utc −5", "America/Toronto", "America/New_York America/Toronto America/Lima Pacific/Easter"),
        ("GMT+05:30", "Europe/Paris", "Asia/Kolkata"), ("+1", "UTC", "Europe/Paris Africa/Lagos"),
        ("CEST", "Europe/Rome", "Europe/Paris"), ("cest", "Asia/Tokyo", "Europe/Paris"),
        ("EST", "Europe/Paris", "America/New_York America/Jamaica"),
        ("IST", "Asia/Tokyo", "Asia/Kolkata Asia/Jerusalem Europe/Dublin"), ("GMT", "Europe/Rome", "Europe/London"),
    ],
)  # fmt: skip
def test_what_tells_the_hour_and_no_place_is_answered_with_towns(told: str, here: str, among: str) -> None:
    found = zones_meant(told, utc("2026-11-28T12:00"), zone_of(here))
    assert set(among.split()) <= set(found)
    assert len(set(found)) == len(found) <= 25
    assert all("/" in one and zone_of(one) for one in found)
    if told[-1].isdigit():
        assert 1 == len({utc("2026-11-28T12:00").astimezone(zone_of(one)).utcoffset() for one in found})


@pytest.mark.parametrize("told", ["UTC", "Europe/Paris", "Cuba", "Iran", "Paris", "UTC+25", "", "2"])
def test_what_names_a_zone_or_nothing_is_no_offset(told: str) -> None:
    assert () == zones_meant(told, utc("2026-11-28T12:00"), zone_of("Europe/Paris"))


def test_quiet_hours_are_read_and_bounded() -> None:
    assert (22, 7) == parse_quiet_hours("")
    assert (23, 8) == parse_quiet_hours("23-8") == parse_quiet_hours("23 h à 8 h") == parse_quiet_hours("23 to 8")
    assert (0, 0) == parse_quiet_hours("off")
    for text in ("7-22x", "1-0", "25-7", "whenever", "0-23"):
        with pytest.raises(OrderRefused):
            parse_quiet_hours(text)
    assert not any(Availability(ZoneInfo("UTC"), (0, 0)).is_quiet(utc(f"2026-11-24T{hour:02}:30")) for hour in range(24))


def test_a_moment_is_told_in_its_readers_zone() -> None:
    at = utc("2026-11-24T23:30")
    assert "Tuesday 24 November, 23:30 (UTC)" == str(local_time(at, ZoneInfo("UTC")))
    assert "Wednesday 25 November, 05:15 (Asia/Kathmandu)" == str(local_time(at, ZoneInfo("Asia/Kathmandu")))
    assert "Wednesday 25 November, 12:30 (Pacific/Auckland)" == str(local_time(at, ZoneInfo("Pacific/Auckland")))


@pytest.mark.parametrize(
    "text",
    ["9999-12-31", "until 9999-12-31", "from 9999-12-30 to 9999-12-31", "31.12.9999", "until 31 December 9999",
     "jusqu'au 31/12/9999", "10000-01-01", "tomorrow to 9998-01-01"],
)  # fmt: skip
def test_a_day_at_the_end_of_time_is_refused(text: str) -> None:
    with pytest.raises(OrderRefused):
        period(text, TODAY)
