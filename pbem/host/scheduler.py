"""The scheduler: what is due when, and one timer that waits for the earliest of it.

Due times of the host's housekeeping are kept in a file, the others are planned anew by each process. What is due at a
table is known to `pbem.daemon.schedule_cache`. Only this module asks what time it is.

Clocks are set, by hand and by mistake. So durations are measured by a clock that nobody sets (`monotonic_reading`), and
a due time further off than its kind ever is was made by a clock that ran ahead: it is brought back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import tomllib
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbem.store import toml_format
from pbem.store.durable_files import replace_file

log = logging.getLogger(__name__)

LONGEST_WAIT = 60.0
"""Seconds: the timer looks at the time of day at least this often, since computers sleep and clocks are set."""

AFTER_TROUBLE = timedelta(minutes=5)
"""How long a due time whose handling failed is put off."""


@dataclass(frozen=True, slots=True, order=True)
class DueTime:
    """At `due` (aware) `what` shall happen; no two due times have the same `what`."""

    due: datetime
    what: str


Handler = Callable[[DueTime, datetime], Awaitable[datetime | None]]
"""Does what is due, given the present time; returns when it is due again, or None when it is done with."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class ClockReading(NamedTuple):
    """Seconds of a clock that nobody sets; two readings can be compared when they are of the same era."""

    era: str
    seconds: float


def monotonic_reading() -> ClockReading:
    """The clock of this machine since it was started; where that cannot be told, of this process."""
    return ClockReading(_era(), time.monotonic())


@cache
def _era() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return uuid.uuid4().hex


class Scheduler:
    """Due times and who handles them. `path`: the file of the kept ones; None keeps them in memory only."""

    def __init__(self, path: Path | None = None, now: Callable[[], datetime] = utc_now) -> None:
        self.now = now
        self._path = path
        self._handlers: dict[str, tuple[Handler, timedelta | None]] = {}
        self._dues = _kept_at(path) if path is not None and path.exists() else {}
        self._kept = set(self._dues)
        self._wake = asyncio.Event()

    def on(self, what: str, handler: Handler, longest: timedelta | None = None) -> None:
        """Set who does what is due under this word; `longest`: the furthest off that it can be."""
        self._handlers[what] = (handler, longest)

    def keep(self, due: DueTime) -> None:
        """Remember a due time over restarts, in place of the one of the same kind."""
        self._kept.add(due.what)
        self.plan(due)
        self._write()

    def keep_first(self, due: DueTime) -> None:
        """`keep`, unless one of that kind is kept already: for periodic work at the start of the program."""
        if due.what not in self._dues:
            self.keep(due)

    def plan(self, due: DueTime) -> None:
        """Wait for a due time that no file keeps, in place of the one of the same kind."""
        self._dues[due.what] = due
        self._wake.set()

    def dues(self) -> tuple[DueTime, ...]:
        """Everything that is waited for, the earliest first."""
        return tuple(sorted(self._dues.values()))

    def next(self) -> datetime | None:
        return next((due.due for due in self.dues() if due.what in self._handlers), None)

    async def ring(self) -> int:
        """Handle everything that is due now, the earliest first; returns how much it was. Never raises for a handler.

        A due time is forgotten only after it was handled: what a crash interrupts is done again.
        """
        now = self.now()
        self._bring_back(now)
        ready = [due for due in self.dues() if due.due <= now and due.what in self._handlers]
        for due in ready:
            try:
                again = await self._handlers[due.what][0](due, now)
            except Exception:
                log.exception("%s could not be done; again in %s", due.what, AFTER_TROUBLE)
                again = now + AFTER_TROUBLE
            self._settle(due, again)
        return len(ready)

    def _bring_back(self, now: datetime) -> None:
        """Where the clock has gone back since, due times are as late as they can be."""
        for what, due in self._dues.items():
            _, longest = self._handlers.get(what, (None, None))
            if longest is not None and due.due > now + longest:
                self._dues[what] = replace(due, due=now + longest)

    def _settle(self, due: DueTime, again: datetime | None) -> None:
        # What the handler itself has set anew stands.
        if self._dues.get(due.what) == due:
            del self._dues[due.what]
            if again is not None:
                self._dues[due.what] = replace(due, due=again)
            if due.what in self._kept:
                self._write()

    async def run(self) -> None:
        """Ring for ever. Cancel it to stop."""
        while True:
            await self.ring()
            first = self.next()
            wait = LONGEST_WAIT if first is None else (first - self.now()).total_seconds()
            # Not wait_for, which in Python 3.11 loses a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(max(wait, 0.01), LONGEST_WAIT)):
                    await self._wake.wait()
            self._wake.clear()

    def _write(self) -> None:
        if self._path is not None:
            rows = [{"due": due.due, "what": due.what} for due in self.dues() if due.what in self._kept]
            replace_file(self._path, toml_format.toml_bytes({"due": rows}))


def _kept_at(path: Path) -> dict[str, DueTime]:
    """The kept due times by their words. A file that cannot be read is begun anew: housekeeping is only done sooner."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("due", [])
        return {row["what"]: DueTime(row["due"].astimezone(UTC), row["what"]) for row in rows}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as odd:
        log.warning("%s cannot be read and is begun anew: %s", path, odd)
        return {}
