"""What is due next of one seat's clock, and what happens then: from the table's pace and what is known of the seat.

A clock runs from when the mail that asks was taken by the server. Reminders go at half time, twelve hours and two hours
before the end; twelve hours of grace follow it. Whoever decides whether something may be done asks here, and nowhere
else: a default is due only where all that it rests on is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from pbem.clocks.hours import Hours
from pbem.store.table import Pace

HOUR = timedelta(hours=1)
GRACE = 12 * HOUR
BEFORE = (12, 2)
"""Hours before the end at which a reminder goes, beside the one at half time."""
APART = 6 * HOUR
"""A reminder that is nearer than this to the one before it is left out."""
SHOWN = 12 * HOUR
"""For how long the mail that asks and a reminder with the order must have been delivered before it is played."""
AHEAD = HOUR / 12
"""What was written down so little ahead of a moment has happened: while somebody worked who read the time before, or by
a clock that was set right. More than that is the work of a clock that ran ahead."""


STOOD = 48 * HOUR
"""For how long a report that mail has come back stops a clock, at most: whoever is asked can forge one."""

REPEATED = (48 * HOUR, 120 * HOUR)
"""After how long an invitation that is not answered is sent again; after as long again as between, the moderator is
told."""


class What(Enum):
    """What happens when it is due."""

    REMIND = auto()
    PLAY = auto()
    """The order is played for the seat."""
    TELL = auto()
    """The moderator is told that the seat is late."""
    MAIL = auto()
    """A mail that was held back goes out."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder: when it was written, when the server took it (None: not yet), and the order that it shows."""

    at: datetime
    accepted: datetime | None
    order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A seat that must answer. `start` is when the mail that asks was accepted, None while it was not.

    `order` is what would be played for it now, `more` by how much its end was moved, `stood` for how long its clock
    stands or stood because mail is said to come back, `remind` the hours before the end at which it wishes to be
    reminded (0: as usual); `told`: the moderator knows that it is late.
    """

    seat: str
    hours: Hours
    start: datetime | None
    more: timedelta = timedelta()
    stood: timedelta = timedelta()
    remind: int = 0
    order: str = ""
    shown: Sequence[Reminder] = field(default_factory=tuple)
    told: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Next:
    """What is due next of a seat."""

    at: datetime
    seat: str
    what: What = field(compare=False)


def end_of(pace: Pace, ask: Ask) -> datetime | None:
    """When a seat's time is over; None where its clock does not run."""
    if not pace.hours or ask.start is None:
        return None
    return ask.hours.ends(until(pace, ask), pace)


def stood(start: datetime, since: datetime | None) -> timedelta:
    """For how long a clock that runs from `start` stands because of a report of that time. It is the same from the
    report on, whether mail is known to arrive again or not: no clock jumps ahead."""
    return timedelta() if since is None else max(since + STOOD - max(start, since), timedelta())


def until(pace: Pace, ask: Ask) -> datetime:
    """When the time of a seat whose clock runs is used up, on whatever day and at whatever hour that is."""
    assert ask.start is not None
    return ask.hours.after(ask.start, pace.hours * HOUR) + ask.more + ask.stood


def grace_of(pace: Pace, ask: Ask) -> datetime | None:
    """When grace is over as well."""
    end = end_of(pace, ask)
    return None if end is None else ask.hours.free(ask.hours.after(end, GRACE), pace.days)


def reminders(pace: Pace, ask: Ask) -> Iterator[datetime]:
    """When reminders are due, in order; none nearer than six hours to the one before it."""
    end = end_of(pace, ask)
    if end is None or ask.start is None:
        return
    # Time that was added lies before half time: a clock that jumps reminds nobody.
    wished = [end - (end - ask.start - ask.more - ask.stood) / 2, *(end - hours * HOUR for hours in BEFORE)]
    if ask.remind:
        wished = [end - ask.remind * HOUR]
    last = None
    for at in sorted(ask.hours.free(max(one, ask.start)) for one in wished):
        if at < end and (last is None or at >= last + APART):
            last = at
            yield at


def next_of(pace: Pace, ask: Ask, now: datetime) -> Next | None:
    """What is due next of a seat, and when; in the past if it is overdue. None: nothing, as things are."""
    end, grace = end_of(pace, ask), grace_of(pace, ask)
    if end is None or grace is None:
        return None
    # What a clock that ran ahead has written down is no time that has passed.
    ask = replace(ask, shown=tuple(one for one in ask.shown if one.at <= now + AHEAD))
    written = max((one.at for one in ask.shown), default=None)
    for at in reminders(pace, ask):
        if written is None or at >= max(written + APART, written):
            return _at(ask, at, What.REMIND, now)
    if pace.late == "wait" or not ask.order:
        return None if ask.told else _at(ask, grace, What.TELL, now)
    telling = [one for one in ask.shown if one.order == ask.order]
    accepted = [one.accepted for one in telling if one.accepted is not None and one.accepted <= now + AHEAD]
    if accepted:
        known = max(min(accepted), ask.start or now)
        return _at(ask, max(grace, known + SHOWN), What.PLAY, now)
    if telling and all(one.accepted is None for one in telling):
        # It is on its way: while mail cannot go out, nothing is due.
        return None
    # An order that has changed since the last reminder is shown, but not in the same breath.
    return _at(ask, end if written is None else max(end, written + HOUR), What.REMIND, now)


def held_until(pace: Pace, hours: Hours, hour: int, now: datetime, *, asks: bool) -> datetime | None:
    """Until when a mail may wait for the one a day that its reader gets, at an `hour` where they live; None: it must
    not wait.

    What asks waits for no more than half of the time that there is to answer.
    """
    at = hours.daily(hour, now)
    return None if asks and pace.hours and at > hours.after(now, pace.hours * HOUR / 2) else at


def invitation(ask: Ask, now: datetime) -> Next | None:
    """What is due next of somebody who has not answered an invitation: at any table, whatever its pace."""
    if ask.start is None:
        return None
    count, apart = len(ask.shown), REPEATED[1] - REPEATED[0]
    last = max((one.at for one in ask.shown if one.at <= now + AHEAD), default=ask.start)
    if count < len(REPEATED):
        return _at(ask, max(ask.start + REPEATED[count], last + REPEATED[0]), What.REMIND, now)
    return _at(ask, last + apart, What.TELL, now)


def _at(ask: Ask, at: datetime, what: What, now: datetime) -> Next:
    """Nothing falls due, and nothing overdue is done, in quiet hours or while the person is away."""
    at = ask.hours.free(at)
    return Next(at if at > now else ask.hours.free(now) if ask.hours.free(now) > now else at, ask.seat, what)
