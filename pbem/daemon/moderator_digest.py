"""The moderator's daily mail: what needs a person. It goes only if there is anything."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from engine.catalog import Msg, T
from engine.errors import PositionError
from pbem.desk.clock.table_summaries import REPLACED, TableSummary, table_summaries
from pbem.desk.core.context import OVER
from pbem.desk.core.services import Services
from pbem.host.scheduler import DueTime, Scheduler
from pbem.store.errors import StoreError
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame

DIGEST = "the moderator's day"
DAILY = timedelta(days=1)
DISK_FREE_LEAST = 0.05
"""A disk of which less than this part is free is told."""
IDLE_LONG = timedelta(days=14)
"""A table that has waited so long, held or without a pace, is told."""


class ModeratorDigest:
    """Puts the daily mail on the clock. `report` puts a sentence into it."""

    def __init__(
        self, services: Services, clock: Scheduler, folders: tuple[Path, ...], report: Callable[[Msg, str], None]
    ) -> None:
        self._services, self._folders, self._report = services, folders, report
        clock.on(DIGEST, self.tell, longest=DAILY)
        clock.keep_first(DueTime(clock.now() + DAILY, DIGEST))

    async def tell(self, due: DueTime, now: datetime) -> datetime:
        """Tell what needs a person today."""
        for _ in table_summaries(self._services):
            # Letters do not wait until thousands of tables were read.
            await asyncio.sleep(0)
        for says, game in self.matters(now):
            self._report(says, game)
        return now + DAILY

    def matters(self, now: datetime) -> Iterator[tuple[Msg, str]]:
        """Yield everything that needs a person, with its game."""
        for folder in self._folders:
            with suppress(OSError):
                usage = shutil.disk_usage(folder)
                if usage.free < DISK_FREE_LEAST * usage.total:
                    free = usage.free // 2**20
                    yield T("The disk of {folder} is nearly full: {n} MB are free.", folder=str(folder), n=free), ""
        if aside := len(self._services.spool.aside()):
            yield T("{n} letter lies aside, unread.", "{n} letters lie aside, unread.", n=aside), ""
        for name, one in table_summaries(self._services):
            if one.odd:
                yield T("It cannot be read: {why}", why=one.odd), name
            elif one.status not in OVER:
                with suppress(StoreError, PositionError):
                    yield from ((says, name) for says in self._of(name, one, now))

    def _of(self, name: str, one: TableSummary, now: datetime) -> Iterator[Msg]:
        people = self._services.people
        for holder in people.unreachable(name):
            yield T("Mail to {name} comes back: {why}", name=holder.name, why=holder.unreachable)
        days = (now - one.since) // DAILY
        if now - one.since > IDLE_LONG and one.status is Status.HELD:
            yield T("It has been held for {n} days.", n=days)
        elif now - one.since > IDLE_LONG and not one.paced:
            yield T("It has waited for {n} days, and has no pace.", n=days)
        # A moderator who plays must not learn who has not answered.
        if one.late and not people.moderator_sits(name):
            yield from self._late(StoredGame.read(self._services.store.open(name)))

    def _late(self, stored: StoredGame) -> Iterator[Msg]:
        for row in stored.table.seats:
            if any(not one.mail for one in stored.secrets.reminded.get(row.seat, ())):
                if stored.table.status is Status.GATHERING:
                    yield T("{name} has not answered the invitation.", name=row.name)
                else:
                    yield T("{name} is late, and nothing is played for who is late.", name=row.name)
            if (n := stored.secrets.defaults.get(row.seat, 0)) >= REPLACED:
                yield T("{name} has not answered {n} times in a row.", name=row.name, n=n)
