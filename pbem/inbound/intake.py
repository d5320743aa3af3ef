"""Mail in: fetch each letter, store it in the spool, let the desk answer it, then move it in the mailbox.

Every step can be repeated: a fetched letter is known by its place, an answered one by its content, and a moved one is
no longer there. So a crash between two steps costs that step only. Each letter's starts are counted before its bytes
are read, so a letter that kills the process again and again is found. Only the first letter of a batch counts, because
the process may have died for another reason; after a restart the suspect is answered first.

Waiting letters are answered in batches whose commits are written to disk together. Then their mails go out while the
next batch is answered, and the letters are moved (`filing`). A letter that was begun before, and the first one after
a start, is a batch of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from engine.catalog import Msg, T
from pbem.host.scheduler import ClockReading, monotonic_reading
from pbem.inbound.fetch_queue import MAX_FETCHES, FetchQueue
from pbem.inbound.filing import Filing, Folders
from pbem.inbound.incoming_letter import Letter, open_head, open_letter
from pbem.inbound.mailbox import Arrived, Letterbox, MailboxError
from pbem.store.database import SpooledLetter
from pbem.store.errors import StoreError
from pbem.store.inbound_queue import MAX_ATTEMPTS, InboundQueue

log = logging.getLogger(__name__)

MAX_BATCH = 10
"""Most letters of a batch: they are answered before the mails of the first one go out."""

BATCH_SECONDS = 0.3
"""Seconds after which a batch takes no more letters, so that the first writer gets a receipt soon."""

RETRY_PAUSE = timedelta(minutes=1)
"""Time before a letter that could not be answered is tried again."""

After = Callable[[], Awaitable[object]]


class HandledLetter(Protocol):
    """What the desk returns for a letter (`pbem.desk.core.outcome.Handled`)."""

    @property
    def outcome(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def seat(self) -> str: ...
    @property
    def why(self) -> str: ...


class LetterHandler(Protocol):
    """The desk as the intake uses it (`pbem.desk.desk.Desk`)."""

    def handle(self, letter: Letter, uidvalidity: int = 0, uid: int = 0) -> HandledLetter: ...
    def put_aside(self, head: Letter, unread: bool) -> bool: ...


class Intake:
    """Reads the letters of one mailbox.

    `own` are our addresses. `report` is called with what a moderator should know. Leaving the context `batch` writes
    the commits of a batch to disk, or raises StoreError. Disk errors (OSError, sqlite3.Error) are raised, because then
    no letter can be answered; nothing else is.
    """

    def __init__(
        self,
        queue: InboundQueue,
        desk: LetterHandler,
        now: Callable[[], datetime],
        *,
        own: frozenset[str] = frozenset(),
        folders: Folders | None = None,
        report: Callable[[Msg, str], None] = lambda says, game: None,
        batch: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
        steady: Callable[[], ClockReading] = monotonic_reading,
    ) -> None:
        self._queue = queue
        self._desk = desk
        self._steady = steady
        self._own = own
        self._folders = folders or Folders()
        self._filing = Filing(queue, self._folders, report, steady)
        self._fetching = FetchQueue(queue, now, steady)
        self._report = report
        self._batch = batch
        self._later: dict[str, float] = {}
        self._owed: Counter[str] = Counter()
        self._told: set[str] = set()
        self._begun = False
        self.answered = 0

    @property
    def left(self) -> int:
        """Number of letters that could not be fetched or answered and are tried again."""
        return len(self._later) + self._fetching.left

    @property
    def trouble(self) -> str:
        """Why answered letters cannot be moved; empty when they can."""
        return self._filing.trouble

    async def collect(self, box: Letterbox, after: After | None, stop: asyncio.Event) -> bool:
        """Fetch and answer all letters of the mailbox in their order. Return whether any was new.

        `after` is awaited after each batch. Raises MailboxError, OSError, sqlite3.Error.
        """
        there = await box.arrived()
        fresh = False
        for letters in self._fetching.due(there):
            if not self._fetching.stubborn(letters) and await self._fetching.fetch(box, letters):
                fresh = True
                await self.answer(after, stop)
            if self._fetching.stubborn(letters):
                await self._unreadable(box, letters[0])
            if stop.is_set():
                return fresh
        await self._filing.file(box, there)
        return fresh

    async def answer(self, after: After | None, stop: asyncio.Event) -> None:
        """Hand every waiting letter to the desk, batch after batch, until `stop`. Raises OSError, sqlite3.Error."""
        now = self._steady().seconds
        waiting = self._queue.waiting()
        self._later = {one.digest: self._later[one.digest] for one in waiting if one.digest in self._later}
        # The letter that may have killed us comes first: if it does so again, we know.
        first = sorted(waiting, key=lambda one: not one.open)
        due = deque(one for one in first if self._later.get(one.digest, now) <= now)
        while due and not stop.is_set():
            self._answer(_batch(due, lambda: self._steady().seconds, not self._begun), stop)
            if after is not None:
                await after()

    def _answer(self, letters: Iterator[SpooledLetter], stop: asyncio.Event) -> None:
        begun: list[SpooledLetter] = []
        try:
            with self._batch():
                for incoming in letters:
                    if stop.is_set():
                        return
                    begun.append(incoming)
                    if not self._one(incoming):
                        begun.pop()
        except StoreError as odd:
            left = {one.digest for one in self._queue.waiting()}
            for incoming in (one for one in begun if one.digest in left):
                self.answered -= 1
                self._queue.excuse(incoming.digest)
                self._put_off(incoming, str(odd))
        except (OSError, sqlite3.Error):
            digests = [one.digest for one in begun]
            # The disk may refuse the excuse as well; then it is kept in memory and owed.
            self._owed.update(digests)
            with contextlib.suppress(OSError, sqlite3.Error):
                for digest in digests:
                    self._queue.excuse(digest, self._owed[digest])
                    del self._owed[digest]
            raise

    def _one(self, incoming: SpooledLetter) -> bool:
        """Hand a letter to the desk. Return whether it counts as answered once the batch is on disk."""
        deaths = incoming.deaths - self._owed[incoming.digest]
        if deaths >= MAX_ATTEMPTS:
            self._poison(incoming, deaths == MAX_ATTEMPTS)
            return False
        self._queue.attempt(incoming.digest, self._begun)
        self._begun = True
        try:
            letter = open_letter(incoming.raw, self._own)
            handled = self._desk.handle(letter, incoming.uidvalidity, incoming.uid)
        except StoreError as odd:
            self._queue.excuse(incoming.digest)
            self._put_off(incoming, str(odd))
            return False
        except (OSError, sqlite3.Error):
            raise
        except Exception as odd:
            log.exception("letter %s met a defect", incoming.digest[:12])
            self._queue.failed_at(incoming.digest)
            self._put_off(incoming, f"a defect, {type(odd).__name__}; see the log")
            return False
        if handled.outcome == "retry":
            self._put_off(incoming, handled.why)
            return False
        self._later.pop(incoming.digest, None)
        self.answered += 1
        # Neither seat nor whether it played is logged: nobody may know who gave a sealed answer (docs/security.md).
        became = "answered" if handled.outcome == "played" else handled.outcome
        log.info("letter %s: %s, %s %s", incoming.digest[:12], handled.game or "no game", became, handled.why)
        if handled.outcome == "quarantined":
            says = T(
                "A letter was put aside and lies in the folder {folder} of the mailbox: {why}. Moved back to where "
                "letters come in, it is read again.",
                folder=self._folders.quarantine, why=handled.why,
            )  # fmt: skip
            self._report(says, handled.game)
        return True

    def _poison(self, incoming: SpooledLetter, tell: bool) -> None:
        """Quarantine a letter unopened, because each start of it ended in a crash or a defect.

        Its writer is told once, by the header alone. That start is counted too: after another crash only the moderator
        is told.
        """
        if tell:
            self._queue.attempt(incoming.digest)
            self._tell_writer(replace(open_head(incoming.raw, self._own), digest=incoming.digest), unread=False)
        self._queue.quarantine(incoming.digest, f"begun {incoming.deaths} times and never finished")
        self._later.pop(incoming.digest, None)
        self._owed.pop(incoming.digest, None)
        log.error("letter %s: put aside, begun %d times and never finished", incoming.digest[:12], incoming.deaths)
        says = T(
            "A letter was put aside: begun {n} time and never finished, since the program died or failed at it. It "
            "lies in the folder {folder} of the mailbox; moved back to where letters come in, it is read again.",
            "A letter was put aside: begun {n} times and never finished, since the program died or failed at it. It "
            "lies in the folder {folder} of the mailbox; moved back to where letters come in, it is read again.",
            n=incoming.deaths,
            folder=self._folders.quarantine,
        )
        self._report(says, "")

    async def _unreadable(self, box: Letterbox, place: Arrived) -> None:
        """Quarantine a letter that the mailbox does not deliver. Raises MailboxError if that ends the connection."""
        self._queue.unreadable(place.uidvalidity, place.uid, f"UID {place.uid}, which the mailbox does not give out")
        self._fetching.give_up(place)
        log.error("letter UID %d: put aside, asked for %d times and not given out", place.uid, MAX_FETCHES)
        head, cut = b"", None
        try:
            head = await box.head(place)
        except MailboxError as odd:
            cut = odd
        letter = replace(open_head(head, self._own), digest=f"unread {place.uidvalidity}.{place.uid}")
        self._tell_writer(letter, unread=True)
        written = f"{letter.date:%Y-%m-%d %H:%M} UTC" if letter.date else "?"
        says = T(
            "The mailbox lists a letter and does not give it out: UID {uid}, from {sender}, written {date}. It was "
            "asked for {n} times and put aside, in the folder {folder} if it can be moved; others are read. Moved "
            "back to where letters come in, it is asked for again.",
            uid=place.uid, sender=letter.sender or "?", date=written, n=MAX_FETCHES, folder=self._folders.quarantine,
        )  # fmt: skip
        self._report(says, "")
        if cut is not None:
            raise cut

    def _tell_writer(self, head: Letter, unread: bool) -> None:
        """Tell the writer, as far as the header names one, that the letter is put aside. Raises disk errors."""
        try:
            told = self._desk.put_aside(head, unread)
        except (OSError, sqlite3.Error):
            raise
        except Exception:
            log.exception("the writer of letter %s could not be told", head.digest[:24])
        else:
            log.info("letter %s: its writer %s told", head.digest[:24], "was" if told else "was not")

    def _put_off(self, incoming: SpooledLetter, why: str) -> None:
        """Try a letter again later, for example because its game was edited by hand. Others go on."""
        self._later[incoming.digest] = self._steady().seconds + RETRY_PAUSE.total_seconds()
        if why not in self._told:
            if len(self._told) > 1000:
                self._told.clear()
            self._told.add(why)
            log.warning("letter %s cannot be answered at present: %s", incoming.digest[:12], why)
            self._report(T("A letter waits, since it cannot be answered at present: {why}", why=why), "")


def _batch(due: deque[SpooledLetter], seconds: Callable[[], float], alone: bool) -> Iterator[SpooledLetter]:
    """Take the letters of the next batch off `due`. One that was begun before, or the first after a start (`alone`), is
    a batch of its own."""
    ends = seconds() + BATCH_SECONDS
    for at in range(MAX_BATCH):
        if not due or (at and (due[0].attempts or seconds() > ends)):
            return
        yield (incoming := due.popleft())
        if incoming.attempts or alone:
            return
