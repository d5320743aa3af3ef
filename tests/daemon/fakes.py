"""A mailbox, a mail server and a desk that live in memory, and can be made to fail or to die."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from engine.catalog import Msg
from pbem.daemon.alarm import Alarm
from pbem.daemon.heartbeat import HeartbeatWriter
from pbem.daemon.main_loop import Daemon, DaemonParts
from pbem.host.scheduler import Scheduler
from pbem.inbound.incoming_letter import Letter
from pbem.inbound.intake import Intake
from pbem.inbound.mailbox import Arrived, MailboxError
from pbem.outbound.outbox import Outbox
from pbem.store.database import OutgoingMail
from pbem.store.spool import Spool
from tests.patience import PATIENCE


class Killed(BaseException):
    """The program ends here and now."""


def letter(text: str) -> bytes:
    """A letter from Anna."""
    return f"From: anna@players.test\r\nTo: games@host.test\r\nSubject: {text}\r\n\r\n{text}\r\n".encode()


class Box:
    """A mailbox: letters by UID, folders, and the calls that fail (`failing`: name of the call, how often)."""

    def __init__(self) -> None:
        self.inbox: dict[int, bytes] = {}
        self.folders: dict[str, list[bytes]] = {}
        self.failing: dict[str, int] = {}
        self.kill_at = ""
        self.held: set[int] = set()
        """Letters that are listed and not given out."""
        self.connections = 0
        self.fetched: list[int] = []
        self.news = asyncio.Event()
        self.waited = asyncio.Event()
        """Set once somebody has waited for letters."""
        self.validity = 7
        self._next = 1

    def deliver(self, *texts: str) -> None:
        for text in texts:
            self.inbox[self._next] = letter(text)
            self._next += 1
        self.news.set()

    def anew(self) -> None:
        """The server gives every letter another UID (RFC 3501, section 2.3.1.1)."""
        self.validity += 1
        self.inbox = dict(enumerate(self.inbox.values(), 1))

    def _may(self, call: str) -> None:
        if self.kill_at == call:
            raise Killed
        if self.failing.get(call, 0) > 0:
            self.failing[call] -= 1
            raise MailboxError(f"{call} failed")

    async def connect(self) -> None:
        self._may("connect")
        self.connections += 1

    async def arrived(self) -> list[Arrived]:
        self._may("arrived")
        self.news.clear()
        return [Arrived(self.validity, uid, len(raw)) for uid, raw in sorted(self.inbox.items())]

    async def fetch(self, letters: Sequence[Arrived]) -> dict[Arrived, bytes]:
        self._may("fetch")
        self.fetched += [one.uid for one in letters]
        return {one: self.inbox[one.uid] for one in letters if one.uid not in self.held}

    async def head(self, one: Arrived) -> bytes:
        self._may("head")
        return self.inbox[one.uid].partition(b"\r\n\r\n")[0]

    async def file(self, letters: Sequence[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        self._may("file")
        moved = {}
        assert all(one.uidvalidity == self.validity for one in letters)
        for one in letters:
            if one.uid in self.inbox:
                self.folders.setdefault(folder, []).append(self.inbox.pop(one.uid))
                moved[one] = (70, len(self.folders[folder]))
        return moved

    async def wait(self, seconds: float) -> None:
        self._may("wait")
        self.waited.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), min(seconds, 0.2))

    async def close(self) -> None:
        pass


@dataclass
class Answer:
    outcome: str
    game: str = "tale-3"
    seat: str = "anna"
    why: str = ""


@dataclass
class Desk:
    """Answers each letter with one mail whose text is the letter's subject. `moods`: how it meets a subject."""

    spool: Spool
    moods: dict[str, object] = field(default_factory=dict)
    handled: list[str] = field(default_factory=list)
    told: list[tuple[str, bool]] = field(default_factory=list)
    """Whose letters were put aside, and whether unread."""

    def handle(self, letter: Letter, uidvalidity: int = 0, uid: int = 0) -> Answer:
        mood = self.moods.get(letter.subject)
        if isinstance(mood, BaseException):
            raise mood
        if isinstance(mood, str):
            if mood == "quarantined":
                self.spool.quarantine(letter.digest, "no reason")
            return Answer(mood, why="no reason")
        if self.spool.seen(letter.digest):
            return Answer("seen")
        self.handled.append(letter.subject)
        name = f"tale-3.{len(self.handled)}.{letter.digest[:6]}"
        self.spool.enqueue(OutgoingMail(name, "anna", "anna@players.test", letter.subject.encode()), "tale-3")
        self.spool.done(letter.digest)
        return Answer("played")


    def put_aside(self, head: Letter, unread: bool) -> bool:
        mood = self.moods.get(f"aside {head.subject}")
        if isinstance(mood, BaseException):
            raise mood
        self.told.append((head.sender, unread))
        return True


class Server:
    """A mail server that takes everything, or fails with `trouble`."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.trouble: Exception | None = None

    async def send(self, message: bytes, mail_from: str, rcpt: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.taken.append(message.decode())


class Host:
    """A daemon of these parts over one folder; `restart` makes it anew as after a kill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.box = Box()
        self.server = Server()
        self.reports: list[str] = []
        self.restart()

    def restart(self) -> None:
        self.spool = Spool(self.folder)
        self.desk = Desk(self.spool)

        def report(says: Msg, game: str) -> None:
            self.reports.append(str(says))

        def now() -> datetime:
            return datetime.now(UTC)

        self.intake = Intake(self.spool, self.desk, now, own=frozenset({"games@host.test"}), report=report)
        self.outbox = Outbox(self.spool, self.server, now, "games@host.test")
        self.pulse = HeartbeatWriter(self.folder / "heartbeat.toml", now, {})
        alarm = Alarm(self.folder, f"cat >> {self.folder}/told", now)
        self.parts = DaemonParts(
            self.box, self.intake, self.outbox, Scheduler(None, now), self.pulse, alarm=alarm, jitter=lambda: -0.98
        )
        self.daemon = Daemon(self.parts)

    async def until(self, done: object, seconds: float = PATIENCE) -> None:
        """Let the daemon run until `done()` is true, then stop it. Raises TimeoutError."""
        task = asyncio.create_task(self.daemon.run())
        try:
            async with asyncio.timeout(seconds):
                while not done():  # type: ignore[operator]
                    await asyncio.sleep(0.005)
        finally:
            self.daemon.stop()
            await task
