"""Limit how often a letter that plays nothing is answered, and how often a player makes others' mailboxes ring.

Orders, refused orders and `try` are always answered. Questions beyond a day's budget get one short line; talk beyond it
is not passed on, and the line says so. Only the same text over and over, while its answer would be the same, ends in
silence, after an answer that says so. Refused letters that come too fast, or without end, are answered together; the
answer before that says until when.

A budget belongs to a mailbox, however its address is spelt (`Keys.mailbox`). Letters that a stranger may have forged
use nothing up of what only the owner can send: an older key has a budget of its own, and so has a letter without a key
that our mail server does not vouch for. The counts lie in the spool, each letter once, so handling it again counts the
same.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import Address
from functools import cached_property

from engine.catalog import Msg, T
from engine.game import Seat
from engine.kit.words import fold_text
from engine.reference import CardText
from pbem.clocks.dates import local_time
from pbem.desk import commands
from pbem.desk.commands.clarification import notes_without_numbers
from pbem.desk.commands.command import Does
from pbem.desk.commands.table_talk import NOTE
from pbem.desk.core.context import Context
from pbem.desk.core.identity import vouched
from pbem.desk.core.request import Request
from pbem.desk.core.result import Delivery, Result, reply_result
from pbem.desk.core.services import Services
from pbem.desk.transaction import notice_mail
from pbem.desk.transaction.commit import Committed
from pbem.host.people import MODERATOR, Holder
from pbem.inbound.incoming_letter import Letter
from pbem.outbound.mail import LineAnswer, MailKind, Message
from pbem.outbound.render import Thread
from pbem.store.data_codec import from_data

QUESTIONS = 40
"""Letters with questions alone that are answered in full, a seat and day."""

TALK = 60
"""Messages that are passed on, a seat and day."""

SAME, SAME_WITHIN = 3, timedelta(hours=1)
"""Answers to the same text on the same decision within that time, while they would be the same."""

FAST, TOGETHER = 12, timedelta(minutes=10)
"""Refused letters within that time that are answered one by one."""

MANY, SLOWLY = 100, timedelta(hours=1)
"""Against mail loops: after `MANY` letters a day that play nothing, one answer every `SLOWLY`."""

UNPROVEN = 3
"""Answers to letters without a valid key that ask for the same kind of thing, a mailbox and day."""

RINGS = 6
"""Mails of one kind that a seat's letters cause another seat in a day while that one writes nothing; the others are
held back (`volume.CALM`)."""

RINGING = (MailKind.TURN, MailKind.NEWS)
"""The mails that are counted so."""


def midnight(now: datetime) -> datetime:
    """When the day began, in UTC."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def nth_today(services: Services, purse: str, letter: str) -> int:
    """Count a letter against a budget of the day; returns its number."""
    now = services.clock()
    services.spool.spend(purse, letter, now)
    return services.spool.spent(purse, midnight(now), now)


def nth_unproven(services: Services, letter: Letter, word: str = "") -> int:
    """Count a letter without a valid key against its sender's mailbox and the kind of thing it asks for."""
    told = " vouched" if vouched(services, letter) else ""
    return nth_today(services, f"unproven {services.keys.mailbox(letter.sender)} {word}{told}", letter.digest)


def limit_answers(services: Services, request: Request, result: Result) -> Result | None:
    """Keep a proven letter within its seat's budgets; None when it gets no answer.

    What plays, changes or tells something is never counted as playing nothing.
    """
    if not services.measures:
        return result
    budget = Budget(services, request, result.letter.digest if result.letter else "")
    result = budget.calmed(budget.passed_on(result))
    return result if result.lasts else budget.answered(result)


def count_rings(services: Services, request: Request, letter: str, committed: Committed) -> None:
    """Count the mails that a letter has caused others."""
    for to, mail in committed.mails.items():
        if to != request.seat and mail.kind in RINGING:
            purse = f"rings {request.table.game} {to} {mail.kind}"
            services.spool.spend(purse, letter, services.clock(), says=request.seat)


