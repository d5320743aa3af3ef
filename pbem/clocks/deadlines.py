"""What is due next of one seat's clock, from the table's pace and what is known of the seat.

A clock runs from when the server took the mail that asks. Reminders go at half time, twelve hours and two hours before
the end; twelve hours of grace follow. An answer is played for a seat only where all that it rests on is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from pbem.clocks.availability import Availability
from pbem.store.game_table import Pace

HOUR = timedelta(hours=1)
GRACE = 12 * HOUR
REMINDER_HOURS = (12, 2)
"""Hours before the end at which a reminder goes, beside the one at half time."""
REMINDERS_APART = 6 * HOUR
"""A reminder that is nearer than this to the one before it is left out."""
SHOWN_BEFORE_DEFAULT = 12 * HOUR
"""The mail that asks, and a reminder with the order, must have been delivered so long before the order is played."""
CLOCK_TOLERANCE = HOUR / 12
"""What was written down so little ahead of now counts as past: a clock was set right, or somebody read the time before.
What is further ahead was written by a clock that ran ahead."""
LONGEST_STOP = 48 * HOUR
"""A report that mail has come back stops a clock for at most so long: whoever is asked can forge one."""
INVITATION_REMINDERS = (48 * HOUR, 120 * HOUR)
"""An invitation that is not answered is sent again after these; after as long again as between, the moderator is
told."""


class DueAction(Enum):
    """What happens when it is due."""

    REMIND = auto()
    PLAY = auto()
    """The order is played for the seat."""
    TELL = auto()
    """The moderator is told that the seat is late."""
    MAIL = auto()
    """A mail that was held back goes out."""


@dataclass(frozen=True, slots=True)
class ShownReminder:
    """A reminder: when it was written, when the server took it (None: not yet), and the order that it shows."""

    at: datetime
    accepted: datetime | None
    order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockedDecision:
    """A seat that must answer."""

    seat: str
    hours: Availability
    start: datetime | None
    """When the server accepted the mail that asks; None while it has not."""
    more: timedelta = timedelta()
    """By how much the end was moved."""
    stood: timedelta = timedelta()
    """How long the clock stands or stood because mail is said to come back."""
    remind: int = 0
    """Hours before the end at which the person is reminded; 0: as usual."""
    order: str = ""
    """What would be played for the seat now."""
    shown: Sequence[ShownReminder] = field(default_factory=tuple)
    told: bool = False
    """The moderator knows that the seat is late."""


@dataclass(frozen=True, slots=True, order=True)
class NextAction:
    """What is due next of a seat."""

    at: datetime
    seat: str
    what: DueAction = field(compare=False)


def deadline_of(pace: Pace, ask: ClockedDecision) -> datetime | None:
    """When a seat's time is over; None where its clock does not run."""
    if not pace.hours or ask.start is None:
        return None
    return ask.hours.ends(time_used_up(pace, ask), pace)


def time_stopped(start: datetime, since: datetime | None) -> timedelta:
    """How long a clock that runs from `start` stands because of a report of that time. It does not shrink when mail
    arrives again: no clock jumps ahead."""
    return timedelta() if since is None else max(since + LONGEST_STOP - max(start, since), timedelta())


def time_used_up(pace: Pace, ask: ClockedDecision) -> datetime:
    """When the time of a seat whose clock runs is used up, whatever day and hour that is."""
    assert ask.start is not None
    return ask.hours.after(ask.start, pace.hours * HOUR) + ask.more + ask.stood


def grace_end(pace: Pace, ask: ClockedDecision) -> datetime | None:
    """When grace is over as well."""
    end = deadline_of(pace, ask)
    return None if end is None else ask.hours.free(ask.hours.after(end, GRACE), pace.days)


def reminders(pace: Pace, ask: ClockedDecision) -> Iterator[datetime]:
    """When reminders are due, in order; none nearer than six hours to the one before it."""
    end = deadline_of(pace, ask)
    if end is None or ask.start is None:
        return
    # Time that was added lies before half time, so that a clock that jumps reminds nobody.
    wished = [end - (end - ask.start - ask.more - ask.stood) / 2, *(end - hours * HOUR for hours in REMINDER_HOURS)]
    if ask.remind:
        wished = [end - ask.remind * HOUR]
    last = None
    for at in sorted(ask.hours.free(max(one, ask.start)) for one in wished):
        if at < end and (last is None or at >= last + REMINDERS_APART):
            last = at
            yield at


def next_action(pace: Pace, ask: ClockedDecision, now: datetime) -> NextAction | None:
    """What is due next of a seat, and when; in the past if it is overdue. None: nothing, as things are."""
    end, grace = deadline_of(pace, ask), grace_end(pace, ask)
    if end is None or grace is None:
        return None
    # Reminders that a clock that ran ahead has written down do not count.
    ask = replace(ask, shown=tuple(one for one in ask.shown if one.at <= now + CLOCK_TOLERANCE))
    written = max((one.at for one in ask.shown), default=None)
    for at in reminders(pace, ask):
        if written is None or at >= max(written + REMINDERS_APART, written):
            return _at(ask, at, DueAction.REMIND, now)
    if pace.late == "wait" or not ask.order:
        return None if ask.told else _at(ask, grace, DueAction.TELL, now)
    telling = [one for one in ask.shown if one.order == ask.order]
    accepted = [one.accepted for one in telling if one.accepted is not None and one.accepted <= now + CLOCK_TOLERANCE]
    if accepted:
        known = max(min(accepted), ask.start or now)
        return _at(ask, max(grace, known + SHOWN_BEFORE_DEFAULT), DueAction.PLAY, now)
    if telling and all(one.accepted is None for one in telling):
        # The reminder is on its way: while mail cannot go out, nothing is due.
        return None
    # An order that has changed since the last reminder is shown, but not in the same breath.
    return _at(ask, end if written is None else max(end, written + HOUR), DueAction.REMIND, now)


def digest_time(pace: Pace, hours: Availability, hour: int, now: datetime, *, asks: bool) -> datetime | None:
    """Until when a mail may wait for its reader's daily one, at an `hour` where they live; None: it must not wait.

    A mail that asks waits for at most half of the time that there is to answer.
    """
    at = hours.daily(hour, now)
    return None if asks and pace.hours and at > hours.after(now, pace.hours * HOUR / 2) else at


def next_invitation_action(ask: ClockedDecision, now: datetime) -> NextAction | None:
    """What is due next of somebody who has not answered an invitation, whatever the table's pace."""
    if ask.start is None:
        return None
    count, apart = len(ask.shown), INVITATION_REMINDERS[1] - INVITATION_REMINDERS[0]
    last = max((one.at for one in ask.shown if one.at <= now + CLOCK_TOLERANCE), default=ask.start)
    if count < len(INVITATION_REMINDERS):
        at = max(ask.start + INVITATION_REMINDERS[count], last + INVITATION_REMINDERS[0])
        return _at(ask, at, DueAction.REMIND, now)
    return _at(ask, last + apart, DueAction.TELL, now)


def _at(ask: ClockedDecision, at: datetime, what: DueAction, now: datetime) -> NextAction:
    """Move a due time out of quiet hours and absences; what is overdue then waits for their end, too."""
    at, present = ask.hours.free(at), ask.hours.free(now)
    return NextAction(present if at <= now < present else at, ask.seat, what)
