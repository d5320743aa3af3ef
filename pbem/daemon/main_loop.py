"""The daemon's loop: connect, look, answer, send, wait; and one orderly end.

Three tasks share one thread: this loop, the scheduler's timer, and the signs of life; at the start a fourth one
prepares what letters will need. Mails may be sent by another thread (`pbem.outbound.sender_thread`). Every wait has an
end. Trouble is logged when it begins and when it is over, not at each attempt.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import signal
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.daemon.alarm import Alarm
from pbem.daemon.heartbeat import HeartbeatWriter
from pbem.daemon.timekeeping import Timekeeper
from pbem.host.scheduler import DueTime, Scheduler
from pbem.inbound.intake import Intake
from pbem.inbound.mailbox import LoginRefused, Mailbox, MailboxError
from pbem.inbound.maildir import Maildir
from pbem.outbound.outbox import Outbox
from pbem.outbound.sender_thread import SenderThread
from pbem.store.errors import StoreError

log = logging.getLogger(__name__)

DONE = 0
TROUBLE = 3

FIRST_BACK_OFF = 1.0
LONGEST_BACK_OFF = 300.0
"""Seconds between attempts to reach the mailbox; after a refused login the longest, since servers lock accounts."""

LOOKED_BACK_OFF = 15.0
"""The longest pause where the mailbox can be looked into but ends the connection when we wait for letters; and while
the disk is in trouble."""

LOOK_AGAIN = 60.0
"""Seconds after which the mailbox is looked into though it has told nothing."""

SEND_AGAIN = timedelta(seconds=10)
"""How often the spool is searched for mails that another program (a repair, a new game) has laid into it."""

SLOW = 1.0
"""Seconds after which the mailbox is looked into again, though the mails of the last letters have not all gone."""

GC_THRESHOLDS = (20_000, 20, 20)
"""Thresholds of the garbage collector's three generations."""

OUTBOX = "outbox"


class Lifecycle:
    """What a host does around the loop. These defaults do nothing."""

    def lock(self) -> AbstractContextManager[object]:
        """Keep other daemons from the store. Raises LockHeld."""
        return contextlib.nullcontext()

    def recover(self) -> None:
        """Bring files and spool in order: at the start, under the lock, and again after trouble with the disk."""

    async def logged_in(self) -> None:
        """The mailbox has let us in; no letter has been looked at yet."""

    def prepare(self) -> Iterable[object]:
        """Make ready what the first letters need, a step at a time, while no letter is at hand."""
        return ()

    async def close(self) -> None:
        """The loop has ended, and the mailbox is closed."""


@dataclass(frozen=True, slots=True)
class DaemonParts:
    """What the loop drives. Without `clocks` no table has a clock. `jitter` gives a number from 0 to 1 for pauses."""

    box: Mailbox | Maildir
    intake: Intake
    outbox: Outbox | SenderThread
    clock: Scheduler
    pulse: HeartbeatWriter
    alarm: Alarm
    clocks: Timekeeper | None = None
    jitter: Callable[[], float] = random.random