@dataclass(frozen=True)
class Budget:
    """The budgets of one seat, for one letter of its holder's. `letter` is its digest."""

    services: Services
    request: Request
    letter: str

    def _purse(self, what: str) -> str:
        return f"{what} {self.request.table.game} {self.request.seat}{' old' if self._is_old else ''}"

    @cached_property
    def _is_old(self) -> bool:
        """True if the letter's key is older than that of the seat's newest mail."""
        stored, seat, services = self.request.context.stored, self.request.seat, self.services
        thread = next((row.thread for row in stored.rows if row.seat == seat), None)
        if thread is None or self.request.decision is None:
            return False
        newest = services.spool.mailed(services.keys.mail(stored.table.game, seat, thread.last))
        return newest is not None and self.request.decision < newest.decision

    def passed_on(self, result: Result) -> Result:
        """Drop the talk of a letter beyond the day's budget."""
        count = sum(1 for one in result.effects.talk if not one.is_note)
        if not count:
            return result
        services, now = self.services, self.services.clock()
        services.spool.spend(self._purse("talk"), self.letter, now, count)
        if services.spool.spent(self._purse("talk"), midnight(now), now) <= TALK:
            return result
        services.spool.spend(self._purse("talk"), self.letter, now, 0)
        return _untold(result)

    def calmed(self, result: Result) -> Result:
        """Note whom the letter's writer has made ring often enough. Who writes has read what came.

        The writer is not told: whether somebody else has written is secret.
        """
        services, request, now = self.services, self.request, self.services.clock()
        game, seat, since = request.table.game, request.seat, now - timedelta(days=1)
        for kind in RINGING:
            if services.spool.spent(own := f"rings {game} {seat} {kind}", since, now):
                services.spool.empty(own)
        if not result.lasts:
            return result
        often = frozenset(
            (one, kind)
            for one in (*request.names, MODERATOR)
            for kind in RINGING
            if one != seat and services.spool.spent(f"rings {game} {one} {kind}", since, now, says=seat) >= RINGS
        )
        aside = None if (MODERATOR, MailKind.NEWS) in often else result.aside
        return replace(result, delivery=Delivery(often=often), aside=aside)

    def answered(self, result: Result) -> Result | None:
        """Limit the answer to a letter that plays nothing and passes nothing on; None when it gets none."""
        message = result.answer
        if message is None:
            return result
        kind = MailKind.ANSWER if _only_asks(message) else message.kind
        if kind in (MailKind.ANSWER, MailKind.REFUSAL):
            self.services.spool.spend(self._purse("idle"), self.letter, self.services.clock(), says=kind)
        if kind is MailKind.ANSWER and self._idle(kind, midnight(self.services.clock())) > QUESTIONS:
            short = T(
                "{n} questions of yours were answered in full today; until midnight (UTC) a question gets this line "
                "only. Orders and «try» are answered as always.",
                n=QUESTIONS,
            )
            message = Message(seat=message.seat, kind=kind, notes=(short,), quiet=True, answering=message.answering)
        limited = self._unless_the_same(message)
        return None if limited is None else self._unless_too_fast(replace(result, answer=limited), limited, kind)

    def _idle(self, kind: MailKind, since: datetime) -> int:
        """How many letters were answered so since then."""
        return self.services.spool.spent(self._purse("idle"), since, self.services.clock(), says=kind)

    def _unless_the_same(self, message: Message) -> Message | None:
        """The answer, unless the same text got the same answer `SAME` times; the last answer says so."""
        now, spool = self.services.clock(), self.services.spool
        text = "\n".join(fold_text(line).strip() for line in self.request.written if line.strip())
        purse = f"{self._purse('same')} {self.request.decision} {_mark(text.encode('utf-8', 'surrogatepass'))}"
        says = _mark(self._as_mailed(message))
        spool.spend(purse, self.letter, now, 1, says)
        count = spool.spent(purse, now - SAME_WITHIN, now, says)
        if count > SAME:
            notice_mail.same_again(self.services, self.request.table.game, self.request.seat)
            return None
        if count < SAME:
            return message
        last = T(
            "You have sent this {n} times within an hour, and the answer stays the same. If it comes again within "
            "the hour, it gets no answer; anything else does.",
            n=SAME,
        )
        return replace(message, notes=(*message.notes, last))

    def _as_mailed(self, message: Message) -> bytes:
        """What the answer says, without what identifies its mail."""
        mail = replace(notice_mail.uncommitted_mail(self.request.context, replace(message, answering="")), token="")
        to = Address("", addr_spec=self.services.renderer.host.address)
        return self.services.renderer.message(mail, to, Thread(), "<same>", datetime(2000, 1, 1, tzinfo=UTC))

    def _unless_too_fast(self, result: Result, answer: Message, kind: MailKind) -> Result:
        """Put the answer off when refused letters come too fast, or letters that play nothing without end.

        The answer before such a pause says how long it is. A public view goes alone.
        """
        services, now, seat, game = self.services, self.services.clock(), self.request.seat, self.request.table.game
        if answer.public or kind not in (MailKind.ANSWER, MailKind.REFUSAL):
            return result
        today = midnight(now)
        many = self._idle(MailKind.ANSWER, today) + self._idle(MailKind.REFUSAL, today) > MANY
        fast = kind is MailKind.REFUSAL and self._idle(MailKind.REFUSAL, now - TOGETHER) >= FAST
        if not many and not fast:
            return result
        if many:
            about = f"{self._purse('idle')} {now.date().isoformat()}"
            notice_mail.without_end(services, game, seat, MANY, about)
        pause, purse = (SLOWLY, self._purse("slow")) if many else (TOGETHER, self._purse("fast"))
        began = services.spool.last_spent(purse, today if many else now - pause, now, but=self.letter)
        if began is not None and (many or began + pause > now):
            due = began + pause if began + pause > now else now + pause
            return replace(result, delivery=Delivery(later=services.spool.later(game, seat) or due))
        services.spool.spend(purse, self.letter, now)
        hours = self.request.hours
        until = local_time(now + pause, hours.zone if hours else services.zone)
        last = T(
            "Many letters of yours were refused within a few minutes. If another one is before {when}, it is answered "
            "then, together with others; orders, «try» and questions are answered at once.",
            when=until,
        )
        if many:
            last = T(
                "More than {n} letters of yours have played nothing today. If more come before {when}, they are "
                "answered then, in one mail; orders and «try» are answered at once.",
                n=MANY, when=until,
            )  # fmt: skip
        return replace(result, answer=replace(answer, notes=(*answer.notes, last)))


