"""How often a person is answered whose letters play nothing, and how often they may make others' mailboxes ring
(contract, «Never silent to a person»).

Orders, refused orders and `try` are always answered. Questions beyond a day's measure get one short line, talk beyond
it is not passed on and the line says so; only the same text over and over, while its answer would be the same, ends in
silence, after an answer that says so. Refused letters that come too fast, or without end, are answered together; the
answer before that says until when.

What is counted of a person is counted of a mailbox, however its address is spelt (`Keys.mailbox`), and what anybody
could have written apart from what only its owner can: letters with the key of the seat's newest mail from those with an
older one, which may have leaked, and letters that the own mail server vouches for from others without a key.

The counts lie in the spool, each letter once: a crash leaves one counted that is handled again, which counts the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import Address
from functools import cached_property

from engine.catalog import Msg, T
from engine.kit.words import folded
from pbem.clocks.dates import when
from pbem.desk import commands, notices
from pbem.desk.commands.talk import NOTE
from pbem.desk.commands.word import Does
from pbem.desk.commit import Committed
from pbem.desk.request import Request
from pbem.desk.result import Result
from pbem.desk.services import Services
from pbem.host.people import MODERATOR
from pbem.inbound.letter import Letter
from pbem.outbound.mail import MailKind, Message, Said
from pbem.outbound.render import Thread

QUESTIONS = 40
"""Letters with questions alone that are answered in full, a seat and day."""

TALK = 60
"""Messages that are passed on, a seat and day."""

SAME = 3
"""Answers to the same text on the same decision within `SAME_WITHIN`, while they would be the same."""

SAME_WITHIN = timedelta(hours=1)

FAST = 12
"""Refused letters within `TOGETHER` that are answered one by one."""

TOGETHER = timedelta(minutes=10)

MANY = 100
"""Refused letters and questions, a seat and day, beyond which they are answered every `SLOWLY`: two programs that
answer each other would never end."""

SLOWLY = timedelta(hours=1)

UNPROVEN = 3
"""Answers to letters without a valid key that ask for the same kind of thing, a mailbox and day."""

RINGS = 6
"""Mails of one kind that a seat's letters make another one get in a day while that one writes nothing; the others wait
(`volume.CALM`), or are told with the next mail that goes anyway."""

RINGING = (MailKind.TURN, MailKind.NEWS)
"""The mails that others get of a letter; beside these only what begins and what ends a game."""


def midnight(now: datetime) -> datetime:
    """When the day began."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def nth_today(services: Services, purse: str, letter: str) -> int:
    """Count a letter against a purse of the day; which one it is."""
    now = services.clock()
    services.spool.spend(purse, letter, now)
    return services.spool.spent(purse, midnight(now), now)


def vouched(services: Services, letter: Letter) -> bool:
    """Whether the own mail server says that a letter is from the domain in its From."""
    return bool(services.authserv_id) and (services.authserv_id, "pass") in letter.verdicts


def nth_unproven(services: Services, letter: Letter, word: str = "") -> int:
    """Count a letter without a valid key against its sender's mailbox; which one it is of those that ask for the same
    kind of thing today. What anybody may have forged uses nothing up of what the own server vouches for."""
    apart = " vouched" if vouched(services, letter) else ""
    return nth_today(services, f"unproven {services.keys.mailbox(letter.sender)} {word}{apart}", letter.digest)


def measured(services: Services, request: Request, result: Result) -> Result | None:
    """What becomes of a proven letter, with the measures of its seat kept; None when it gets no answer.

    What plays or changes something, or was passed on or told to others, is never counted as playing nothing.
    """
    if not services.measures:
        return result
    budget = Budget(services, request, result.letter.digest if result.letter else "")
    result = budget.calmed(budget.passed_on(result))
    return result if result.lasts else budget.answered(result)


def rang(services: Services, request: Request, letter: str, committed: Committed) -> None:
    """Count the mails that a letter has made others get."""
    table, seat, now = request.table.game, request.seat, services.clock()
    for to, mail in committed.mails.items():
        if to != seat and mail.kind in RINGING:
            services.spool.spend(f"rings {table} {to} {mail.kind}", letter, now, says=seat)


