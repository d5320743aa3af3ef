"""Decide what the clock does at a table: reminders, and the default order at the end of grace.

Each thing due is one `Result`, decided anew under the game's lock. A default is recorded as an order given by the clock
and told to all. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from engine.catalog import Msg, T
from engine.errors import OrderRefused
from engine.game import Decision, Seat
from pbem.clocks.dates import local_time
from pbem.clocks.deadlines import (
    CLOCK_TOLERANCE,
    ClockedDecision,
    DueAction,
    NextAction,
    ShownReminder,
    grace_end,
    next_action,
    next_invitation_action,
)
from pbem.desk.clock.clock_text import ask_of
from pbem.desk.clock.table_summaries import REPLACED
from pbem.desk.commands.game_news import news_since_mail, player_action, talk_since_mail
from pbem.desk.core.context import Context
from pbem.desk.core.game_start import chance_of
from pbem.desk.core.request import Request
from pbem.desk.core.result import ClockPart, LetterEffects, Result
from pbem.desk.core.seat_controller import COMPUTER
from pbem.desk.core.services import Services
from pbem.desk.core.undo import ACTION_SENTENCE, DEFAULT, by_clock
from pbem.desk.orders.session import Session, Trial
from pbem.desk.pregame.gathering import as_game
from pbem.host.people import MODERATOR, Holder
from pbem.outbound.mail import LineAnswer, MailKind, Message
from pbem.outbound.translation import ENGLISH, languages
from pbem.store.commit_record import COOLED_MAIL, DAILY_MAIL
from pbem.store.data_codec import to_data
from pbem.store.game_table import MailedLists, ReminderSent, SeatRow, Status, Table
from pbem.store.state_file import StoredGame

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class ScheduledAction:
    """What is due next of a game, and of which decision."""

    next: NextAction
    ask: ClockedDecision | None = None
    asked: Decision | None = None


def next_due(context: Context, services: Services, now: datetime) -> tuple[ScheduledAction | None, bool]:
    """What is due next at a table (in the past if overdue; None for nothing), and whether every clock runs already.

    A clock does not run before a server has accepted the mail that asks.
    """
    table = context.stored.table
    # After a clock that ran ahead, a mail may be held until a time that never comes.
    held = context.stored.secrets.held.items()
    ends = {seat: one.until if one.since <= now + CLOCK_TOLERANCE else now for seat, one in held}
    mails = [ScheduledAction(NextAction(end, seat, DueAction.MAIL)) for seat, end in ends.items()]
    if table.status is Status.HELD:
        told = table.wait.told if table.wait else None
        weekly = ScheduledAction(NextAction((told or table.changed) + WEEK, "", DueAction.TELL))
        return min((weekly, *mails), key=lambda one: one.next), True
    found: list[tuple[NextAction | None, ClockedDecision, Decision | None]]
    found = [(next_action(table.pace, ask, now), ask, asked) for ask, asked in running_clocks(context, services)]
    found += [(next_invitation_action(ask, now), ask, None) for ask in _invited(context, services)]
    timed = [ScheduledAction(one, ask, asked) for one, ask, asked in found if one is not None]
    return min((*timed, *mails), key=lambda one: one.next, default=None), len(timed) == len(found)


def running_clocks(context: Context, services: Services) -> Iterator[tuple[ClockedDecision, Decision]]:
    """Every seat that must answer and has a clock."""
    table = context.stored.table
    if table.pace.hours:
        holders = {holder.seat: holder for holder in services.people.holders(table.game)}
        for asked in context.waiting():
            row = table.seat(asked.seat)
            if row.clock is not None and not asked.answered and row.by != COMPUTER:
                yield _ask(context, services, holders.get(asked.seat), row), asked


def _invited(context: Context, services: Services) -> Iterator[ClockedDecision]:
    """Every seat that has not answered its invitation and of which the moderator has not been told.

    Seats at a table that a player opened are invited once only.
    """
    table = context.stored.table
    if table.status is Status.GATHERING and not table.wish:
        holders = {str(holder.seat): holder for holder in services.people.holders(table.game)}
        for row in table.seats:
            if row.clock is not None and not (ask := _ask(context, services, holders.get(row.seat), row)).told:
                yield ask


def _ask(context: Context, services: Services, holder: Holder | None, row: SeatRow) -> ClockedDecision:
    reminded = context.stored.secrets.reminded.get(row.seat, ())
    shown = tuple(ShownReminder(one.at, services.spool.accepted(one.mail), one.order) for one in reminded if one.mail)
    told = any(not one.mail for one in reminded)
    order = default_order(context, row.seat) if context.state is not None else ""
    return ask_of(services, holder, row, order=order, shown=shown, told=told)


def default_order(context: Context, seat: str) -> str:
    """The order the clock would play for a seat, in canonical words; empty where it plays nothing."""
    game, state, late = context.game, context.state, context.stored.table.pace.late
    if late == "computer":
        return next((offer.text for offer in game.offers(state, Seat(seat))), "")
    return game.write(state, Seat(seat), game.default(state, Seat(seat)), "en") if late == "default" else ""


def due_result(context: Context, services: Services, now: datetime) -> Result | None:
    """The next thing that is due now at a table; None when nothing is."""
    timed, _ = next_due(context, services, now)
    if timed is None or timed.next.at > now:
        return None
    seat, what = Seat(timed.next.seat), timed.next.what
    if what is DueAction.MAIL:
        return _held_mail(context, seat)
    if timed.ask is None:
        return _still_held(context, now)
    if timed.asked is None:
        return _uninvited(context, timed.ask, what, now)
    secret = hides_who_is_late(context.stored.table, timed.asked)
    if what is DueAction.PLAY:
        return _played(context, services, timed.ask, timed.asked, secret)
    # The moderator may not know who is late with a sealed decision at a table where he plays.
    known = not (secret and services.people.moderator_sits(context.stored.table.game))
    if what is DueAction.REMIND:
        one, order = _reminder(context, timed.ask, timed.asked, now), timed.ask.order
    else:
        one, order = _late(context, timed.asked, known), ""
    clock = ClockPart(timed.asked.seat, ReminderSent(timed.asked.number, "", now, order))
    return replace(one, clock=clock, unnamed=secret)


def _held_mail(context: Context, seat: Seat) -> Result:
    """A mail that was held back, with all since the last one; none goes where nothing is left to tell."""
    row = next(row for row in context.stored.rows if row.seat == seat)
    message = Message(kind=MailKind.NEWS, seat=seat, heard=row.heard, told=row.told, waited=True)
    asked = context.asked(seat)
    asks = asked is not None and asked.number != row.asked
    said = talk_since_mail(context, message, context.stored.table.records)
    tells = asks or said or news_since_mail(as_game(context), message)
    what = DAILY_MAIL if context.stored.secrets.held[seat].daily else COOLED_MAIL
    return Result(
        what=what, says="a mail that was held back goes out", stored=context.stored, state=context.state,
        concerned=(seat,) if tells else (), clock=ClockPart(seat),
        unnamed=any(hides_who_is_late(context.stored.table, one) for one in context.waiting()),
    )  # fmt: skip


def _reminder(context: Context, ask: ClockedDecision, asked: Decision, now: datetime) -> Result:
    """A reminder, with the order that would be played and what it does."""
    table = context.stored.table
    # A default is played twelve hours after its reminder was delivered at the earliest.
    grace = grace_end(table.pace, ask) or now
    last = local_time(ask.hours.free(max(grace, now + timedelta(hours=12)), table.pace.days), ask.hours.zone)
    said: tuple[LineAnswer, ...] = ()
    notes = (T("If no answer has come by {when}, the moderator is told.", when=last),)
    if ask.order:
        reader = Request(context=context, seat=asked.seat, lines=(), written=())
        worded = reader.worded(context.state, ask.order)
        said = (LineAnswer("", worded, tried_effects(context, asked.seat, ask.order)),)
        notes = (T("This is played for you if no answer of yours has come by {when}.", when=last),)
    message = Message(kind=MailKind.REMINDER, seat=asked.seat, said=said, notes=notes)
    return Result(
        what="reminder", says="a reminder goes out", stored=context.stored, state=context.state, answer=message
    )


def tried_effects(context: Context, seat: Seat, order: str) -> tuple[Msg, ...]:
    """What an order would do, as far as anybody can know."""
    request = Request(context=context, seat=seat, lines=(order,), written=(order,))
    trial = Trial(Session(request, context.state))
    try:
        trial.try_out(order, order)
    except OrderRefused:
        return ()
    return tuple(says for said in trial.said for says in said.effects)


def _played(context: Context, services: Services, ask: ClockedDecision, asked: Decision, secret: bool) -> Result:
    """The order of the clock, in place of an answer that has not come."""
    game, state, table = context.game, context.state, context.stored.table
    order = game.read(state, asked.seat, ask.order).order
    step = game.apply(state, asked.seat, order, chance_of(context.stored))
    row, secrets = table.seat(asked.seat), context.stored.secrets
    count = secrets.defaults.get(row.seat, 0) + 1
    stored = replace(context.stored, secrets=replace(secrets, defaults={**secrets.defaults, row.seat: count}))
    others = {one: game.write(state, asked.seat, order, one) for one in languages() if one != ENGLISH}
    worded = T.each(ask.order, **others)
    if secret:
        sentence = T("An answer was sealed for somebody who did not answer in time.")
    elif asked.sealed:
        sentence = T("An answer was sealed for {name}, who did not answer in time.", name=row.name)
    else:
        sentence = T("«{order}» was played for {name}, who did not answer in time.", name=row.name, order=worded)
    own = T("«{order}» was played for you, since you had not answered in time.", order=worded)
    default = {
        "seat": row.seat, "number": asked.number, "commit": context.stored.commit, "entry": table.entries,
        "sealed": secret, "lists": to_data(secrets.lists.get(row.seat, MailedLists())),
    }  # fmt: skip
    known = not (secret and services.people.moderator_sits(table.game))
    return Result(
        what=DEFAULT, says=str(sentence), stored=stored, state=step.state, seat="" if asked.sealed else row.seat,
        entries=step.entries, reveals=step.reveals, effects=LetterEffects(played=(ask.order,)),
        concerned=(asked.seat,), marks=(),
        also={ACTION_SENTENCE: to_data(sentence) if asked.sealed else player_action(sentence, own)},
        clock=ClockPart(asked.seat, default=default), unnamed=secret,
        aside=_offered(row, count) if count >= REPLACED and known else None,
    )  # fmt: skip


def hides_who_is_late(table: Table, asked: Decision) -> bool:
    """True if nobody may know who has not answered: a sealed decision, where the table names nobody."""
    return asked.sealed and table.answers != "names"


def _offered(row: SeatRow, count: int) -> Message:
    """Ask the moderator to find somebody else for a seat that does not answer."""
    return _to_moderator(
        T(
            "{name} has not answered {n} times in a row; the clock has played each time. The seat is to be offered to "
            "somebody else.",
            name=row.name,
            n=count,
        ),
        T("«gm replace {seat} Zoe <zoe@example.org> because …» gives it to another person.", seat=row.seat),
        T("«gm undo default» takes the last of these answers back, as long as nobody has acted since."),
    )


def _to_moderator(*notes: Msg) -> Message:
    return Message(kind=MailKind.NEWS, seat=MODERATOR, notes=notes)


def _late(context: Context, asked: Decision, known: bool) -> Result:
    """Tell the moderator once that a seat is late for which nothing is played; its name only if it may be `known`."""
    name: Msg | str = context.stored.table.seat(asked.seat).name if known else T("Somebody")
    aside = _to_moderator(
        T("{name} has not answered in time, and at this table nothing is played for who is late.", name=name),
        T("«gm deadline {seat} +2d» gives more time; «gm as {seat}: …» plays; «gm replace» and «gm computer» give the "
          "seat to another.", seat=str(asked.seat) if known else "anna"),
    )  # fmt: skip
    says = "somebody has not answered in time"
    return Result(what="late", says=says, stored=context.stored, state=context.state, aside=aside)


def _uninvited(context: Context, ask: ClockedDecision, what: DueAction, now: datetime) -> Result:
    """Repeat an invitation without an answer; after the last one tell the moderator."""
    name, seat = context.stored.table.seat(ask.seat).name, Seat(ask.seat)
    given: dict[str, Any] = {
        "stored": context.stored, "state": None, "clock": ClockPart(seat, ReminderSent(0, "", now)),
    }  # fmt: skip
    if what is DueAction.REMIND:
        notes = (T("You have not answered this invitation yet. Please do, be it with «decline»."),)
        message = Message(kind=MailKind.INVITATION, seat=seat, notes=notes, position=True)
        return Result(what="reminder", says=f"{name} is invited once more", answer=message, **given)
    aside = _to_moderator(
        T("{name} has not answered the invitation, which was sent three times.", name=name),
        T("«gm replace {seat} Zoe <zoe@example.org> because …» invites somebody else; «gm start without {seat}» begins "
          "without; «gm computer {seat} because …» lets a computer play.", seat=seat),
    )  # fmt: skip
    return Result(what="late", says=f"{name} has not answered the invitation", aside=aside, **given)


def _still_held(context: Context, now: datetime) -> Result:
    """Say once a week that a game is held."""
    table = context.stored.table
    sentence = T("The game is still held: nobody has to answer until it goes on.")
    told = replace(table.wait, told=now) if table.wait else None
    return Result(
        what="reminder", says="the game is still held", stored=replace(context.stored, table=replace(table, wait=told)),
        state=context.state, also={ACTION_SENTENCE: to_data(sentence)},
        concerned=tuple(Seat(row.seat) for row in table.seats),
    )  # fmt: skip


def played_for(context: Context) -> dict[str, Any] | None:
    """The clock's last default, if nobody has acted since."""
    found = next(by_clock(context), None)
    return None if found is None or found["acted"] else found


def without_default(stored: StoredGame, seats: Iterable[str]) -> StoredGame:
    """Count one default fewer in a row for each of these seats: it is taken back."""
    counts = dict(stored.secrets.defaults)
    for seat in seats:
        counts[seat] = max(0, counts.get(seat, 0) - 1)
    return replace(stored, secrets=replace(stored.secrets, defaults=counts))
