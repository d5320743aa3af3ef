"""Run the seats' clocks, and say who is asked since when and until when, and how many have answered.

Of a sealed answer it tells no more than the table allows (`answers`): a clock stands alike for who has answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from engine.catalog import Msg, T
from engine.game import Decision, Seat
from pbem.clocks.dates import local_day, local_time
from pbem.clocks.deadlines import ClockedDecision, deadline_of, grace_end, time_stopped
from pbem.desk.core.context import hours_of
from pbem.desk.core.seat_controller import COMPUTER
from pbem.desk.core.services import Services
from pbem.host.people import Holder
from pbem.store.game_table import AwaitedDecision, Pace, SeatClock, SeatRow, Status, Table


class Accepts(Protocol):
    """The part of the spool that tells when a mail was accepted."""

    def accepted(self, message_id: str) -> datetime | None: ...


class Post(Protocol):
    """The part of `Services` that a clock needs."""

    @property
    def spool(self) -> Accepts: ...
    @property
    def zone(self) -> ZoneInfo: ...


def deadlines_of(services: Post, table: Table, holders: Iterable[Holder]) -> dict[str, datetime]:
    """The end of each running clock, by seat."""
    known = {str(holder.seat): holder for holder in holders}
    clocked = (row for row in table.seats if row.clock and row.clock.number and row.clock.asked)
    asked = ((row.seat, ask_of(services, known.get(row.seat), row)) for row in clocked)
    return {seat: end for seat, ask in asked if (end := deadline_of(table.pace, ask)) is not None}


def ask_of(services: Post, holder: Holder | None, row: SeatRow, **known: object) -> ClockedDecision:
    """A seat's clock as the table sees it. It does not run where no mail leaves for the holder."""
    start = services.spool.accepted(row.clock.asked) if row.clock else None
    more = timedelta(seconds=row.clock.more if row.clock else 0)
    since = holder.unreachable_since if holder else None
    if holder is None or (start is not None and holder.cut_off and (since is None or start < since)):
        start = None
    stands = timedelta()
    if start is not None and holder is not None and not holder.refused:
        stands = time_stopped(start, since)
    remind = holder.remind if holder else 0
    hours = hours_of(services.zone, holder, row)
    told = ClockedDecision(seat=row.seat, hours=hours, start=start, more=more, stood=stands, remind=remind)
    return replace(told, **known)  # type: ignore[arg-type]


def prolonged(
    services: Services, pace: Pace, before: tuple[Holder | None, SeatRow], after: tuple[Holder | None, SeatRow]
) -> SeatRow:
    """The row of a seat after an action, with enough more time that no default comes sooner than before."""
    row, told = after[1], grace_end(pace, ask_of(services, *before))
    if row.clock is None or told is None:
        return row
    ask = ask_of(services, *after)
    ask = replace(ask, start=ask.start or services.clock())
    while (sooner := grace_end(pace, ask)) is not None and sooner < told:
        ask = replace(ask, more=ask.more + (told - sooner))
    return replace(row, clock=replace(row.clock, more=int(ask.more.total_seconds())))


def clock_after(
    table: Table, row: SeatRow, number: int | None, intent: str, *, stopped: bool = False, anew: bool = False
) -> SeatRow:
    """A seat's row with its clock after a commit that mailed it `intent` (empty: nothing).

    `number` is what it is asked; 0 for the invitation, whose clock needs no pace. The first mail that asks starts the
    clock. In a `stopped` game the clock stands until a mail asks again. Time that was added stays, also where the same
    is asked `anew` with another number.
    """
    clock = row.clock if row.by != COMPUTER else None
    if stopped:
        return replace(row, clock=replace(clock, asked="") if clock and clock.number and clock.more else None)
    if number is None or (number and not table.pace.hours) or row.by == COMPUTER:
        return replace(row, clock=None) if row.clock else row
    if clock is not None and clock.asked and clock.number == number:
        return row
    more = clock.more if clock is not None and (anew or clock.number == number) else 0
    asked = intent if row.asked == number else ""
    return replace(row, clock=SeatClock(number, asked, more) if asked or more else None)


def wait_after(
    table: Table, status: Status, waiting: Sequence[Decision], moved: bool, at: datetime
) -> AwaitedDecision | None:
    """The table's wait after a commit. `moved`: something was played, so that answers are counted anew.

    An answer by a standing order is counted with the first one by letter, never when the decision opens.
    """
    before = table.wait
    if status is Status.HELD:
        return before if before is not None and not before.number else AwaitedDecision(0, at, told=at)
    if not waiting:
        return None
    number = max(one.number for one in waiting)
    if before is None or before.number != number:
        return AwaitedDecision(number, at, tuple(str(one.seat) for one in waiting))
    if not moved or table.answers == "hidden":
        return before
    # A game marks who has answered, or asks them no more.
    left = {str(one.seat) for one in waiting if not one.answered}
    seats = tuple(seat for seat in before.asked if seat not in left)
    return replace(before, answered=len(seats), names=seats if table.answers == "names" else ())


def with_clock_text(
    services: Post, table: Table, waiting: Sequence[Decision], holders: Mapping[Seat, Holder], seat: Seat,
    at: datetime,
) -> tuple[Msg, ...]:  # fmt: skip
    """What a mail tells its reader of the wait.

    A clock that does not run yet is counted from `at`, so that no time is told later than the real one.
    """
    own = next((one for one in waiting if one.seat == seat), None)
    zone = hours_of(services.zone, holders.get(seat), table.seat(seat)).zone
    found: list[Msg] = []
    if own is not None and not own.answered:
        if end := _end(services, table, holders, seat, at):
            found.append(T("Please answer by {when}.", when=local_time(end, zone)))
        return (*found, *_answered(table, waiting, zone))
    asked = tuple(one.seat for one in waiting if one.seat != seat)
    ends = [end for other in asked if (end := _end(services, table, holders, other, at))]
    found += _answered(table, waiting, zone)
    if ends and table.wait is not None:
        since = local_day(table.wait.since, zone)
        found.append(T("Asked since {day}; there is time until {when}.", day=since, when=local_time(max(ends), zone)))
    unheard = tuple(table.seat(other).name for other in asked if (one := holders.get(other)) and one.unreachable)
    if unheard:
        found.append(T("Mail does not reach {names} at present; the moderator has been told.", names=unheard))
    return tuple(found)


def _end(
    services: Post, table: Table, holders: Mapping[Seat, Holder], seat: Seat, at: datetime
) -> datetime | None:
    row, holder = table.seat(seat), holders.get(seat)
    if row.by == COMPUTER or holder is None or not holder.addresses or holder.cut_off:
        return None
    ask = ask_of(services, holder, row)
    return deadline_of(table.pace, replace(ask, start=ask.start or at))


def _answered(table: Table, waiting: Sequence[Decision], zone: ZoneInfo) -> tuple[Msg, ...]:
    """«4 of 6 have answered»."""
    wait = table.wait
    if wait is None or not wait.answered or not any(one.sealed for one in waiting):
        return ()
    since = local_day(wait.since, zone)
    if wait.names:
        names = tuple(table.seat(one).name for one in wait.names)
        return (T("Answered, since {day}: {names}.", day=since, names=names),)
    says = T(
        "{n} of {all} has answered, since {day}.", "{n} of {all} have answered, since {day}.",
        n=wait.answered, all=len(wait.asked), day=since,
    )  # fmt: skip
    return (says,)