class Daemon:
    """One running daemon, put together by `pbem.daemon.service`."""

    def __init__(self, parts: DaemonParts, lifecycle: Lifecycle | None = None) -> None:
        self._box, self._intake, self._outbox = parts.box, parts.intake, parts.outbox
        self._clock, self._pulse = parts.clock, parts.pulse
        self._clocks, self._alarm, self._jitter = parts.clocks, parts.alarm, parts.jitter
        self._lifecycle = lifecycle or Lifecycle()
        self._trouble: Exception | None = None
        """Why the loop pauses, if it does: the mailbox cannot be reached, or the disk fails."""
        self._back_off = FIRST_BACK_OFF
        self._unsent = ""
        self._unsure = False
        """The disk has failed: what was begun then is looked into before the next letter."""
        self._stop = asyncio.Event()
        self._idle = asyncio.Event()
        """Set while there is nothing to do but wait for letters."""
        self._clock.on(OUTBOX, self._send, longest=SEND_AGAIN)

    def stop(self) -> None:
        """Finish the batch of letters at hand and come to an end. Safe to call from a signal handler of the loop."""
        self._stop.set()

    async def run(self, *, once: bool = False) -> int:
        """Work until `stop`; with `once` until everything that is there now was handled and sent.

        Returns 0, or 3 when with `once` something could not be reached or is left. Raises LockHeld when another
        daemon works on the store.
        """
        with self._lifecycle.lock(), self._signals(), _rarer_garbage_collection():
            self._lifecycle.recover()
            self._clock.plan(DueTime(self._clock.now(), OUTBOX))
            try:
                return await (self._once() if once else self._for_ever())
            finally:
                self._pulse.stopping()
                # A mail that is under way is finished and marked: broken off, it would go out again.
                with contextlib.suppress(OSError, sqlite3.Error):
                    await self._outbox.rest()
                await self._box.close()
                await self._lifecycle.close()
                await self._alarm.rest()

    async def _once(self) -> int:
        try:
            await self._intake.answer(self._send_on, self._stop)
            await self._box.connect()
            self._pulse.ready()
            await self._lifecycle.logged_in()
            await self._intake.collect(self._box, self._send_on, self._stop)
            await self._flush(force=True)
            await self._keep_time(once=True)
            await self._clock.ring()
        except (MailboxError, OSError, sqlite3.Error) as odd:
            log.error("%s", odd)
            if isinstance(odd, MailboxError):
                self._trouble = odd
                await self._flush()
            return TROUBLE
        finally:
            self._heed()
            self._pulse.went_on(trouble=self._down)
        return TROUBLE if self._outbox.trouble or self._intake.left or self._intake.trouble else DONE

    async def _for_ever(self) -> int:
        tasks = [asyncio.create_task(work) for work in (self._clock.run(), self._pulse.run(), self._get_ready())]
        try:
            while not self._stop.is_set():
                await self._turn()
            log.info("stopping; %d letters were answered", self._intake.answered)
            return DONE
        finally:
            # What the clock is just sending is finished as well, before its task is cancelled.
            self._stop.set()
            with contextlib.suppress(OSError, sqlite3.Error):
                await self._outbox.flush(self._stop)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _get_ready(self) -> None:
        for _ in self._lifecycle.prepare():
            await asyncio.sleep(0)
            await self._idle.wait()

    async def _turn(self) -> None:
        """One connection to the mailbox, from the first look to its end."""
        try:
            if self._unsure:
                self._lifecycle.recover()
                self._unsure = False
            self._pulse.went_on("answering")
            # Letters that were fetched before a restart need no mailbox.
            await self._intake.answer(self._send_on, self._stop)
            self._pulse.went_on("connecting")
            await self._box.connect()
            self._pulse.ready()
            await self._lifecycle.logged_in()
            while not self._stop.is_set():
                fresh = await self._intake.collect(self._box, self._send_on, self._stop)
                await self._intake.answer(self._send_on, self._stop)
                self._back_off = min(self._back_off, LOOKED_BACK_OFF)
                # A server that is slow to take mails holds the clocks up, but no letters.
                gone = await self._outbox.rest(SLOW)
                if gone:
                    await self._keep_time()
                self._pulse.went_on("waiting for letters", trouble=self._outbox.trouble or self._intake.trouble)
                wait = self._clocks.soon(LOOK_AGAIN) if self._clocks else LOOK_AGAIN
                if self._outbox.trouble:
                    # No clock is looked at meanwhile, whatever one has to do.
                    wait = max(wait, 1.0)
                # Letters that came meanwhile lie there already; a server may take its time to tell so.
                if gone and not fresh:
                    self._idle.set()
                    try:
                        await self._unless_stopped(self._box.wait(wait))
                    finally:
                        self._idle.clear()
                self._well()
        except (MailboxError, OSError, sqlite3.Error, StoreError) as odd:
            self._unsure |= not isinstance(odd, MailboxError)
            await self._wait_out(odd)

    async def _keep_time(self, *, once: bool = False) -> None:
        """Do what is due, now that every letter was read. While mail cannot go out no clock runs."""
        if self._clocks is None or self._outbox.trouble or self._stop.is_set():
            return
        if self._clocks.look(self._pulse.well, waiting=bool(self._intake.left), once=once):
            await self._flush()
        if self._clocks.complete:
            self._pulse.is_well()

    async def _wait_out(self, odd: Exception) -> None:
        """Pause before the next attempt: longer each time, and by chance, so that programs do not all try at once."""
        await self._box.close()
        if isinstance(odd, LoginRefused):
            self._back_off = LONGEST_BACK_OFF
        elif not isinstance(odd, MailboxError):
            self._back_off = min(self._back_off, LOOKED_BACK_OFF)
        pause = self._back_off * (0.5 + self._jitter() / 2)
        self._back_off = min(self._back_off * 2, LONGEST_BACK_OFF)
        if type(odd) is not type(self._trouble):
            log.error("%s; trying again until it works", odd)
        self._trouble = odd
        self._pulse.went_on("waiting to try again", trouble=str(odd))
        if not isinstance(odd, LoginRefused):
            # A server that is down when the machine starts is waited for. A refused login somebody has to mend, and
            # `systemctl start` says so.
            self._pulse.not_yet(pause + LONGEST_BACK_OFF)
        await self._unless_stopped(asyncio.sleep(pause))

    def _well(self) -> None:
        if self._trouble is not None:
            log.info("%s works again", "the mailbox" if isinstance(self._trouble, MailboxError) else "the disk")
        self._trouble, self._back_off = None, FIRST_BACK_OFF

    @property
    def _down(self) -> str:
        """Why mail does not come or go; empty when it does."""
        return str(self._trouble) if isinstance(self._trouble, MailboxError) else self._outbox.trouble

    def _heed(self) -> None:
        # Before its first try a process does not know whether mail works.
        if self._down or self._outbox.sends:
            refused = isinstance(self._trouble, LoginRefused) or self._outbox.refused
            with contextlib.suppress(OSError):
                self._alarm.heed(self._down, refused=refused)

    async def _unless_stopped(self, work: Awaitable[None]) -> None:
        """Wait for `work` or for `stop`, whichever is first. Raises what `work` raises."""
        task = asyncio.ensure_future(work)
        stop = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()
        finally:
            for one in (task, stop):
                one.cancel()
            await asyncio.gather(task, stop, return_exceptions=True)

    async def _send_on(self) -> None:
        """Send the mails of a batch of letters while the next letters are read."""
        self._outbox.begin(self._stop)
        self._pulse.went_on()

    async def _flush(self, *, force: bool = False) -> None:
        await self._outbox.rest()
        await self._outbox.flush(self._stop, force=force)
        self._pulse.went_on()

    async def _send(self, due: DueTime, now: datetime) -> datetime | None:
        """Send retries and mails of other programs, when the scheduler says so."""
        try:
            await self._outbox.flush(self._stop)
            soonest = self._outbox.next_try() or now + SEND_AGAIN
            self._unsent = ""
            self._heed()
        except (OSError, sqlite3.Error) as odd:
            # A full disk: the mail goes as soon as there is room again.
            soonest = now + SEND_AGAIN
            if self._unsent != str(odd):
                self._unsent = str(odd)
                log.error("%s; no mail goes out before that is mended", odd)
        return min(max(soonest, now + timedelta(seconds=1)), now + SEND_AGAIN)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT end the loop in order, where signals can be caught (the main thread)."""
        loop = asyncio.get_running_loop()
        with contextlib.ExitStack() as caught:
            for number in (signal.SIGTERM, signal.SIGINT):
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self.stop)
                    caught.callback(loop.remove_signal_handler, number)
            yield


@contextlib.contextmanager
def _rarer_garbage_collection() -> Iterator[None]:
    """Freeze the objects of the start and collect cycles less often: with Python's own thresholds the collector took a
    twelfth of the time of a letter, which makes some ten thousand values and hardly a cycle."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
