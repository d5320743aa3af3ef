"""Daily jobs of a host: emptying old rows of the spool, removing old handled letters, packing the games' histories.

Only letters that this host has itself filed as handled are ever removed from the mailbox: their places are known.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.catalog import T
from pbem.host.achievement_book import BOOK
from pbem.host.scheduler import DueTime, Scheduler
from pbem.inbound.mailbox import Mailbox, MailboxError
from pbem.inbound.maildir import Maildir
from pbem.outbound.moderator_notices import Notices
from pbem.store.errors import StoreError
from pbem.store.game_repo import MAX_PACKS, GameRepo
from pbem.store.game_store import GameStore
from pbem.store.repack import count_packs
from pbem.store.spool import Spool

log = logging.getLogger(__name__)

PRUNE = "prune-spool"
PACK = "pack-games"
EMPTY = "empty-handled"
DAILY = timedelta(days=1)

PACKED_AT_ONCE = 3
"""Games packed between two letters; a pack takes up to a second."""

NEXT_PACK = timedelta(seconds=30)

COUNTED = 31
"""Counts of letters are kept at least so many days: `pbem.admin.tables.player_tables` asks whom a player has invited,
and `pbem.desk.limits.unauthenticated` which address was asked whether it is somebody's."""

Remove = Callable[[int, list[int]], Awaitable[bool]]
"""Removes letters, by UIDVALIDITY and UIDs, from the folder of handled ones; whether it could. Raises MailboxError."""

GamesOver = Callable[[], Iterator[tuple[str, bool]]]
"""Yields every game and whether it is over. Between two of them other work may be done."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """For how many days the spool keeps the bytes of letters and mails, and the mailbox handled letters, which `remove`
    removes; 0 `filed_days`, or no `remove`, is for ever."""

    days: int
    filed_days: int = 0
    remove: Remove | None = None


class Housekeeping:
    """Puts its daily jobs on the clock."""

    def __init__(
        self, clock: Scheduler, spool: Spool, store: GameStore, ended: GamesOver, notices: Notices, keeping: Keeping
    ) -> None:
        self._spool, self._store, self._ended = spool, store, ended
        self._notices, self._keeping = notices, keeping
        self._failed: set[str] = set()
        for hours, what, job in ((1, PRUNE, self.prune), (2, PACK, self.pack), (3, EMPTY, self.empty)):
            clock.on(what, job, longest=DAILY)
            clock.keep_first(DueTime(clock.now() + timedelta(hours=hours), what))

    async def prune(self, due: DueTime, now: datetime) -> datetime:
        """Empty the old bytes of the spool; its rows stay, so that nothing is answered or sent twice."""
        count = self._spool.prune(self._keeping.days)
        self._spool.forget_spent(now - timedelta(days=max(self._keeping.days, COUNTED)))
        log.info("the spool forgot the bytes of %d old letters and mails", count)
        return now + DAILY

    async def empty(self, due: DueTime, now: datetime) -> datetime:
        """Remove what was filed as handled long ago, so that the mailbox never reaches its quota."""
        count, keeping = 0, self._keeping
        if keeping.remove is None or not keeping.filed_days:
            return now + DAILY
        try:
            for validity, uids in self._spool.filed_before(keeping.filed_days).items():
                if await keeping.remove(validity, uids):
                    count += len(uids)
                # A folder that was made anew has other letters under these numbers.
                self._spool.removed(validity, uids)
        except (MailboxError, OSError, sqlite3.Error) as odd:
            log.warning("handled letters could not be removed today: %s", odd)
        if count:
            log.info("%d letters that were handled long ago were removed from the mailbox", count)
        return now + DAILY

    async def pack(self, due: DueTime, now: datetime) -> datetime:
        """Pack a few of the games that are full of packs, or are over; soon again while there are more of them."""
        full = await self._many(PACKED_AT_ONCE + 1)
        for repo in full[:PACKED_AT_ONCE]:
            try:
                repo.pack()
                log.info("%s was packed", repo.name)
            except (StoreError, OSError) as odd:
                self._failed.add(repo.name)
                self._notices.add(T("The history could not be packed: {why}", why=str(odd)), repo.name)
        if len(full) > PACKED_AT_ONCE:
            return now + NEXT_PACK
        self._failed.clear()
        return now + DAILY

    async def _many(self, most: int) -> list[GameRepo]:
        """At most so many repositories to pack. A game that is over is left with one pack, for good."""
        found = list[GameRepo]()
        with suppress(StoreError):
            book = self._store.book(BOOK)
            if book is not None and book.crowded and book.name not in self._failed:
                found.append(book)
        for name, over in self._ended():
            # Letters do not wait until thousands of games were looked at.
            await asyncio.sleep(0)
            if name not in self._failed and count_packs(self._store.root / name) >= (2 if over else MAX_PACKS):
                with suppress(StoreError):
                    found.append(self._store.open(name))
            if len(found) == most:
                break
        return found


def remover(handled: Callable[[], Mailbox | Maildir]) -> Remove:
    """A function that removes letters, on a connection of its own to the folder of handled ones."""

    async def remove(uidvalidity: int, uids: list[int]) -> bool:
        box = handled()
        try:
            await box.connect()
            return await box.expunge(uidvalidity, uids)
        finally:
            await box.close()

    return remove