@dataclass(frozen=True)
class Budget:
    """The measures of one seat, for one letter of its holder's. `letter` is its digest."""

    services: Services
    request: Request
    letter: str

    def _purse(self, what: str) -> str:
        return f"{what} {self.request.table.game} {self.request.seat}{' old' if self._is_old else ''}"

    @cached_property
    def _is_old(self) -> bool:
        """Whether the key of the letter is older than that of the seat's newest mail."""
        stored, seat, services = self.request.context.stored, self.request.seat, self.services
        thread = next((row.thread for row in stored.rows if row.seat == seat), None)
        if thread is None or self.request.decision is None:
            return False
        newest = services.spool.mailed(services.keys.mail(stored.table.game, seat, thread.last))
        return newest is not None and self.request.decision < newest.decision

    def passed_on(self, result: Result) -> Result:
        """The result with its messages, or without them when enough were passed on today."""
        count = sum(1 for one in result.talk if not one.is_note)
        if not count:
            return result
        services, now = self.services, self.services.clock()
        services.spool.spend(self._purse("talk"), self.letter, now, count)
        if services.spool.spent(self._purse("talk"), midnight(now), now) <= TALK:
            return result
        services.spool.spend(self._purse("talk"), self.letter, now, 0)
        return _untold(result)

    def calmed(self, result: Result) -> Result:
        """The result with whom it makes ring no more for now. Who writes has read what came. The writer is not told:
        that somebody has or has not written, be it a sealed answer, is nobody else's to know."""
        services, request, now = self.services, self.request, self.services.clock()
        game, seat, since = request.table.game, request.seat, now - timedelta(days=1)
        for kind in RINGING:
            if services.spool.spent(own := f"rings {game} {seat} {kind}", since, now):
                services.spool.empty(own)
        if not result.lasts:
            return result
        others = [one for one in (*request.names, MODERATOR) if one != seat]
        often = frozenset(
            (one, kind)
            for one in others
            for kind in RINGING
            if services.spool.spent(f"rings {game} {one} {kind}", since, now, says=seat) >= RINGS
        )
        if not often:
            return result
        aside = None if (MODERATOR, MailKind.NEWS) in often else result.aside
        return replace(result, often=often, aside=aside)

    def answered(self, result: Result) -> Result | None:
        """The result of a letter that plays nothing and passes nothing on; None when it gets no answer."""
        message = result.answer
        if message is None:
            return result
        kind = MailKind.ANSWER if _only_asks(message) else message.kind
        if kind in (MailKind.ANSWER, MailKind.REFUSAL):
            self.services.spool.spend(self._purse("idle"), self.letter, self.services.clock(), says=kind)
        if kind is MailKind.ANSWER:
            result = self._unless_too_many(result, message)
        repeated = self._unless_the_same(result)
        return None if repeated is None else self._unless_too_fast(repeated, kind)

    def _idle(self, kind: MailKind, since: datetime) -> int:
        """How many letters were answered so since then."""
        return self.services.spool.spent(self._purse("idle"), since, self.services.clock(), says=kind)

    def _unless_too_many(self, result: Result, message: Message) -> Result:
        if self._idle(MailKind.ANSWER, midnight(self.services.clock())) <= QUESTIONS:
            return result
        short = T(
            "{n} questions of yours were answered in full today; until midnight (UTC) a question gets this line only. "
            "Orders and «try» are answered as always.",
            n=QUESTIONS,
        )
        line = Message(seat=message.seat, kind=MailKind.ANSWER, notes=(short,), quiet=True, answering=message.answering)
        return replace(result, answer=line)

    def _unless_the_same(self, result: Result) -> Result | None:
        message = result.answer
        if message is None:
            return result
        now, spool = self.services.clock(), self.services.spool
        text = "\n".join(folded(line).strip() for line in self.request.written if line.strip())
        purse = f"{self._purse('same')} {self.request.decision} {_mark(text)}"
        says = _mark(self._as_mailed(message))
        spool.spend(purse, self.letter, now, 1, says)
        count = spool.spent(purse, now - SAME_WITHIN, now, says)
        if count > SAME:
            notices.same_again(self.services, self.request.table.game, self.request.seat)
            return None
        if count < SAME:
            return result
        last = T(
            "You have sent this {n} times within an hour, and the answer stays the same. If it comes again within "
            "the hour, it gets no answer; anything else does.",
            n=SAME,
        )
        return replace(result, answer=replace(message, notes=(*message.notes, last)))

    def _as_mailed(self, message: Message) -> bytes:
        """What the answer says, without the marks of its own mail."""
        mail = replace(notices.composed(self.request.context, replace(message, answering="")), token="")
        to = Address("", addr_spec=self.services.renderer.host.address)
        return self.services.renderer.message(mail, to, Thread(), "<same>", datetime(2000, 1, 1, tzinfo=UTC))

    def _unless_too_fast(self, result: Result, kind: MailKind) -> Result:
        """The result, with its answer put off when refused letters come too fast, or letters that play nothing without
        end. The answer that goes before such a pause says how long it is; a view to be forwarded goes alone."""
        services, now, seat, game = self.services, self.services.clock(), self.request.seat, self.request.table.game
        if result.answer is None or result.answer.public or kind not in (MailKind.ANSWER, MailKind.REFUSAL):
            return result
        refused, today = kind is MailKind.REFUSAL, midnight(now)
        many = self._idle(MailKind.ANSWER, today) + self._idle(MailKind.REFUSAL, today) > MANY
        if not many and not (refused and self._idle(MailKind.REFUSAL, now - TOGETHER) >= FAST):
            return result
        if many:
            about = f"{self._purse('idle')} {now.date().isoformat()}"
            notices.without_end(services, game, seat, MANY, about)
        pause, purse = (SLOWLY, self._purse("slow")) if many else (TOGETHER, self._purse("fast"))
        began = services.spool.last_spent(purse, today if many else now - pause, now, but=self.letter)
        if began is not None and (many or began + pause > now):
            due = began + pause if began + pause > now else now + pause
            return replace(result, later=services.spool.later(game, seat) or due)
        services.spool.spend(purse, self.letter, now)
        hours = self.request.hours
        until = when(now + pause, hours.zone if hours else services.zone)
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
        return replace(result, answer=replace(result.answer, notes=(*result.answer.notes, last)))


