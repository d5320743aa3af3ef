"""Signs of life: what systemd is told (sd_notify), and a small file that `doctor` and containers look at.

A task of its own feeds the watchdog, but only while the daemon's main loop goes on from one step to the next: a loop
that hangs, busy or waiting, is restarted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from pathlib import Path

import tomli_w

from pbem.host.scheduler import ClockReading, monotonic_reading
from pbem.store.durable_files import private_umask
from pbem.store.locks import process_exists

STALE_AFTER = timedelta(minutes=10)
"""A main loop that makes no step for so long counts as hanging. It never waits longer than half of this."""

STOPPED = "stopped"

_BEAT = 20.0
"""Seconds between two beats; or half of what systemd's watchdog asks for, if that is less."""


def notify(text: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send `READY=1` and the like to systemd; False where nobody listens. Never raises."""
    path = environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return False
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        # A socket that nobody reads must not hold up the post.
        line.settimeout(1.0)
        line.sendto(text.encode(), "\0" + path[1:] if path[0] == "@" else path)
        return True
    return False


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """What the file says: when the daemon last went on, its process, what it is at, and what is wrong if anything."""

    at: datetime
    pid: int
    state: str
    trouble: str = ""
    well: datetime | None = None
    """When letters could last be read and mails be sent: the clocks of the tables run until then."""

    @property
    def ended(self) -> bool:
        """Whether that daemon is gone, in order or not. Of one in another container nobody knows."""
        return self.state == STOPPED or not process_exists(self.pid)


def read_heartbeat(path: Path) -> Heartbeat | None:
    """The last heartbeat, whatever else another version has written into it; None when there is none to be read."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return Heartbeat(**{one.name: table[one.name] for one in fields(Heartbeat) if one.name in table})
    return None


class HeartbeatWriter:
    """The signs of one running daemon. `went_on` marks progress; `run` tells it to the outside."""

    def __init__(
        self, path: Path, now: Callable[[], datetime], environ: Mapping[str, str] = os.environ,
        steady: Callable[[], ClockReading] = monotonic_reading,
    ) -> None:  # fmt: skip
        self._path, self._now, self._environ, self._steady = path, now, environ, steady
        before = read_heartbeat(path)
        self._last = Heartbeat(now(), os.getpid(), "starting", well=before.well if before else None)
        self._ready = False
        self._progressed = steady().seconds

    @property
    def well(self) -> datetime | None:
        """When letters could last be read and mails be sent."""
        return self._last.well

    def went_on(self, state: str = "", *, trouble: str | None = None) -> None:
        """The main loop has made a step. `state`: what it is at now, and `trouble`, if they have changed."""
        before = self._last
        self._progressed = self._steady().seconds
        trouble = before.trouble if trouble is None else trouble
        self._last = replace(before, at=self._now(), state=state or before.state, trouble=trouble)
        if (self._last.state, self._last.trouble) != (before.state, before.trouble):
            notify("STATUS=" + ": ".join(filter(None, (self._last.state, self._last.trouble))), self._environ)
            self._write()

    def is_well(self) -> None:
        """Letters could be read and mails be sent just now, and what was due was done."""
        self._last = replace(self._last, well=self._now())

    def ready(self) -> None:
        """Tell systemd, once, that the daemon is up: it has been let into the mailbox."""
        if not self._ready:
            self._ready = True
            notify("READY=1", self._environ)

    def not_yet(self, seconds: float) -> None:
        """Tell systemd, until `ready`, that the start may take so many seconds longer."""
        if not self._ready:
            notify(f"EXTEND_TIMEOUT_USEC={int(seconds * 1_000_000)}", self._environ)

    def stopping(self) -> None:
        self._last = replace(self._last, state=STOPPED)
        notify("STOPPING=1", self._environ)
        self._write()

    def beat(self) -> bool:
        """Give one sign of life, unless the main loop hangs; whether there was one."""
        if self._steady().seconds - self._progressed > STALE_AFTER.total_seconds():
            return False
        notify("WATCHDOG=1", self._environ)
        self._write()
        return True

    async def run(self) -> None:
        """Beat for ever; cancel it to stop."""
        asked = self._environ.get("WATCHDOG_USEC", "")
        every = min(int(asked) / 2_000_000, _BEAT) if asked.isdigit() and int(asked) else _BEAT
        while True:
            self.beat()
            await asyncio.sleep(every)

    def _write(self) -> None:
        table = {name: value for name, value in asdict(self._last).items() if value is not None}
        # Not synced: it is worth nothing after a power cut. A full disk is told where it matters.
        with contextlib.suppress(OSError), private_umask():
            beside = self._path.with_suffix(".new")
            beside.write_text(tomli_w.dumps(table), encoding="utf-8")
            beside.replace(self._path)
