"""Mail out: what the spool has released goes to the server, in order for each person, until it is taken.

A mail is marked sent after the server's answer and before the next one is begun, so that a crash repeats one mail
at most. A person whose mail is delayed holds up nobody else, and no later mail overtakes an earlier one to the
same address. When it is the server that fails, it is left alone for a while, and no mail is given up for it.

How long a mail has been tried is counted in seconds that passed between two tries of it, so that neither a host that
was off for a week nor a clock that jumps ten years ahead gives one up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from pbem.host.clock import ClockReading, steady
from pbem.outbound.sender import SendDelayed, SenderLoginRefused, SendRefused
from pbem.store.database import Queued

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

Failed = Callable[[Queued, str, bool], None]
"""Told of a mail that will never arrive: the mail, the reason, and whether the address itself was refused."""


class Queue(Protocol):
    """What the outbox needs of the spool (`pbem.store.spool.Spool`)."""

    def due(self, now: datetime, limit: int = 50) -> list[Queued]: ...
    def next_due(self, now: datetime) -> datetime | None: ...
    def sent(self, message_ids: Iterable[str], at: datetime) -> None: ...
    def delayed(
        self, message_id: str, now: datetime, wait: timedelta, error: str, era: str, at: float, longest: float
    ) -> float: ...
    def failed(self, message_id: str, error: str) -> None: ...


class Carrier(Protocol):
    """What the outbox needs of a sender (`pbem.outbound.sender.Sender`)."""

    async def send(self, message: bytes, mail_from: str, rcpt: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Round:
    """What one round of sending did. `trouble`: why the server could not be used; empty when it could."""

    sent: int = 0
    delayed: int = 0
    failed: int = 0
    trouble: str = ""


class Outbox:
    """Sends what is due. `mail_from` is the envelope sender; one round at a time."""

    def __init__(
        self,
        spool: Queue,
        sender: Carrier,
        now: Callable[[], datetime],
        mail_from: str,
        failed: Failed | None = None,
        steady: Callable[[], ClockReading] = steady,
        late: Callable[[Queued, str], None] = lambda mail, reason: None,
    ) -> None:
        self._spool = spool
        self._late = late
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

    @property
    def trouble(self) -> str:
        """Why the server could not be used when it was last tried; empty when it could."""
        return self._trouble

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
                for mail in mails:
                    if stop is not None and stop.is_set():
                        return Round(sent, delayed, failed)
                    try:
                        await self._sender.send(mail.raw, mail.mail_from or self._mail_from, mail.rcpt)
                    except SendRefused as odd:
                        failed += 1
                        self._give_up(mail, str(odd), odd.address_dead)
                    except SendDelayed as odd:
                        delayed += 1
                        if self._delay(mail, odd):
                            return Round(sent, delayed, failed, self._trouble)
                        break  # the spool leaves out whatever waits behind this mail
                    else:
                        sent += 1
                        self._spool.sent([mail.message_id], self._now())
                        self._well()
            return Round(sent, delayed, failed)

    def _delay(self, mail: Queued, odd: SendDelayed) -> bool:
        """Put a mail off, or give it up. True when the server is at fault and should be left alone."""
        if isinstance(odd, SenderLoginRefused) or odd.code in (0, 421):
            self._leave_alone(mail, odd)
            return True
        wait = min(FIRST_RETRY * 2 ** min(mail.attempts, 12), LONGEST_RETRY)
        log.info("mail %s to %s is delayed for %s: %s", mail.message_id, mail.seat or "the moderator", wait, odd)
        spent = self._put_off(mail, wait, odd, LONGEST_RETRY)
        if spent >= PATIENCE.total_seconds():
            self._give_up(mail, f"given up after {PATIENCE.days} days: {odd}", False)
        elif spent >= LATE.total_seconds() > mail.spent:
            self._late(mail, str(odd))
        return False

    def _put_off(self, mail: Queued, wait: timedelta, odd: SendDelayed, counts: timedelta) -> float:
        now, reading = self._now(), self._steady()
        longest = counts.total_seconds()
        return self._spool.delayed(mail.message_id, now, wait, str(odd), reading.era, reading.seconds, longest)

    def _leave_alone(self, mail: Queued, odd: SendDelayed) -> None:
        """Pause. A mail at which the connection ends again and again may be the cause, so it lets others pass."""
        self._paused_until = self._steady().seconds + self._pause.total_seconds()
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        if mail.attempts >= 3:
            wait = min(FIRST_RETRY * 2 ** min(mail.attempts - 3, 4), SUSPECT_RETRY)
        else:
            wait = self._pause / 2
        # For the recipient's server nothing was tried, so that this time is not counted.
        self._put_off(mail, wait, odd, timedelta())
        if not self._trouble:
            log.warning("mail cannot be sent at present: %s", odd)
        self._trouble = str(odd)

    def _give_up(self, mail: Queued, reason: str, dead: bool) -> None:
        log.warning("mail %s to %s cannot be delivered: %s", mail.message_id, mail.seat or "the moderator", reason)
        self._spool.failed(mail.message_id, reason)
        self._failed(mail, reason, dead)
        self._well()

    def _well(self) -> None:
        if self._trouble:
            log.info("mail is being sent again")
        self._trouble, self._paused_until, self._pause = "", 0.0, FIRST_PAUSE
