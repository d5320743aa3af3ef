"""Decide who is mailed after a commit and whose mail is held back, and bind daily mails to one address into one.

A mail that is held back is stored nowhere: the seat's row says what its last mail told, and the next one tells all
since then. So a crash loses nothing and sends nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from email.headerregistry import Address
from itertools import groupby
from zoneinfo import ZoneInfo

from engine.game import AnyGame, Decision, Seat
from pbem.clocks.deadlines import digest_time
from pbem.desk.commands.preferences import DAILY, EVERY_TURN
from pbem.desk.core.context import hours_of
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services
from pbem.host.keys import message_id
from pbem.host.people import Holder
from pbem.outbound.digest_mail import DigestPart, bind_digest, split_digest
from pbem.outbound.mail import MailKind, Message
from pbem.store.database import OutgoingMail, QueuedMail
from pbem.store.game_table import HeldMail

CALM = timedelta(hours=1)
"""How long mails wait of a writer whose letters have made somebody ring often enough (`budgets.RINGS`)."""


def addressees(
    asked: Mapping[Seat, int],
    waiting: Sequence[Decision] = (),
    answer: Message | None = None,
    concerned: Collection[Seat] = (),
    everybody: MailKind | None = None,
    hearing: Collection[Seat] = (),
) -> dict[Seat, MailKind]:
    """The one mail each seat gets after a commit, in seat order; a seat without an entry gets none.

    A person is mailed when they must decide, when they wrote, when a repair, a message or the end concerns them, and
    when they wish to hear of every turn (`hearing`). `asked` gives for every seat the decision it was last mailed about
    (0: none), `waiting` the decisions that are open now.
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


def hears_every_turn(
    game: AnyGame, result: Result, holders: Mapping[Seat, Holder], waiting: Sequence[Decision]
) -> tuple[Seat, ...]:
    """Seats that wish to hear of every turn, if there is something to tell; never that somebody sealed an answer."""
    if result.state is None or not result.entries or any(one.sealed for one in waiting):
        return ()
    wish = (seat for seat, one in holders.items() if one.volume == EVERY_TURN)
    first = result.stored.table.entries + 1
    return tuple(seat for seat in wish if game.tell(result.state, result.entries, seat, first))


def mailed_at_once(game: AnyGame, result: Result) -> frozenset[Seat]:
    """Seats that are told at once, whatever they wish, that a standing order has ended their round."""
    if result.state is None:
        return frozenset()
    first = result.stored.table.entries + 1
    seats = {Seat(row.seat) for row in result.stored.table.seats}
    told = seats & {Seat(seat) for entry in result.entries for seat in entry.only}
    return frozenset(
        seat for seat in told if any(line.at_once for line in game.tell(result.state, result.entries, seat, first))
    )


def mails_held(
    zone: ZoneInfo,
    result: Result,
    holders: Mapping[Seat, Holder],
    due: Mapping[Seat, MailKind],
    now: datetime,
    urgent: Collection[Seat] = (),
) -> dict[str, HeldMail]:
    """The mails that wait: for a daily mail, while a letter may still be replaced, or after many of one writer's.

    Answers, mails of the clock, the beginning and the end of a game, and `urgent` mails go at once.
    """
    found, table, known = {}, result.stored.table, result.stored.secrets.held
    at_once = (result.clock.seat, result.answer.seat if result.answer else "")
    cools = now + timedelta(minutes=table.cooling) if is_cooling(result) else None
    for seat, kind in due.items():
        holder = holders.get(seat)
        if kind not in (MailKind.TURN, MailKind.NEWS) or seat in at_once or holder is None or not holder.addresses:
            continue
        daily = None
        if holder.volume == DAILY and seat not in urgent:
            hours = hours_of(zone, holder, table.seat(seat))
            daily = digest_time(table.pace, hours, holder.hour, now, asks=kind is MailKind.TURN)
        calm = now + CALM if (seat, kind) in result.delivery.often else None
        ends = [one for one in (daily, cools, calm) if one is not None]
        if ends:
            before = known.get(seat, HeldMail(now, max(ends)))
            found[str(seat)] = replace(before, until=min(before.until, max(ends)), daily=daily is not None)
    return found


def is_cooling(result: Result) -> bool:
    """True if another letter may still replace this one, before the others are mailed (`Table.cooling`)."""
    marks, table = result.marks or (), result.stored.table
    others = len(table.seats) > 1
    return bool(others and table.cooling and result.entries and result.seat and marks and marks[-1].seat == result.seat)


def bind(services: Services) -> int:
    """Release the daily mails, those to one address bound into one; returns how many go."""
    count = 0
    for _, found in groupby(sorted(services.spool.gathered(), key=lambda row: row.rcpt), key=lambda row: row.rcpt):
        rows = list(found)
        for parts in split_digest([DigestPart.of(row.raw, asks=row.kind == MailKind.TURN) for row in rows]):
            _bind(services, rows[: len(parts)], parts)
            rows, count = rows[len(parts) :], count + 1
    return count


def _bind(services: Services, rows: Sequence[QueuedMail], parts: Sequence[DigestPart]) -> None:
    names = [row.message_id for row in rows]
    if len(rows) == 1:
        services.spool.bind(names)
        return
    first, host = rows[0], services.renderer.host
    holder = next(one for one in services.people.holders(first.game) if one.seat == first.seat)
    name = services.keys.mail("pbem", "daily", " ".join(names))
    ident, to = message_id(name, host.domain), Address(holder.name, addr_spec=first.rcpt)
    raw = bind_digest(services.renderer, parts, to, ident, services.clock(), services.people.read_by(holder))
    # A bounce comes back to the first of its tables.
    services.spool.bind(names, OutgoingMail(f"daily.{name}", "", first.rcpt, raw, "daily", first.mail_from))
