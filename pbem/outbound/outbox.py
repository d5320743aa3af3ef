"""Mail out: send what the spool has released, in order for each address, until the server takes it.

A mail is marked sent after the server's answer and before the next one is begun, so a crash repeats one mail at most. A
delayed mail holds up only later mails to the same address. If the server itself fails or takes nothing from us, it is
left alone, longer each time, and no mail is given up for that.

A permanent refusal is believed if it can only be about that mail. If one reply cannot tell, the mail is tried again,
and given up once the server has taken another mail of ours. The same refusal of several recipients, with no mail taken
between them, is about us: then all mails wait. After each pause a recipient who was not refused is tried first, so a
few dead addresses hold up nobody.

The time that a mail has been tried is the sum of the seconds between its tries, so neither a host that was off for a
week nor a jumping clock gives a mail up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.host.scheduler import ClockReading, monotonic_reading
from pbem.inbound.smtp_replies import reply_pattern
from pbem.outbound.sender import Sender, SenderRefused, SendError, SendRefused
from pbem.store.database import QueuedMail
from pbem.store.outbound_queue import OutboundQueue

log = logging.getLogger(__name__)

FIRST_RETRY = timedelta(minutes=1)
LONGEST_RETRY = timedelta(hours=2)
PATIENCE = timedelta(days=4)
"""A mail is given up after so long (RFC 5321, section 4.5.4.1: at least 4 to 5 days)."""

LATE_AFTER = timedelta(days=1)
"""A mail is reported as late, once, after so long."""

SUSPECT_RETRY = timedelta(minutes=10)

FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=5)
REFUSED_PAUSE = timedelta(hours=1)
"""The longest pause after a refusal of us: the server may count our tries."""

MANY_REFUSED = 3
"""So many recipients refused in a row with one text mean us; one fewer if the refusal need not be about them."""

Failed = Callable[[QueuedMail, str, bool], None]
"""Called for a mail that will never arrive, with the reason and whether the address itself was refused."""


@dataclass(frozen=True, slots=True)
class Round:
    """Counts of one round of sending. `trouble`: why the server could not be used; empty if it could."""

    sent: int = 0
    delayed: int = 0
    failed: int = 0
    trouble: str = ""


@dataclass(slots=True)
class RefusalStreak:
    """Successive refusals with one text and no mail taken in between: the recipients, and the mails given up."""

    text: str = ""
    recipients: set[str] = field(default_factory=set)
    failed: list[QueuedMail] = field(default_factory=list)

    def add(self, mail: QueuedMail, odd: SendError) -> int:
        """Add a refusal. Returns the number of recipients."""
        if (text := f"{odd.code} {reply_pattern(odd.text)}") != self.text:
            self.text = text
            self.recipients.clear()
            self.failed.clear()
        self.recipients.add(mail.rcpt)
        return len(self.recipients)


class Outbox:
    """Sends what is due, one round at a time. `mail_from` is the envelope sender."""

    def __init__(
        self,
        spool: OutboundQueue,
        sender: Sender,
        now: Callable[[], datetime],
        mail_from: str,
        failed: Failed | None = None,
        steady: Callable[[], ClockReading] = monotonic_reading,
        late: Callable[[QueuedMail, str], None] = lambda mail, reason: None,
        doubted: Callable[[QueuedMail, str], None] = lambda mail, reason: None,
        restored: Callable[[QueuedMail], None] = lambda mail: None,
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
        self._streak = RefusalStreak()
        self._taken = 0
        """Number of mails the server has taken."""
        self._doubts: dict[str, int] = {}
        """Refused mails that are tried again, with the number of mails taken before the refusal."""

    @property
    def trouble(self) -> str:
        """Why the server could not be used at the last try; empty if it could."""
        return self._trouble

    @property
    def refused(self) -> bool:
        """Whether the server refuses us, so that waiting alone does not help."""
        return self._refused

    @property
    def sends(self) -> bool:
        """Whether mail is known to go out: the server has taken some in this process, or none waits."""
        return not self._trouble and (self._taken > 0 or self._spool.next_due(self._now()) is None)

    def next_try(self) -> datetime | None:
        """When there is something to send; None if the spool is empty."""
        now = self._now()
        due = self._spool.next_due(now)
        return None if due is None else max(due, now + timedelta(seconds=self._paused))

    @property
    def _paused(self) -> float:
        """Seconds until the server is tried again."""
        return max(0.0, self._paused_until - self._steady().seconds)

    def begin(self, stop: asyncio.Event | None = None) -> None:
        """Start sending what is due, without waiting. A round under way also sends what has come since. After an error
        nothing starts until `rest` has raised it."""
        if self._begun is None or (self._begun.done() and not self._begun.exception()):
            self._begun = asyncio.get_running_loop().create_task(self.flush(stop))

    async def rest(self, seconds: float | None = None) -> bool:
        """Wait at most so long for what was begun. Returns whether it has ended. Raises its error."""
        if self._begun is None:
            return True
        done, _ = await asyncio.wait({self._begun}, timeout=seconds)
        for begun in done:
            self._begun = None
            begun.result()
        return bool(done)

    async def flush(self, stop: asyncio.Event | None = None, *, force: bool = False) -> Round:
        """Send everything that is due, until `stop`. `force` also during a pause. Raises only errors of the spool."""
        async with self._lock:
            if not force and self._paused:
                return Round(trouble=self._trouble)
            sent = delayed = failed = 0
            while mails := self._spool.due(self._now()):
                for mail in sorted(mails, key=lambda mail: mail.rcpt in self._streak.recipients):
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
                # No waiting mail could show that the server works again.
                self._well()
            return Round(sent, delayed, failed)

    def _about_us(self, mail: QueuedMail, odd: SendError) -> bool:
        """Whether the server fails, or refuses us and not the recipient."""
        if odd.code in (0, 421):
            return True
        if odd.code < 500 and not isinstance(odd, SenderRefused):
            return False
        if self._taken > self._doubts.get(mail.message_id, self._taken):
            # The server has taken another mail since it first refused this one.
            return isinstance(odd, SenderRefused)
        count = self._streak.add(mail, odd)
        if not isinstance(odd, SenderRefused) and count < MANY_REFUSED - (not getattr(odd, "certain", False)):
            return False
        self._doubts.setdefault(mail.message_id, self._taken)
        return True

    def _believed(self, mail: QueuedMail, odd: SendRefused) -> bool:
        """Whether a refusal is permanent, as the server takes other mails of ours. The notice of a doubt may be the
        mail that shows it."""
        if not odd.certain and mail.message_id not in self._doubts:
            self._doubts[mail.message_id] = self._taken
            self._doubted(mail, str(odd))
        return odd.certain or self._taken > self._doubts[mail.message_id]

    def _takes(self, mail: QueuedMail) -> None:
        self._doubts.pop(mail.message_id, None)
        self._streak = RefusalStreak()
        self._taken += 1
        self._well()

    def _delay(self, mail: QueuedMail, odd: SendError) -> None:
        """Delay a mail, or give it up."""
        self._speaks()
        wait = min(FIRST_RETRY * 2 ** min(mail.attempts, 12), LONGEST_RETRY)
        log.info("mail %s to %s is delayed for %s: %s", mail.message_id, mail.seat or "the moderator", wait, odd)
        spent = self._put_off(mail, wait, odd, LONGEST_RETRY)
        if spent >= PATIENCE.total_seconds():
            self._give_up(mail, f"given up after {PATIENCE.days} days: {odd}", False)
        elif spent >= LATE_AFTER.total_seconds() > mail.spent:
            self._late(mail, str(odd))

    def _put_off(self, mail: QueuedMail, wait: timedelta, odd: SendError, counts: timedelta) -> float:
        now, reading = self._now(), self._steady()
        longest = counts.total_seconds()
        return self._spool.delayed(mail.message_id, now, wait, str(odd), reading.era, reading.seconds, longest)

    def _leave_alone(self, mail: QueuedMail, odd: SendError) -> None:
        """Pause. A mail at which the connection ends repeatedly may be the cause, so it lets others pass."""
        refused = odd.code >= 500 or isinstance(odd, SenderRefused)
        self._paused_until = self._steady().seconds + self._pause.total_seconds()
        # If several refusals only look as if they were about us, another recipient is tried soon.
        self._pause = min(self._pause * 2, REFUSED_PAUSE if isinstance(odd, SenderRefused) else LONGEST_PAUSE)
        # Mails given up before it was clear that the refusals are about us.
        self._spool.again(one.message_id for one in self._streak.failed)
        for one in self._streak.failed:
            self._restored(one)
        self._streak.failed.clear()
        if mail.attempts >= 3:
            wait = min(FIRST_RETRY * 2 ** min(mail.attempts - 3, 4), SUSPECT_RETRY)
        else:
            wait = self._pause / 2
        # The recipient's server was not tried, so this time is not counted.
        self._put_off(mail, wait, odd, timedelta())
        if not self._trouble or refused > self._refused:
            says = "the server takes no mail from us, and all of it waits: %s" if refused else "mail cannot be sent: %s"
            log.log(logging.ERROR if refused else logging.WARNING, says, odd)
        self._trouble, self._refused = str(odd), refused

    def _give_up(self, mail: QueuedMail, reason: str, dead: bool) -> None:
        log.warning("mail %s to %s cannot be delivered: %s", mail.message_id, mail.seat or "the moderator", reason)
        self._spool.failed(mail.message_id, reason)
        self._failed(mail, reason, dead)
        self._doubts.pop(mail.message_id, None)
        self._streak.failed.append(mail)
        self._speaks()

    def _speaks(self) -> None:
        """The server has answered about a recipient, so it works; it may still refuse us."""
        if not self._refused:
            self._well()

    def _well(self) -> None:
        if self._trouble:
            log.info("mail is being sent again")
        self._trouble, self._refused, self._paused_until, self._pause = "", False, 0.0, FIRST_PAUSE
