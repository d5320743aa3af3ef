"""Mail out: what the spool has released goes to the server, in order for each person, until it is taken.

A mail is marked sent after the server's answer and before the next one is begun, so that a crash repeats one mail
at most. A person whose mail is delayed holds up nobody else, and no later mail overtakes an earlier one to the
same address. When it is the server that fails, or takes nothing from us, it is left alone for a while, longer each
time, and no mail is given up for it.

A refusal for good is believed as far as it can only be about that mail. Where one reply cannot tell, the mail is tried
again, and given up once the server has taken another of ours in the meantime. One text for several recipients, with no
mail taken between them, is about us whatever it says: then all of them wait. After each pause a recipient who was not
refused is tried first, so that a few dead addresses hold up nobody else.

How long a mail has been tried is counted in seconds that passed between two tries of it, so that neither a host that
was off for a week nor a clock that jumps ten years ahead gives one up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.host.clock import ClockReading, steady
from pbem.inbound.replies import alike
from pbem.outbound.sender import Sender, SenderRefused, SendError, SendRefused
from pbem.store.database import Queued
from pbem.store.outbound_queue import Outtray

log = logging.getLogger(__name__)

FIRST_RETRY = timedelta(minutes=1)
LONGEST_RETRY = timedelta(hours=2)
PATIENCE = timedelta(days=4)
"""A mail is given up when it was tried in vain for so long (RFC 5321, section 4.5.4.1: at least 4 to 5 days)."""

LATE = timedelta(days=1)
"""A mail that was tried in vain for so long is told of, once."""

SUSPECT_RETRY = timedelta(minutes=10)

FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=5)
REFUSED_PAUSE = timedelta(hours=1)
"""The longest pause after the server has refused us: it answers, and counts our tries."""

SEVERAL = 3
"""Recipients refused in a row with one text; one fewer where the refusal need not be about the recipient."""

Failed = Callable[[Queued, str, bool], None]
"""Told of a mail that will never arrive: the mail, the reason, and whether the address itself was refused."""


@dataclass(frozen=True, slots=True)
class Round:
    """What one round of sending did. `trouble`: why the server could not be used; empty when it could."""

    sent: int = 0
    delayed: int = 0
    failed: int = 0
    trouble: str = ""


@dataclass(slots=True)
class Streak:
    """Refusals in a row with one text, no mail having been taken since the first: of which recipients, and the mails
    that were given up."""

    text: str = ""
    recipients: set[str] = field(default_factory=set)
    failed: list[Queued] = field(default_factory=list)

    def add(self, mail: Queued, odd: SendError) -> int:
        """One more; how many recipients there are now."""
        if (text := f"{odd.code} {alike(odd.text)}") != self.text:
            self.text = text
            self.recipients.clear()
            self.failed.clear()
        self.recipients.add(mail.rcpt)
        return len(self.recipients)


class Outbox:
    """Sends what is due. `mail_from` is the envelope sender; one round at a time."""

    def __init__(
        self,
        spool: Outtray,
        sender: Sender,
        now: Callable[[], datetime],
        mail_from: str,
        failed: Failed | None = None,
        steady: Callable[[], ClockReading] = steady,
        late: Callable[[Queued, str], None] = lambda mail, reason: None,
        doubted: Callable[[Queued, str], None] = lambda mail, reason: None,
        restored: Callable[[Queued], None] = lambda mail: None,
    ) -> None:
        self._spool = spool
        self._late = late
        self._doubted = doubted
        self._restored = restored
        self._sender = sender
        self._now = now
        self._steady = steady
        self._mail_from = mail_from
        self._failed = failed or (lambda mail, reason, dead: None)
        self._lock = asyncio.Lock()
        self._begun: asyncio.Task[Round] | None = None
        self._pause = FIRST_PAUSE
        self._paused_until = 0.0
        self._trouble = ""
        self._refused = False
        self._row = Streak()
        self._taken = 0
        """How many mails the server has taken."""
        self._doubts: dict[str, int] = {}
        """Mails that were refused and are tried again, with how many the server had taken by then."""

    @property
    def trouble(self) -> str:
        """Why the server could not be used when it was last tried; empty when it could."""
        return self._trouble

    @property
    def refused(self) -> bool:
        """Whether the trouble is that the server takes nothing from us, so that waiting alone mends nothing."""
        return self._refused

    @property
    def sends(self) -> bool:
        """Whether mail is known to go: the server has taken some of this process, or none waits."""
        return not self._trouble and (self._taken > 0 or self._spool.next_due(self._now()) is None)

    def next_try(self) -> datetime | None:
        """When there is something to send: now or in the past, later, or None when the spool is empty."""
        now = self._now()
        due = self._spool.next_due(now)
        return None if due is None else max(due, now + timedelta(seconds=self._paused))

    @property
    def _paused(self) -> float:
        """Seconds for which the server is still left alone."""
        return max(0.0, self._paused_until - self._steady().seconds)

    def begin(self, stop: asyncio.Event | None = None) -> None:
        """Send what is due, without waiting for it. What is under way sees what has come since; after trouble nothing
        begins before `rest` has told of it."""
        if self._begun is None or (self._begun.done() and not self._begun.exception()):
            self._begun = asyncio.get_running_loop().create_task(self.flush(stop))

    async def rest(self, seconds: float | None = None) -> bool:
        """Wait for what was begun, so long at most; whether it has come to its end. Raises what it has raised."""
        if self._begun is None:
            return True
        done, _ = await asyncio.wait({self._begun}, timeout=seconds)
        for begun in done:
            self._begun = None
            begun.result()
        return bool(done)

    async def flush(self, stop: asyncio.Event | None = None, *, force: bool = False) -> Round:
        """Send everything that is due, until `stop`. `force` tries a server that is being left alone.

        Raises what the spool raises (its disk); never for a mail or a server.
        """
        async with self._lock:
            if not force and self._paused:
                return Round(trouble=self._trouble)
            sent = delayed = failed = 0
            while mails := self._spool.due(self._now()):
                for mail in sorted(mails, key=lambda mail: mail.rcpt in self._row.recipients):
                    if stop is not None and stop.is_set():
                        return Round(sent, delayed, failed)
                    try:
                        await self._sender.send(mail.raw, mail.mail_from or self._mail_from, mail.rcpt)
                    except SendError as odd:
                        if self._about_us(mail, odd):
                            self._leave_alone(mail, odd)
                            return Round(sent, delayed + 1, failed, self._trouble)
                        if isinstance(odd, SendRefused) and self._believed(mail, odd):
                            failed += 1
                            self._give_up(mail, str(odd), odd.address_dead)
                            continue
                        delayed += 1
                        self._delay(mail, odd)
                        break  # the spool leaves out whatever waits behind this mail
                    else:
                        sent += 1
                        self._spool.sent([mail.message_id], self._now())
                        self._takes(mail)
            if self._trouble and self._spool.next_due(self._now()) is None:
                # Nothing waits that could show that the server works again.
                self._well()
            return Round(sent, delayed, failed)

    def _about_us(self, mail: Queued, odd: SendError) -> bool:
        """Whether the server is at fault, or refuses us and no recipient."""
        if odd.code in (0, 421):
            return True
        if odd.code < 500 and not isinstance(odd, SenderRefused):
            return False
        if self._taken > self._doubts.get(mail.message_id, self._taken):
            # The server has taken another of ours since it first refused this one.
            return isinstance(odd, SenderRefused)
        count = self._row.add(mail, odd)
        if not isinstance(odd, SenderRefused) and count < SEVERAL - (not getattr(odd, "certain", False)):
            return False
        self._doubts.setdefault(mail.message_id, self._taken)
        return True

    def _believed(self, mail: Queued, odd: SendRefused) -> bool:
        """Whether a mail was refused for good: the server takes others of ours. Who is told of a doubt may be mailed
        it, which makes it sure."""
        if not odd.certain and mail.message_id not in self._doubts:
            self._doubts[mail.message_id] = self._taken
            self._doubted(mail, str(odd))
        return odd.certain or self._taken > self._doubts[mail.message_id]

    def _takes(self, mail: Queued) -> None:
        self._doubts.pop(mail.message_id, None)
        self._row = Streak()
        self._taken += 1
        self._well()

    def _delay(self, mail: Queued, odd: SendError) -> None:
        """Put a mail off, or give it up."""
        self._speaks()
        wait = min(FIRST_RETRY * 2 ** min(mail.attempts, 12), LONGEST_RETRY)
        log.info("mail %s to %s is delayed for %s: %s", mail.message_id, mail.seat or "the moderator", wait, odd)
        spent = self._put_off(mail, wait, odd, LONGEST_RETRY)
        if spent >= PATIENCE.total_seconds():
            self._give_up(mail, f"given up after {PATIENCE.days} days: {odd}", False)
        elif spent >= LATE.total_seconds() > mail.spent:
            self._late(mail, str(odd))

    def _put_off(self, mail: Queued, wait: timedelta, odd: SendError, counts: timedelta) -> float:
        now, reading = self._now(), self._steady()
        longest = counts.total_seconds()
        return self._spool.delayed(mail.message_id, now, wait, str(odd), reading.era, reading.seconds, longest)

    def _leave_alone(self, mail: Queued, odd: SendError) -> None:
        """Pause. A mail at which the connection ends again and again may be the cause, so it lets others pass."""
        refused = odd.code >= 500 or isinstance(odd, SenderRefused)
        self._paused_until = self._steady().seconds + self._pause.total_seconds()
        # Where several recipients only look as if it were about us, another one is tried soon.
        self._pause = min(self._pause * 2, REFUSED_PAUSE if isinstance(odd, SenderRefused) else LONGEST_PAUSE)
        # What was given up before it was clear that it is about us.
        self._spool.again(one.message_id for one in self._row.failed)
        for one in self._row.failed:
            self._restored(one)
        self._row.failed.clear()
        if mail.attempts >= 3:
            wait = min(FIRST_RETRY * 2 ** min(mail.attempts - 3, 4), SUSPECT_RETRY)
        else:
            wait = self._pause / 2
        # For the recipient's server nothing was tried, so that this time is not counted.
        self._put_off(mail, wait, odd, timedelta())
        if not self._trouble or refused > self._refused:
            says = "the server takes no mail from us, and all of it waits: %s" if refused else "mail cannot be sent: %s"
            log.log(logging.ERROR if refused else logging.WARNING, says, odd)
        self._trouble, self._refused = str(odd), refused

    def _give_up(self, mail: Queued, reason: str, dead: bool) -> None:
        log.warning("mail %s to %s cannot be delivered: %s", mail.message_id, mail.seat or "the moderator", reason)
        self._spool.failed(mail.message_id, reason)
        self._failed(mail, reason, dead)
        self._doubts.pop(mail.message_id, None)
        self._row.failed.append(mail)
        self._speaks()

    def _speaks(self) -> None:
        """The server has answered about a recipient: it is there, which does not say that it takes mail from us."""
        if not self._refused:
            self._well()

    def _well(self) -> None:
        if self._trouble:
            log.info("mail is being sent again")
        self._trouble, self._refused, self._paused_until, self._pause = "", False, 0.0, FIRST_PAUSE
