"""A table's time: its pace, more time for a seat, days of absence beyond what a person may take."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from engine.catalog import T
from engine.errors import NotAllowed
from engine.game import Seat
from pbem.clocks.dates import span, when
from pbem.clocks.due import end_of, until
from pbem.clocks.pace import pace_of, written
from pbem.desk.commands.hours import absent, here_again, is_off, period_told
from pbem.desk.context import Context, hours_of
from pbem.desk.result import Result
from pbem.desk.seated import with_row
from pbem.desk.services import Services
from pbem.desk.waits import ask_of, unshortened
from pbem.host.people import Holder
from pbem.inbound.speech import relayed
from pbem.moderation.deed import (
    LONGEST,
    SEAT,
    Argument,
    Takes,
    asked_anew,
    deed,
    done,
    everyone,
    not_over,
    reason,
    seat_of,
)
from pbem.store.table import SeatRow

GRANTED = 120
"""Days of absence in one game that a moderator may grant."""


@deed(
    T("gives a seat more time for what it is asked"), SEAT, Argument(name="more", takes=Takes.NAME, shown="+2d"),
)  # fmt: skip
def deadline(context: Context, services: Services, seat: str, more: str, why: str = "") -> Result:
    """Give a seat more time.

    For the decision that it is asked now: +2d, +12h, +1w, counted from when its time would end. Its reminders and its
    grace move with it; nobody's time is ever shortened.
    """
    not_over(context)
    row, moved, pace = seat_of(context, seat), span(more), context.stored.table.pace
    ask = ask_of(services, _holder(context, services, row), row)
    ask = replace(ask, start=ask.start or services.clock())
    if row.clock is None or not (row.clock.number and row.clock.asked) or (before := end_of(pace, ask)) is None:
        raise NotAllowed(T("No clock runs for {name}.", name=row.name))
    # Counted from the end as mails tell it, which weekdays and a clock time may have moved.
    given = replace(ask, more=ask.more + before + moved - until(pace, ask))
    fresh = replace(row, clock=replace(row.clock, more=int(given.more.total_seconds())))
    hours, end = int(moved / timedelta(hours=1)), end_of(pace, given) or before
    says = T(
        "{name} has {n} hour more to answer: until {when}.", "{name} has {n} hours more to answer: until {when}.",
        name=row.name, n=hours, when=when(end, ask.hours.zone),
    )  # fmt: skip
    stored = with_row(context.stored, fresh)
    why = relayed(why, LONGEST)
    return done(context, "deadline", says, why, stored=stored, concerned=(Seat(row.seat),))


def _holder(context: Context, services: Services, row: SeatRow) -> Holder | None:
    holders = services.people.holders(context.stored.table.game)
    return next((one for one in holders if one.seat == row.seat), None)


@deed(
    T("how long a decision may take from now on, for who is asked, too"),
    Argument(name="pace", takes=Takes.NAME, shown="medium mon-fri 20:00"), word="pace",
)  # fmt: skip
def paced(context: Context, pace: str, why: str) -> Result:
    """Change how long a decision may take.

    PACE is none, slow (72 hours), medium (48) or brisk (24), with weekdays and a clock time at which it ends where
    the person lives, if you like: medium mon-fri 20:00. Whoever is asked is mailed again, and has the whole time.
    """
    not_over(context)
    table = context.stored.table
    found = pace_of(pace, table.pace.late)
    if found == table.pace:
        raise NotAllowed(T("The pace of this game is so already."))
    says = T("The pace of this game is {pace} from now on.", pace=written(found))
    rows = tuple(replace(row, clock=None) for row in table.seats)
    stored = asked_anew(replace(context.stored, table=replace(table, pace=found, seats=rows)))
    return done(context, "pace", says, reason(why), stored=stored, concerned=everyone(context))


@deed(
    T("notes that a person is away, beyond the days that they have themselves"), SEAT,
    Argument(name="days", takes=Takes.NAME, shown="24 dec to 6 jan"),
)  # fmt: skip
def away(context: Context, services: Services, seat: str, days: str, why: str = "") -> Result:
    """Note that a person is away.

    Their time stands still meanwhile, and the others see it. A person has 21 days in a game by mail; here it may be
    more. DAYS is 24 dec to 6 jan, or off: the person is here again.
    """
    not_over(context)
    row, table = seat_of(context, seat), context.stored.table
    if is_off(days):
        says, table = T("{name} is here again.", name=row.name), here_again(table, row, services.clock(), row.name)
    else:
        hours = hours_of(services.zone, _holder(context, services, row), row)
        one, table = absent(days, table, Seat(row.seat), hours, services.clock(), GRANTED, row.name)
        says = T("{name} is away from {first} to {last}.", name=row.name, **period_told(one, hours))
    holder = _holder(context, services, row)
    kept = unshortened(services, table.pace, (holder, row), (holder, table.seat(row.seat)))
    stored = with_row(replace(context.stored, table=table), kept)
    return done(context, "away", says, relayed(why, LONGEST), stored=stored, concerned=(Seat(row.seat),))
