"""A table's time: its pace, more time for a seat, days of absence beyond what a person may take."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from engine.catalog import T
from engine.errors import NotAllowed
from engine.game import Seat
from pbem.admin.admin_action import (
    MAX_REASON,
    SEAT,
    Argument,
    ArgumentKind,
    action_result,
    admin_action,
    all_seats,
    ask_again,
    checked_reason,
    find_row,
    require_not_over,
)
from pbem.clocks.dates import local_time, span
from pbem.clocks.deadlines import deadline_of, time_used_up
from pbem.clocks.pace import pace_text, parse_pace
from pbem.desk.clock.clock_text import ask_of, prolonged
from pbem.desk.commands.preferences import absence_dates, end_absence, ends_absence, parse_absence
from pbem.desk.core.context import Context, hours_of
from pbem.desk.core.result import Result
from pbem.desk.core.seat_controller import with_row
from pbem.desk.core.services import Services
from pbem.host.people import Holder
from pbem.inbound.sanitize import clean_text
from pbem.store.game_table import SeatRow

MAX_DAYS_AWAY = 120
"""Days of absence in one game that a moderator may grant."""


@admin_action(
    T("gives a seat more time for what it is asked"), SEAT, Argument(name="more", takes=ArgumentKind.NAME, shown="+2d"),
)  # fmt: skip
def deadline(context: Context, services: Services, seat: str, more: str, why: str = "") -> Result:
    """Give a seat more time.

    For the decision that it is asked now: +2d, +12h, +1w, counted from when its time would end. Its reminders and its
    grace move with it; nobody's time is ever shortened.
    """
    require_not_over(context)
    row, moved, pace = find_row(context, seat), span(more), context.stored.table.pace
    ask = ask_of(services, _holder(context, services, row), row)
    ask = replace(ask, start=ask.start or services.clock())
    if row.clock is None or not (row.clock.number and row.clock.asked) or (before := deadline_of(pace, ask)) is None:
        raise NotAllowed(T("No clock runs for {name}.", name=row.name))
    # Counted from the end as mails tell it, which weekdays and a clock time may have moved.
    given = replace(ask, more=ask.more + before + moved - time_used_up(pace, ask))
    fresh = replace(row, clock=replace(row.clock, more=int(given.more.total_seconds())))
    hours, end = int(moved / timedelta(hours=1)), deadline_of(pace, given) or before
    says = T(
        "{name} has {n} hour more to answer: until {when}.", "{name} has {n} hours more to answer: until {when}.",
        name=row.name, n=hours, when=local_time(end, ask.hours.zone),
    )  # fmt: skip
    stored = with_row(context.stored, fresh)
    why = clean_text(why, MAX_REASON)
    return action_result(context, "deadline", says, why, stored=stored, concerned=(Seat(row.seat),))


def _holder(context: Context, services: Services, row: SeatRow) -> Holder | None:
    holders = services.people.holders(context.stored.table.game)
    return next((one for one in holders if one.seat == row.seat), None)


@admin_action(
    T("how long a decision may take from now on, for who is asked, too"),
    Argument(name="pace", takes=ArgumentKind.NAME, shown="medium mon-fri 20:00"), word="pace",
)  # fmt: skip
def set_pace(context: Context, pace: str, why: str) -> Result:
    """Change how long a decision may take.

    PACE is none, slow (72 hours), medium (48) or brisk (24), with weekdays and a clock time at which it ends where
    the person lives, if you like: medium mon-fri 20:00. Whoever is asked is mailed again, and has the whole time.
    """
    require_not_over(context)
    table = context.stored.table
    found = parse_pace(pace, table.pace.late)
    if found == table.pace:
        raise NotAllowed(T("The pace of this game is so already."))
    says = T("The pace of this game is {pace} from now on.", pace=pace_text(found))
    rows = tuple(replace(row, clock=None) for row in table.seats)
    stored = ask_again(replace(context.stored, table=replace(table, pace=found, seats=rows)))
    return action_result(context, "pace", says, checked_reason(why), stored=stored, concerned=all_seats(context))


@admin_action(
    T("notes that a person is away, beyond the days that they have themselves"), SEAT,
    Argument(name="days", takes=ArgumentKind.NAME, shown="24 dec to 6 jan"),
)  # fmt: skip
def away(context: Context, services: Services, seat: str, days: str, why: str = "") -> Result:
    """Note that a person is away.

    Their time stands still meanwhile, and the others see it. A person has 21 days in a game by mail; here it may be
    more. DAYS is 24 dec to 6 jan, or off: the person is here again.
    """
    require_not_over(context)
    row, table = find_row(context, seat), context.stored.table
    if ends_absence(days):
        says, table = T("{name} is here again.", name=row.name), end_absence(table, row, services.clock(), row.name)
    else:
        hours = hours_of(services.zone, _holder(context, services, row), row)
        one, table = parse_absence(days, table, Seat(row.seat), hours, services.clock(), MAX_DAYS_AWAY, row.name)
        says = T("{name} is away from {first} to {last}.", name=row.name, **absence_dates(one, hours))
    holder = _holder(context, services, row)
    kept = prolonged(services, table.pace, (holder, row), (holder, table.seat(row.seat)))
    stored = with_row(replace(context.stored, table=table), kept)
    return action_result(context, "away", says, clean_text(why, MAX_REASON), stored=stored, concerned=(Seat(row.seat),))
