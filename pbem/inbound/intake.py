"""Mail in: each letter is fetched, laid down in the spool, answered by the desk, and only then moved in the mailbox.

Every step may be repeated: what was fetched is known by its place, what was answered by its content, what was
moved is simply no longer there. So a crash between two steps costs nothing but the step. A letter at which we die
again and again is known by its count, which is taken before its bytes are looked at.

Letters that wait are answered in rows, whose commits are brought to the disk together; after that the mails go, while
the next row is answered, and the letters are moved. One that was begun before stands alone, lest it takes others with
it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import sqlite3
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from engine.catalog import Msg, T
from pbem.host.clock import ClockReading, steady
from pbem.inbound.letter import Letter, open_letter
from pbem.inbound.mailbox import Arrived
from pbem.store.database import Incoming
from pbem.store.inbound_queue import ATTEMPTS
from pbem.store.trouble import StoreError

log = logging.getLogger(__name__)

BATCH = 25
"""Letters that are fetched, and held in memory, at a time."""

ROW = 10
"""Letters of a row, at most: so many are answered before the mails of the first one go, and anything else is done."""

LONGEST = 0.3
"""Seconds after which a row takes no more letters: whoever wrote first waits no longer for a receipt."""

AGAIN = timedelta(minutes=1)
"""How long a letter that could not be answered now is left alone."""

After = Callable[[], Awaitable[object]]


class Box(Protocol):
    """What the intake needs of a mailbox (`pbem.inbound.mailbox.Mailbox`)."""

    async def arrived(self) -> list[Arrived]: ...
    async def fetch(self, letters: Sequence[Arrived]) -> Mapping[Arrived, bytes]: ...
    async def file(self, letters: Sequence[Arrived], folder: str) -> Mapping[Arrived, tuple[int, int]]: ...


class Tray(Protocol):
    """What the intake needs of the spool (`pbem.store.spool.Spool`)."""

    def take(self, raw: bytes, digest: str, uidvalidity: int, uid: int, received: datetime) -> bool: ...
    def fetched(self, uidvalidity: int, uid: int) -> str: ...
    def waiting(self) -> list[Incoming]: ...
    def to_file(self) -> list[tuple[int, int, str]]: ...
    def filed(self, places: Mapping[tuple[int, int], tuple[int, int]]) -> None: ...
    def attempt(self, digest: str) -> None: ...
    def excuse(self, digest: str, times: int = 1) -> None: ...
    def quarantine(self, digest: str, note: str) -> None: ...


class HandledLetter(Protocol):
    """What the desk says of a letter (`pbem.desk.outcome.Handled`); `outcome` is a word."""

    @property
    def outcome(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def seat(self) -> str: ...
    @property
    def why(self) -> str: ...


class Answering(Protocol):
    """What the intake needs of the desk (`pbem.desk.desk.Desk`)."""

    def handle(self, letter: Letter, uidvalidity: int = 0, uid: int = 0) -> HandledLetter: ...


@dataclass(frozen=True, slots=True)
class Folders:
    """Where letters are moved in the mailbox when they are done with."""

    filed: str = "Handled"
    quarantine: str = "Quarantine"


class Intake:
    """Letters of one mailbox. `own` are our addresses; `report` hears of what a moderator should look at; what is done
    of letters within a `row` is on the disk when it ends, or it raises StoreError.

    Trouble with the disk (OSError, sqlite3.Error) is raised, since then no letter can be answered; nothing else is.
    """

    def __init__(
        self,
        tray: Tray,
        desk: Answering,
        now: Callable[[], datetime],
        *,
        own: frozenset[str] = frozenset(),
        folders: Folders | None = None,
        report: Callable[[Msg, str], None] = lambda says, game: None,
        row: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
        steady: Callable[[], ClockReading] = steady,
    ) -> None:
        self._tray = tray
        self._desk = desk
        self._now = now
        self._steady = steady
        self._own = own
        self._folders = folders or Folders()
        self._report = report
        self._row = row
        self._later: dict[str, float] = {}
        self._owed: Counter[str] = Counter()
        self._told: set[str] = set()
        self.answered = 0

    @property
    def left(self) -> int:
        """Letters that could not be answered so far and are tried again."""
        return len(self._later)

    async def collect(self, box: Box, after: After | None, stop: asyncio.Event) -> bool:
        """Everything that lies in the mailbox, in the order it arrived; `after` is awaited after each row. Whether any
        had not been fetched before.

        Raises MailboxError, OSError, sqlite3.Error.
        """
        there = await box.arrived()
        await self._file(box, there)
        fresh = [place for place in there if not self._tray.fetched(place.uidvalidity, place.uid)]
        for start in range(0, len(fresh), BATCH):
            batch = fresh[start : start + BATCH]
            bodies = await box.fetch(batch)
            for place in batch:
                raw = bodies[place]
                digest = hashlib.sha256(raw).hexdigest()
                self._tray.take(raw, digest, place.uidvalidity, place.uid, self._now())
            del bodies
            await self.answer(after, stop)
            if stop.is_set():
                break
            await self._file(box, there)
        return bool(fresh)

    async def answer(self, after: After | None, stop: asyncio.Event) -> None:
        """Hand every waiting letter to the desk, row after row, until `stop`. Raises OSError, sqlite3.Error."""
        now = self._steady().seconds
        waiting = self._tray.waiting()
        self._later = {one.digest: self._later[one.digest] for one in waiting if one.digest in self._later}
        due = deque(one for one in waiting if self._later.get(one.digest, now) <= now)
        while due and not stop.is_set():
            self._answer(_row(due, lambda: self._steady().seconds), stop)
            if after is not None:
                await after()

    def _answer(self, row: Iterator[Incoming], stop: asyncio.Event) -> None:
        begun: list[Incoming] = []
        try:
            with self._row():
                for incoming in row:
                    if stop.is_set():
                        return
                    begun.append(incoming)
                    if not self._one(incoming):
                        begun.pop()
        except StoreError as odd:
            left = {one.digest for one in self._tray.waiting()}
            for incoming in (one for one in begun if one.digest in left):
                self.answered -= 1
                self._tray.excuse(incoming.digest)
                self._put_off(incoming, str(odd))
        except (OSError, sqlite3.Error):
            digests = [one.digest for one in begun]
            # The disk that failed may not take the excuse either: then it is owed.
            self._owed.update(digests)
            with contextlib.suppress(OSError, sqlite3.Error):
                for digest in digests:
                    self._tray.excuse(digest, self._owed[digest])
                    del self._owed[digest]
            raise

    def _one(self, incoming: Incoming) -> bool:
        """Hand a letter to the desk; whether it is answered, once the row is on the disk."""
        if incoming.deaths - self._owed[incoming.digest] >= ATTEMPTS:
            self._poison(incoming)
            return False
        self._tray.attempt(incoming.digest)
        try:
            letter = open_letter(incoming.raw, self._own)
            handled = self._desk.handle(letter, incoming.uidvalidity, incoming.uid)
        except StoreError as odd:
            self._tray.excuse(incoming.digest)
            self._put_off(incoming, str(odd))
            return False
        except (OSError, sqlite3.Error):
            raise
        except Exception as odd:
            log.exception("letter %s met a defect", incoming.digest[:12])
            self._put_off(incoming, f"a defect, {type(odd).__name__}; see the log")
            return False
        if handled.outcome == "retry":
            self._put_off(incoming, handled.why)
            return False
        self._later.pop(incoming.digest, None)
        self.answered += 1
        # No seat, and not whether it has played: who has given a sealed answer is told to nobody (SECURITY.md).
        became = "answered" if handled.outcome == "played" else handled.outcome
        log.info("letter %s: %s, %s %s", incoming.digest[:12], handled.game or "no game", became, handled.why)
        if handled.outcome == "quarantined":
            self._report(T("A letter was put into quarantine: {why}", why=handled.why), handled.game)
        return True

    def _poison(self, incoming: Incoming) -> None:
        """Put a letter aside unopened: each time that it was begun we died, or met a defect."""
        self._tray.quarantine(incoming.digest, f"begun {incoming.deaths} times and never finished")
        self._later.pop(incoming.digest, None)
        self._owed.pop(incoming.digest, None)
        log.error("letter %s: put aside, begun %d times and never finished", incoming.digest[:12], incoming.deaths)
        says = T(
            "A letter was put aside: begun {n} time and never finished, since the program died or failed at it. It "
            "lies in the folder {folder} of the mailbox.",
            "A letter was put aside: begun {n} times and never finished, since the program died or failed at it. It "
            "lies in the folder {folder} of the mailbox.",
            n=incoming.deaths,
            folder=self._folders.quarantine,
        )
        self._report(says, "")

    def _put_off(self, incoming: Incoming, why: str) -> None:
        """Leave a letter for later; others go on. A game that somebody has edited waits until it is mended."""
        self._later[incoming.digest] = self._steady().seconds + AGAIN.total_seconds()
        if why not in self._told:
            if len(self._told) > 1000:
                self._told.clear()
            self._told.add(why)
            log.warning("letter %s cannot be answered at present: %s", incoming.digest[:12], why)
            self._report(T("A letter waits, since it cannot be answered at present: {why}", why=why), "")

    async def _file(self, box: Box, there: Sequence[Arrived]) -> None:
        """Move what is done with. What is no longer in the folder was moved by somebody before us."""
        places = {(place.uidvalidity, place.uid): place for place in there}
        moves: dict[str, list[Arrived]] = {}
        gone = {}
        for uidvalidity, uid, state in self._tray.to_file():
            place = places.get((uidvalidity, uid))
            if place is None:
                gone[uidvalidity, uid] = 0, 0
            else:
                folder = self._folders.quarantine if state == "quarantined" else self._folders.filed
                moves.setdefault(folder, []).append(place)
        if gone:
            self._tray.filed(gone)
        for folder, letters in moves.items():
            moved = await box.file(letters, folder)
            self._tray.filed({(place.uidvalidity, place.uid): moved.get(place, (0, 0)) for place in letters})


def _row(due: deque[Incoming], seconds: Callable[[], float]) -> Iterator[Incoming]:
    """The next letters, taken off in their order: several, as long as receipts may wait for it; each that was begun
    before, alone."""
    ends = seconds() + LONGEST
    for at in range(ROW):
        if not due or (at and (due[0].attempts or seconds() > ends)):
            return
        yield (incoming := due.popleft())
        if incoming.attempts:
            return
