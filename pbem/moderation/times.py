"""What a moderator does with time: another pace, more of it for a seat, days of absence beyond what a person has."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from engine.catalog import T
from engine.errors import NotAllowed
from engine.game import Seat
from pbem.clocks.dates import span
from pbem.clocks.pace import pace_of, written
from pbem.desk.commands.hours import absent, period_told
from pbem.desk.context import Context, hours_of
from pbem.desk.result import Result
from pbem.desk.seated import with_row
from pbem.desk.services import Services
from pbem.host.people import Holder
from pbem.inbound.speech import relayed
from pbem.moderation.deed import SEAT, Argument, Takes, Why, deed
from pbem.moderation.deeds import LONGEST, asked_anew, done, everyone, not_over, reason, seat_of

GRANTED = 120
"""Days of absence in one game, whoever grants them."""


@deed(
    T("gives a seat more time for what it is asked"), SEAT, Argument(name="more", takes=Takes.NAME, shown="+2d"),
    why=Why.OPTIONAL,
)  # fmt: skip
def deadline(context: Context, seat: str, more: str, why: str = "") -> Result:
    """Give a seat more time.

    For the decision that it is asked now: +2d, +12h, +1w. Its reminders and its grace move with it; nobody's time is
    ever shortened.
    """
    not_over(context)
    row, moved = seat_of(context, seat), span(more)
    clock = row.clock
    if clock is None:
        raise NotAllowed(T("No clock runs for {name}.", name=row.name))
    fresh = replace(row, clock=replace(clock, more=clock.more + int(moved.total_seconds())))
    hours = int(moved / timedelta(hours=1))
    says = T("{name} has {n} hour more to answer.", "{name} has {n} hours more to answer.", name=row.name, n=hours)
    stored = with_row(context.stored, fresh)
    return done(context, "deadline", says, relayed(why, LONGEST), stored=stored, concerned=(Seat(row.seat),))


@deed(
    T("how long a decision may take from now on, for who is asked, too"),
    Argument(name="pace", takes=Takes.NAME, shown="medium mon-fri 20:00"), word="pace", why=Why.NEEDED,
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
    Argument(name="days", takes=Takes.NAME, shown="24 dec to 6 jan"), why=Why.OPTIONAL, host=True,
)  # fmt: skip
def away(context: Context, services: Services, seat: str, days: str, why: str = "") -> Result:
    """Note that a person is away.

    Their time stands still meanwhile, and the others see it. A person has 21 days in a game by mail; here it may be
    more.
    """
    not_over(context)
    row = seat_of(context, seat)
    holders = services.people.holders(context.stored.table.game)
    holder: Holder | None = next((one for one in holders if one.seat == row.seat), None)
    hours = hours_of(services.zone, holder, row)
    one, table = absent(days, context.stored.table, Seat(row.seat), hours, services.clock(), GRANTED)
    says = T("{name} is away from {first} to {last}.", name=row.name, **period_told(one, hours))
    stored = replace(context.stored, table=table)
    return done(context, "away", says, relayed(why, LONGEST), stored=stored, concerned=(Seat(row.seat),))