def limit_admin_mail(services: Services, result: Result, letter: str) -> Result:
    """Limit the questions of the moderator; admin actions are never counted."""
    message = result.aside
    if message is None or message.kind is not MailKind.ANSWER:
        return result
    if nth_today(services, f"asks {MODERATOR}", letter) <= QUESTIONS:
        return result
    short = T(
        "{n} questions of yours were answered today; until midnight (UTC) a question gets this line only.", n=QUESTIONS
    )
    aside = Message(seat=message.seat, kind=message.kind, notes=(short,), answering=message.answering)
    return replace(result, aside=aside)


def the_last_today() -> Msg:
    """Say that no letter without a key is answered any more today."""
    return T("This was answer {n} today to a letter without a valid key, and the last one today.", n=UNPROVEN)


def throttled_reply(context: Context, holder: Holder) -> Result:
    """Send the answers that wait for the holder of a seat as one; those for a former holder are dropped."""
    rows = context.stored.secrets.later.get(holder.seat, ())
    full = context.words.mail if context.words else dict
    mails = tuple(from_data(Message, full(row.mail), "mail") for row in rows if row.handed == holder.generation - 1)
    answer = _joined(holder.seat, mails) if mails else None
    says = "letters are answered together"
    return reply_result(context, answer, says, holder.seat, delivery=Delivery(together=True))


def _joined(seat: Seat, mails: tuple[Message, ...]) -> Message:
    """One answer for several."""
    head = T(
        "{n} letter of yours is answered here, because more than {most} were refused within ten minutes, or more than "
        "{many} in a day played nothing. It played nothing.",
        "{n} letters of yours are answered here together, because more than {most} were refused within ten minutes, or "
        "more than {many} in a day played nothing. None of them played anything.",
        n=len(mails), most=FAST, many=MANY,
    )  # fmt: skip
    # A note that names a number means a list that this mail does not have.
    told = (notes_without_numbers(mail.notes) if mail.repairs or mail.choices else mail.notes for mail in mails)
    tried = [_tried(said) for mail in mails if mail.kind is MailKind.TRIAL for said in mail.said]
    return Message(
        seat=seat,
        kind=MailKind.ANSWER,
        said=tuple(said for mail in mails if mail.kind is not MailKind.TRIAL for said in mail.said),
        notes=(head, *dict.fromkeys(note for notes in told for note in notes)),
        answers=tuple(dict.fromkeys((*tried, *(block for mail in mails for block in mail.answers)))),
        position=any(mail.position for mail in mails),
        options=any(mail.options for mail in mails),
        quiet=all(mail.quiet for mail in mails),
        answering=mails[-1].answering,
    )


def _tried(said: LineAnswer) -> CardText:
    """A line that was tried, worded so that nobody takes it for played."""
    reason = () if said.reason is None else (said.reason,)
    ways = (T("Possible: {what}", what=way) for way in said.possible)
    lines = (*said.effects, *said.assumed, *reason, *ways)
    return CardText(T("Only tried: {order}", order=said.written), lines or (T("Nothing would change."),))


def _untold(result: Result) -> Result:
    """Drop the messages of a letter; the answer says so, and what else it did stands."""
    full = T(
        "Not passed on: {n} messages of yours were passed on today, which is the most. Tomorrow they are again; "
        "everything else goes on.",
        n=TALK,
    )
    result = result.with_effects(talk=tuple(one for one in result.effects.talk if one.is_note))
    message = result.answer
    if message is None:
        return result
    said = tuple(replace(one, effects=(), reason=full) if _is_talk(one) else one for one in message.said)
    if len(said) > 1 or message.answers or message.position or message.options:
        return replace(result, answer=replace(message, said=said))
    short = Message(seat=message.seat, kind=MailKind.REFUSAL, said=said, quiet=True, answering=message.answering)
    return replace(result, answer=short)


def _only_asks(message: Message) -> bool:
    """True if a letter only asks, even for a card that does not exist."""
    if message.kind is MailKind.REFUSAL:
        found = [commands.parse_command(one.written) for one in message.said]
        return bool(found) and all(one is not None and one[0].does is Does.ASK for one in found)
    return message.kind is MailKind.ANSWER


def _is_talk(one: LineAnswer) -> bool:
    """True if a line was said to others, in any language."""
    found = commands.parse_command(one.understood) if one.aside else None
    return found is not None and found[0].does is Does.SAY and found[0].word != NOTE


def _mark(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:20]
