"""What the clock does at a table: reminders, and at the end of grace the answer that was shown in them.

Nothing is written here: each thing due is one `Result`, decided anew under the game's lock from what is known then. A
default is recorded as an order given by the clock, and told to all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from engine.catalog import Msg, T
from engine.errors import OrderRefused
from engine.game import Decision, Seat
from pbem.clocks.dates import when
from pbem.clocks.due import AHEAD, Ask, Next, Reminder, What, grace_of, invitation, next_of
from pbem.desk.context import Context
from pbem.desk.corrections import deed
from pbem.desk.history import news, spoken
from pbem.desk.joining import as_game
from pbem.desk.outlines import REPLACED
from pbem.desk.request import Request
from pbem.desk.result import Result
from pbem.desk.seated import COMPUTER
from pbem.desk.services import Services
from pbem.desk.session import Session, Trial
from pbem.desk.start import chance_of
from pbem.desk.undo import BACK, DEED, DEFAULT, UNDO
from pbem.desk.waits import ask_of
from pbem.host.people import MODERATOR, Holder
from pbem.outbound.catalogue import ENGLISH, languages
from pbem.outbound.mail import MailKind, Message, Said
from pbem.store.fields import write
from pbem.store.record import COOLED, OF_THE_DAY, Record
from pbem.store.stored import Stored
from pbem.store.table import Lists, Reminded, SeatRow, Status, Table

LOOKED = 50
"""Records that are looked through for what the clock has played."""

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Timed:
    """What is due next of a game, and of which decision."""

    next: Next
    ask: Ask | None = None
    asked: Decision | None = None


def course(context: Context, services: Services, now: datetime) -> tuple[Timed | None, bool]:
    """What is due next at a table, in the past if it is overdue (None: nothing, as things are); and whether that hangs
    on no mail that is still to be taken."""
    table = context.stored.table
    # What a clock that ran ahead has held back waits for no time that never comes.
    held = context.stored.secrets.held.items()
    mails = [Timed(Next(one.until if one.since <= now + AHEAD else now, seat, What.MAIL)) for seat, one in held]
    if table.status is Status.HELD:
        told = table.wait.told if table.wait else None
        weekly = Timed(Next((told or table.changed) + WEEK, "", What.TELL))
        return min((weekly, *mails), key=lambda one: one.next), True
    found: list[tuple[Next | None, Ask, Decision | None]]
    found = [(next_of(table.pace, ask, now), ask, asked) for ask, asked in asks(context, services)]
    found += [(invitation(ask, now), ask, None) for ask in _invited(context, services)]
    timed = [Timed(one, ask, asked) for one, ask, asked in found if one is not None]
    return min((*timed, *mails), key=lambda one: one.next, default=None), len(timed) == len(found)


def asks(context: Context, services: Services) -> Iterator[tuple[Ask, Decision]]:
    """Every seat that must answer and has a clock."""
    table = context.stored.table
    if table.pace.hours:
        holders = {holder.seat: holder for holder in services.people.holders(table.game)}
        for asked in context.waiting():
            row = table.seat(asked.seat)
            if row.clock is not None and not asked.answered and row.by != COMPUTER:
                yield _ask(context, services, holders.get(asked.seat), row), asked


def _invited(context: Context, services: Services) -> Iterator[Ask]:
    """Every seat that has not answered its invitation, until the moderator has been told."""
    table = context.stored.table
    # Whom a player has named gets one mail of it.
    if table.status is Status.GATHERING and not table.wish:
        holders = {str(holder.seat): holder for holder in services.people.holders(table.game)}
        for row in table.seats:
            if row.clock is not None and not (ask := _ask(context, services, holders.get(row.seat), row)).told:
                yield ask


def _ask(context: Context, services: Services, holder: Holder | None, row: SeatRow) -> Ask:
    reminded = context.stored.secrets.reminded.get(row.seat, ())
    shown = tuple(Reminder(one.at, services.spool.accepted(one.mail), one.order) for one in reminded if one.mail)
    told = any(not one.mail for one in reminded)
    order = order_for(context, row.seat) if context.state is not None else ""
    return ask_of(services, holder, row, order=order, shown=shown, told=told)


def order_for(context: Context, seat: str) -> str:
    """What would be played for a seat that does not answer, in canonical words; empty where nothing is."""
    game, state, late = context.game, context.state, context.stored.table.pace.late
    if late == "computer":
        return next((offer.text for offer in game.offers(state, Seat(seat))), "")
    return game.write(state, Seat(seat), game.default(state, Seat(seat)), "en") if late == "default" else ""


def due(context: Context, services: Services, now: datetime) -> Result | None:
    """What is to be done now at a table, one thing at a time; None when nothing is due."""
    timed, _ = course(context, services, now)
    if timed is None or timed.next.at > now:
        return None
    if timed.next.what is What.MAIL:
        return _held_mail(context, Seat(timed.next.seat))
    if timed.ask is None:
        return _still_held(context, now)
    if timed.asked is None:
        return _unanswered(context, timed.ask, timed.next.what, now)
    match timed.next.what:
        case What.REMIND:
            found = _reminder(context, timed.ask, timed.asked, now)
        case What.TELL:
            found = _late(context, services, timed.asked, now)
        case What.PLAY:
            found = _played(context, services, timed.ask, timed.asked)
    return replace(found, clocked=timed.asked.seat, unnamed=is_secret(context.stored.table, timed.asked))


def _held_mail(context: Context, seat: Seat) -> Result:
    """A mail that was held back, with all that has happened since the last one; none where nothing is left to tell."""
    row = next(row for row in context.stored.rows if row.seat == seat)
    message = Message(kind=MailKind.NEWS, seat=seat, heard=row.heard, told=row.told, waited=True)
    asked = context.asked(seat)
    asks = asked is not None and asked.number != row.asked
    said = spoken(context, message, context.stored.table.records)
    tells = asks or said or news(as_game(context), message)
    what = OF_THE_DAY if context.stored.secrets.held[seat].daily else COOLED
    return Result(
        what=what, says="a mail that was held back goes out", stored=context.stored, state=context.state,
        concerned=(seat,) if tells else (), clocked=seat,
        unnamed=any(is_secret(context.stored.table, one) for one in context.waiting()),
    )  # fmt: skip


def _reminder(context: Context, ask: Ask, asked: Decision, now: datetime) -> Result:
    """A reminder, with the very order that would be played and what it does."""
    table = context.stored.table
    # What is played is played twelve hours after this was delivered at the earliest.
    grace = grace_of(table.pace, ask) or now
    last = when(ask.hours.free(max(grace, now + timedelta(hours=12)), table.pace.days), ask.hours.zone)
    if ask.order:
        reader = Request(context=context, seat=asked.seat, lines=(), written=())
        worded = reader.worded(context.state, ask.order)
        said: tuple[Said, ...] = (Said("", worded, effects(context, asked.seat, ask.order)),)
        notes = (T("This is played for you if no answer of yours has come by {when}.", when=last),)
    else:
        said, notes = (), (T("If no answer has come by {when}, the moderator is told.", when=last),)
    message = Message(kind=MailKind.REMINDER, seat=asked.seat, said=said, notes=notes)
    return Result(
        what="reminder", says="a reminder goes out", stored=context.stored, state=context.state, answer=message,
        reminds=Reminded(asked.number, "", now, ask.order),
    )  # fmt: skip


def effects(context: Context, seat: Seat, order: str) -> tuple[Msg, ...]:
    """What an order would do, as far as anybody can know."""
    request = Request(context=context, seat=seat, lines=(order,), written=(order,))
    trial = Trial(Session(request, context.state))
    try:
        trial.try_out(order, order)
    except OrderRefused:
        return ()
    return tuple(says for said in trial.said for says in said.effects)


def _played(context: Context, services: Services, ask: Ask, asked: Decision) -> Result:
    """The order of the clock, in place of an answer that has not come."""
    game, state, table = context.game, context.state, context.stored.table
    order = game.read(state, asked.seat, ask.order).order
    step = game.apply(state, asked.seat, order, chance_of(context.stored))
    row, secrets = table.seat(asked.seat), context.stored.secrets
    count = secrets.defaults.get(row.seat, 0) + 1
    stored = replace(context.stored, secrets=replace(secrets, defaults={**secrets.defaults, row.seat: count}))
    others = {one: game.write(state, asked.seat, order, one) for one in languages() if one != ENGLISH}
    worded = T.each(ask.order, **others)
    sentence = _sentence(table, asked, row.name, worded)
    own = T("«{order}» was played for you, since you had not answered in time.", order=worded)
    known = _may_know(services, context, asked)
    default = {
        "seat": row.seat, "number": asked.number, "commit": context.stored.commit, "entry": table.entries,
        "sealed": is_secret(table, asked), "lists": write(secrets.lists.get(row.seat, Lists())),
    }  # fmt: skip
    return Result(
        what=DEFAULT, says=str(sentence), stored=stored, state=step.state, seat="" if asked.sealed else row.seat,
        entries=step.entries, reveals=step.reveals, played=(ask.order,), concerned=(asked.seat,), marks=(),
        also={DEED: write(sentence) if asked.sealed else deed(sentence, own)}, default=default,
        aside=_offered(row, count) if count >= REPLACED and known else None,
    )  # fmt: skip


def _may_know(services: Services, context: Context, asked: Decision) -> bool:
    """Whether the moderator may be told who has not answered: not of a sealed decision at a table where he plays."""
    plays = services.people.moderator_sits(context.stored.table.game)
    return not (plays and is_secret(context.stored.table, asked))


def is_secret(table: Table, asked: Decision) -> bool:
    """Whether nobody may know who has not answered: a sealed decision, where the table names nobody."""
    return asked.sealed and table.answers != "names"


def _sentence(table: Table, asked: Decision, name: str, order: Msg) -> Msg:
    """What all are told; of a sealed answer neither what it is nor, where the table does not name them, whose."""
    if is_secret(table, asked):
        return T("An answer was sealed for somebody who did not answer in time.")
    if not asked.sealed:
        return T("«{order}» was played for {name}, who did not answer in time.", name=name, order=order)
    return T("An answer was sealed for {name}, who did not answer in time.", name=name)


def _offered(row: SeatRow, count: int) -> Message:
    notes = (
        T(
            "{name} has not answered {n} times in a row; the clock has played each time. The seat is to be offered to "
            "somebody else.",
            name=row.name,
            n=count,
        ),
        T("«gm replace {seat} Zoe <zoe@example.org> because …» gives it to another person.", seat=row.seat),
        T("«gm undo default» takes the last of these answers back, as long as nobody has acted since."),
    )
    return Message(kind=MailKind.NEWS, seat=MODERATOR, notes=notes)


def _late(context: Context, services: Services, asked: Decision, now: datetime) -> Result:
    """The moderator is told, once, of a seat for which nothing is played."""
    name: Msg | str = context.stored.table.seat(asked.seat).name
    seat = str(asked.seat)
    if not _may_know(services, context, asked):
        name, seat = T("Somebody"), "anna"
    notes = (
        T("{name} has not answered in time, and at this table nothing is played for who is late.", name=name),
        T("«gm deadline {seat} +2d» gives more time; «gm as {seat}: …» plays; «gm replace» and «gm computer» give the "
          "seat to another.", seat=seat),
    )  # fmt: skip
    aside = Message(kind=MailKind.NEWS, seat=MODERATOR, notes=notes)
    return Result(
        what="late", says="somebody has not answered in time", stored=context.stored, state=context.state,
        aside=aside, reminds=Reminded(asked.number, "", now),
    )  # fmt: skip


def _unanswered(context: Context, ask: Ask, what: What, now: datetime) -> Result:
    """The invitation once more; after the last one the moderator is told."""
    name, seat = context.stored.table.seat(ask.seat).name, Seat(ask.seat)
    given: dict[str, Any] = {
        "stored": context.stored, "state": None, "clocked": seat, "reminds": Reminded(0, "", now),
    }  # fmt: skip
    if what is What.REMIND:
        notes = (T("You have not answered this invitation yet. Please do, be it with «decline»."),)
        message = Message(kind=MailKind.INVITATION, seat=seat, notes=notes, position=True)
        return Result(what="reminder", says=f"{name} is invited once more", answer=message, **given)
    told = (
        T("{name} has not answered the invitation, which was sent three times.", name=name),
        T("«gm replace {seat} Zoe <zoe@example.org> because …» invites somebody else; «gm start without {seat}» begins "
          "without; «gm computer {seat} because …» lets a computer play.", seat=seat),
    )  # fmt: skip
    aside = Message(kind=MailKind.NEWS, seat=MODERATOR, notes=told)
    return Result(what="late", says=f"{name} has not answered the invitation", aside=aside, **given)


def _still_held(context: Context, now: datetime) -> Result:
    """A held game says so once a week, so that nobody forgets it."""
    table = context.stored.table
    sentence = T("The game is still held: nobody has to answer until it goes on.")
    told = replace(table.wait, told=now) if table.wait else None
    return Result(
        what="reminder", says="the game is still held", stored=replace(context.stored, table=replace(table, wait=told)),
        state=context.state, also={DEED: write(sentence)}, concerned=tuple(Seat(row.seat) for row in table.seats),
    )  # fmt: skip


def by_clock(context: Context) -> Iterator[dict[str, Any]]:
    """What the clock has played, the newest first: `DEFAULT` of its record, and whether somebody has `acted` since.

    No further back than to where something was taken back.
    """
    table, acted = context.stored.table, False
    for number in range(table.records, max(0, table.records - LOOKED), -1):
        record = Record.read(context.repo, number, context.stored.commit)
        if DEFAULT in record.private:
            yield {**record.private[DEFAULT], "record": record.number, "at": record.at, "acted": acted}
        elif record.also.keys() & {UNDO, BACK}:
            return
        elif record.entries:
            acted = True


def played_for(context: Context) -> dict[str, Any] | None:
    """What the clock has played last, where nobody has acted since."""
    found = next(by_clock(context), None)
    return None if found is None or found["acted"] else found


def uncounted(stored: Stored, seats: Iterable[str]) -> Stored:
    """With one answer of the clock fewer in a row for each of these seats: it is taken back."""
    counts = dict(stored.secrets.defaults)
    for seat in seats:
        counts[seat] = max(0, counts.get(seat, 0) - 1)
    return replace(stored, secrets=replace(stored.secrets, defaults=counts))
