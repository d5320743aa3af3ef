"""Signs of life: what systemd is told (sd_notify), and a small file that `doctor` and containers look at.

The watchdog is fed by a task of its own, but only while the daemon's main loop goes on from one step to the next:
a loop that hangs, busy or waiting, is restarted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path

import tomli_w

from pbem.host.clock import ClockReading, steady
from pbem.store.durable import private
from pbem.store.locks import runs

STALE = timedelta(minutes=10)
"""The main loop never waits longer than half of this for anything; after it the daemon counts as hanging."""

STOPPED = "stopped"

_BEAT = 20.0
"""Seconds between two beats, or half of what systemd's watchdog asks for."""


def notify(text: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send `READY=1` and the like to systemd; False where nobody listens. Never raises."""
    path = environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return False
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        # Whoever does not listen must not hold up the post.
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
        """Whether that daemon is gone, in order or not. Where it runs beside us in another container, nobody knows."""
        return self.state == STOPPED or not runs(self.pid)


def read_heartbeat(path: Path) -> Heartbeat | None:
    """The last heartbeat, whatever else another version has written into it; None when there is none to be read."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return Heartbeat(**{one.name: table[one.name] for one in fields(Heartbeat) if one.name in table})
    except (OSError, ValueError, TypeError):
        return None


class Pulse:
    """The signs of one running daemon. `went_on` marks progress; `run` tells it to the outside."""

    def __init__(
        self,
        path: Path,
        now: Callable[[], datetime],
        environ: Mapping[str, str] = os.environ,
        steady: Callable[[], ClockReading] = steady,
    ) -> None:
        self._path = path
        self._now = now
        self._environ = environ
        self._state = "starting"
        self._trouble = ""
        before = read_heartbeat(path)
        self.well = before.well if before else None
        self._steady = steady
        self._ready = False
        self._progress = now()
        self._progressed = steady().seconds

    def went_on(self, state: str = "", *, trouble: str | None = None) -> None:
        """The main loop has made a step; what it is at now, if that changed."""
        self._progress = self._now()
        self._progressed = self._steady().seconds
        changed = (state or self._state, self._trouble if trouble is None else trouble)
        if changed != (self._state, self._trouble):
            self._state, self._trouble = changed
            self._tell(f"STATUS={self._state}" + (f": {self._trouble}" if self._trouble else ""))
            self._write()

    def is_well(self) -> None:
        """Letters could be read and mails be sent just now, and what was due was done."""
        self.well = self._now()

    def ready(self) -> None:
        """Tell systemd, once, that the daemon is up: it has been let into the mailbox."""
        if not self._ready:
            self._ready = True
            self._tell("READY=1")

    def not_yet(self, seconds: float) -> None:
        """Until `ready`: it is nobody's mistake that we are not up yet, and may take so many seconds longer."""
        if not self._ready:
            self._tell(f"EXTEND_TIMEOUT_USEC={int(seconds * 1_000_000)}")

    def stopping(self) -> None:
        """Tell systemd that the daemon is on its way out."""
        self._state = STOPPED
        self._tell("STOPPING=1")
        self._write()

    def beat(self) -> bool:
        """One sign of life, unless the main loop hangs; whether there was one."""
        if self._steady().seconds - self._progressed > STALE.total_seconds():
            return False
        self._tell("WATCHDOG=1")
        self._write()
        return True

    async def run(self) -> None:
        """Beat for ever; cancel it to stop."""
        asked = self._environ.get("WATCHDOG_USEC", "")
        every = min(int(asked) / 2_000_000, _BEAT) if asked.isdigit() and int(asked) else _BEAT
        while True:
            self.beat()
            await asyncio.sleep(every)

    def _tell(self, text: str) -> None:
        notify(text, self._environ)

    def _write(self) -> None:
        table = {
            "at": self._progress,
            "pid": os.getpid(),
            "state": self._state,
            "trouble": self._trouble,
            **({"well": self.well} if self.well else {}),
        }
        # Not synced: it is worth nothing after a power cut. A full disk is told where it matters.
        with contextlib.suppress(OSError), private():
            beside = self._path.with_suffix(".new")
            beside.write_text(tomli_w.dumps(table), encoding="utf-8")
            beside.replace(self._path)