def moderated(services: Services, result: Result, letter: str) -> Result:
    """The same for the moderator's desk, whose measure is its own: deeds, and deeds refused, are never counted."""
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


def last_today(message: Message) -> Message:
    """The answer that says that it is the last one today to a letter without a key."""
    return replace(message, notes=(*message.notes, the_last_today()))


def the_last_today() -> Msg:
    """That no letter without a key is answered any more today."""
    return T("This was answer {n} today to a letter without a valid key, and the last one today.", n=UNPROVEN)


def _untold(result: Result) -> Result:
    """Without its messages; what else the letter did stands, and the answer says what was not passed on."""
    full = T(
        "Not passed on: {n} messages of yours were passed on today, which is the most. Tomorrow they are again; "
        "everything else goes on.",
        n=TALK,
    )
    result = replace(result, talk=tuple(one for one in result.talk if one.is_note))
    message = result.answer
    if message is None:
        return result
    said = tuple(replace(one, effects=(), reason=full) if _is_talk(one) else one for one in message.said)
    if len(said) > 1 or message.answers or message.position or message.options:
        return replace(result, answer=replace(message, said=said))
    short = Message(seat=message.seat, kind=MailKind.REFUSAL, said=said, quiet=True, answering=message.answering)
    return replace(result, answer=short)


def _only_asks(message: Message) -> bool:
    """Whether a letter only asks, be it for a card that there is not."""
    if message.kind is MailKind.REFUSAL:
        found = [commands.command_of(one.written) for one in message.said]
        return bool(found) and all(one is not None and one[0].does is Does.ASK for one in found)
    return message.kind is MailKind.ANSWER


def _is_talk(one: Said) -> bool:
    """Whether a line was said to others. It is shown in its writer's language, and read in every one."""
    found = commands.command_of(one.understood) if one.aside else None
    return found is not None and found[0].does is Does.SAY and found[0].word != NOTE


def _mark(text: str | bytes) -> str:
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()[:20]
