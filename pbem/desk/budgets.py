"""How often a person is answered whose letters play nothing (contract, «Never silent to a person»).

Orders, refused orders and `try` are always answered. Questions beyond a day's measure get one short line, talk beyond
it is not passed on and the line says so; only the same text over and over, while its answer would be the same, ends in
silence, after an answer that says so. Letters that come too fast, or without end, are answered together.

The counts lie in the spool, each letter once: a crash leaves one counted that is handled again, which counts the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import Address

from engine.catalog import Msg, T
from engine.kit.words import folded
from pbem.desk import commands, notices
from pbem.desk.commands.talk import NOTE
from pbem.desk.commands.word import Does
from pbem.desk.request import Request
from pbem.desk.result import Result
from pbem.desk.services import Services
from pbem.host.people import MODERATOR
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
"""Letters within `TOGETHER` that play nothing and are answered one by one."""

TOGETHER = timedelta(minutes=10)

MANY = 100
"""Letters that play nothing, a seat and day, beyond which they are answered every `SLOWLY`: two programs that answer
each other would never end."""

SLOWLY = timedelta(hours=1)

UNPROVEN = 3
"""Answers to letters without a valid key, an address and day."""


def midnight(now: datetime) -> datetime:
    """When the day began."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def nth_today(services: Services, purse: str, letter: str) -> int:
    """Count a letter against a purse of the day; which one it is."""
    now = services.clock()
    services.spool.spend(purse, letter, now)
    return services.spool.spent(purse, midnight(now), now)


def measured(services: Services, request: Request, result: Result) -> Result | None:
    """What becomes of a proven letter, with the measures of its seat kept; None when it gets no answer.

    What plays or changes something, or was passed on or told to others, is never counted as playing nothing.
    """
    budget = Budget(services, request, result.letter.digest if result.letter else "")
    result = budget.passed_on(result)
    return result if result.lasts else budget.answered(result)


@dataclass(frozen=True, slots=True)
class Budget:
    """The measures of one seat, for one letter of its holder's. `letter` is its digest."""

    services: Services
    request: Request
    letter: str

    def _purse(self, what: str) -> str:
        return f"{what} {self.request.table.game} {self.request.seat}"

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

    def answered(self, result: Result) -> Result | None:
        """The result of a letter that plays nothing and passes nothing on; None when it gets no answer."""
        if result.answer is None:
            return result
        result = self._unless_too_many(result, result.answer)
        repeated = self._unless_the_same(result)
        return None if repeated is None else self._unless_too_fast(repeated)

    def _unless_too_many(self, result: Result, message: Message) -> Result:
        if message.kind is not MailKind.ANSWER:
            return result
        if nth_today(self.services, self._purse("asks"), self.letter) <= QUESTIONS:
            return result
        short = T(
            "{n} questions of yours were answered in full today; until midnight (UTC) a question gets this line only. "
            "Orders and «try» are answered as always.",
            n=QUESTIONS,
        )
        line = Message(seat=message.seat, kind=message.kind, notes=(short,), quiet=True, answering=message.answering)
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
            notices.same_again(self.services, self.request.table.game, self.request.seat, f"{purse} {says}")
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

    def _unless_too_fast(self, result: Result) -> Result:
        """The result, with its answer put off when letters come too fast, or without end. A view to be forwarded goes
        alone."""
        services, now, seat, purse = self.services, self.services.clock(), self.request.seat, self._purse("idle")
        services.spool.spend(purse, self.letter, now)
        many = services.spool.spent(purse, midnight(now), now) > MANY
        fast = services.spool.spent(purse, now - TOGETHER, now) > FAST
        if many:
            notices.without_end(services, self.request.table.game, seat, MANY, f"{purse} {now.date().isoformat()}")
        if not (fast or many) or result.answer is None or result.answer.public:
            return result
        due = services.spool.later(self.request.table.game, seat) or now + (SLOWLY if many else TOGETHER)
        return replace(result, later=due)


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


def _is_talk(one: Said) -> bool:
    """Whether a line was said to others. It is shown in its writer's language, and read in every one."""
    found = commands.command_of(one.understood) if one.aside else None
    return found is not None and found[0].does is Does.SAY and found[0].word != NOTE


def _mark(text: str | bytes) -> str:
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()[:20]
