"""Who is mailed after a commit, and whose mail is held back for a while: as each person wishes (`mail daily`).

What is held back lies nowhere: the seat's row still says what its last mail has told, and the mail that goes in the end
tells everything since. A crash loses none of it, and sends none twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from engine.game import AnyGame, Decision, Seat
from pbem.clocks.due import held_until
from pbem.desk.commands.hours import DAILY, EVERY_TURN
from pbem.desk.context import hours_of
from pbem.desk.result import Result
from pbem.host.people import Holder
from pbem.outbound.mail import MailKind, Message
from pbem.store.table import Held

CALM = timedelta(hours=1)
"""For how long the mails wait of a writer whose letters have made somebody ring often enough (`budgets.RINGS`)."""


def addressees(
    asked: Mapping[Seat, int],
    waiting: Sequence[Decision] = (),
    answer: Message | None = None,
    concerned: Collection[Seat] = (),
    everybody: MailKind | None = None,
    hearing: Collection[Seat] = (),
) -> dict[Seat, MailKind]:
    """The one mail each seat gets after a commit, in seat order; a seat without an entry gets none.

    `asked` gives for every seat the number of the decision it was last mailed about (0: none), `waiting` the decisions
    that are open now. Contract, «Mail volume», setting `my-turn`: a person is mailed when they must decide, when they
    wrote, and when a repair, a message or the end concerns them; one letter in causes at most one mail per person; the
    rest waits for «since your last mail». Whoever wishes to hear of every turn is told of it (`hearing`).
    """
    due: dict[Seat, MailKind] = {}
    numbers = {decision.seat: decision.number for decision in waiting}
    for seat, before in asked.items():
        if everybody is not None:
            due[seat] = everybody
        elif answer is not None and seat == answer.seat:
            due[seat] = answer.kind
        elif numbers.get(seat, before) != before:
            due[seat] = MailKind.TURN
        elif seat in concerned or seat in hearing:
            due[seat] = MailKind.NEWS
    return due


def hearing(
    game: AnyGame, result: Result, holders: Mapping[Seat, Holder], waiting: Sequence[Decision]
) -> tuple[Seat, ...]:
    """Who wishes to hear of every turn, where there is something to be told of this one: never that somebody has
    sealed an answer."""
    if result.state is None or not result.entries or any(one.sealed for one in waiting):
        return ()
    wish = (seat for seat, one in holders.items() if one.volume == EVERY_TURN)
    first = result.stored.table.entries + 1
    return tuple(seat for seat in wish if game.tell(result.state, result.entries, seat, first))


def mailed_at_once(game: AnyGame, result: Result) -> frozenset[Seat]:
    """Who is told, whatever they wish to hear, that what they had said beforehand has ended their round."""
    if result.state is None:
        return frozenset()
    first = result.stored.table.entries + 1
    seats = {Seat(row.seat) for row in result.stored.table.seats}
    told = seats & {Seat(seat) for entry in result.entries for seat in entry.only}
    return frozenset(
        seat for seat in told if any(line.at_once for line in game.tell(result.state, result.entries, seat, first))
    )


def held_back(
    zone: ZoneInfo,
    result: Result,
    holders: Mapping[Seat, Holder],
    due: Mapping[Seat, MailKind],
    now: datetime,
    urgent: Collection[Seat] = (),
) -> dict[str, Held]:
    """Of the mails that are due, those that wait: for the one that their readers get a day, while a letter may still
    be replaced, or after many of one writer's.

    What answers a letter, what the clock sends, what begins and what ends a game goes at once, and so does what is
    `urgent`.
    """
    found, table, known = {}, result.stored.table, result.stored.secrets.held
    at_once = (result.clocked, result.answer.seat if result.answer else "")
    cools = now + timedelta(minutes=table.cooling) if is_cooling(result) else None
    for seat, kind in due.items():
        holder = holders.get(seat)
        if kind not in (MailKind.TURN, MailKind.NEWS) or seat in at_once or holder is None or not holder.addresses:
            continue
        daily = None
        if holder.volume == DAILY and seat not in urgent:
            hours = hours_of(zone, holder, table.seat(seat))
            daily = held_until(table.pace, hours, holder.hour, now, asks=kind is MailKind.TURN)
        calm = now + CALM if (seat, kind) in result.often else None
        ends = [one for one in (daily, cools, calm) if one is not None]
        if ends:
            before = known.get(seat, Held(now, max(ends)))
            found[str(seat)] = replace(before, until=min(before.until, max(ends)), daily=daily is not None)
    return found


def is_cooling(result: Result) -> bool:
    """Whether a letter has played what another may still take the place of, at a table that leaves time for it."""
    marks, table = result.marks or (), result.stored.table
    others = len(table.seats) > 1
    return bool(others and table.cooling and result.entries and result.seat and marks and marks[-1].seat == result.seat)
