"""Collect notices to the moderator into one mail now and then."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.headerregistry import Address
from pathlib import Path

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.host.scheduler import DueTime, Scheduler
from pbem.inbound.sanitize import one_line
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.render import Renderer, Thread
from pbem.store.database import OutgoingMail
from pbem.store.durable_files import private_umask
from pbem.store.outbound_queue import OutboundQueue

log = logging.getLogger(__name__)

FIRST_WAIT = timedelta(minutes=2)
"""How long the first notice waits for others."""

NOTICE_PAUSE = timedelta(hours=1)
"""Least time between two mails of notices."""

MAX_NOTICES = 100
"""Most notices in one mail; the rest are counted."""

NOTICE_TIMER = "notices"
NOBODY = Seat("")


class Notices:
    """Notices wait in a file of lines until the clock sends them. Without addresses they are only logged."""

    def __init__(
        self, file: Path, spool: OutboundQueue, renderer: Renderer, addresses: Sequence[str], clock: Scheduler
    ) -> None:
        self._file = file
        self._spool = spool
        self._renderer = renderer
        self._addresses = tuple(addresses)
        self._clock = clock
        self._last: datetime | None = None
        clock.on(NOTICE_TIMER, self.send, longest=NOTICE_PAUSE)
        if file.exists():
            clock.plan(DueTime(clock.now() + FIRST_WAIT, NOTICE_TIMER))

    def add(self, says: Msg, game: str = "") -> None:
        """Add a notice. If the disk refuses it, it is only logged: that must not stop the mail."""
        line = one_line(f"{game}: {says}" if game else str(says), 500)
        log.warning("%s", line)
        if not self._addresses:
            return
        try:
            with private_umask(), self._file.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as odd:
            log.warning("the notice could not be written down: %s", odd)
            return
        now = self._clock.now()
        self._clock.plan(
            DueTime(max(now + FIRST_WAIT, (self._last or now - NOTICE_PAUSE) + NOTICE_PAUSE), NOTICE_TIMER)
        )

    async def send(self, due: DueTime, now: datetime) -> datetime | None:
        """Put all waiting notices into one mail per moderator. A crash in between sends it twice at worst."""
        if not self._file.exists():
            return None
        text = self._file.read_text(encoding="utf-8")
        lines = text.splitlines()
        if lines:
            digest = hashlib.sha256(f"{now.isoformat()}\n{text}".encode()).hexdigest()[:16]
            for number, address in enumerate(self._addresses):
                self._spool.enqueue(self._mail(f"notice.{digest}.{number}", address, lines, now))
            self._last = now
        self._file.unlink()
        return None

    def _mail(self, name: str, address: str, lines: list[str], now: datetime) -> OutgoingMail:
        notes = [Msg(line) for line in lines[:MAX_NOTICES]]
        if len(lines) > MAX_NOTICES:
            left = len(lines) - MAX_NOTICES
            notes.append(T("{n} more notice stands in the log.", "{n} more notices stand in the log.", n=left))
        mail = Mail(
            kind=MailKind.NEWS,
            game="pbem",
            seat=NOBODY,
            name="",
            heading=T("{n} notice", "{n} notices", n=len(lines)),
            notes=tuple(notes),
        )
        ident = f"<{name}@{self._renderer.host.domain}>"
        raw = self._renderer.message(mail, Address(addr_spec=address), Thread(), ident, now)
        return OutgoingMail(name, "", address, raw, MailKind.NEWS)
