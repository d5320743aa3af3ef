"""What is due next at every table, so that only tables where something is due or has changed are read.

A schedule follows from a table's commit, its people, the mails that the server has taken, and the host's zone. All are
kept over restarts (`CachedRows`). At the start each is compared with what there is, by a few small files a table; what
does not match is read from the games, in slices, so that letters do not wait. Later a table is looked at when this
process has changed it, when something is due, and when a walk over all tables finds that somebody else has changed it.
"""

from __future__ import annotations

import importlib.metadata
import json
import zoneinfo
from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from engine.errors import PositionError
from pbem.desk.core.services import Services, program_digest
from pbem.store.database import parse_time, sortable_time
from pbem.store.durable_files import file_stamp
from pbem.store.errors import StoreError
from pbem.store.row_cache import CachedRow, CachedRows, short_hash
from pbem.store.state_file import SECRET_FILE, STATE_FILE, StoredGame, needs_no_clock

WALK = timedelta(seconds=30)
"""Between two walks over all tables, which find what another program, a hand or a restore has changed."""

QUIET, READ, SLICE = 1, 20, 600
"""The cost of a table of which the bytes say that no clock runs there, and of one that is read; and how much is spent
between two looks at the letters, about a third of a second."""


@dataclass(frozen=True, slots=True)
class TableSchedule:
    """What is due next at a table in the state `head`: at that moment, or nothing.

    `people` is their stamp, empty where they have no part in it. `mails` are those that a clock hangs on, with when the
    server took them (None: not yet); `sure` when none of these can change it.
    """

    head: str
    at: datetime | None = None
    people: str = ""
    mails: tuple[tuple[str, datetime | None], ...] = ()
    sure: bool = True


class ScheduleCache:
    """The schedules of one host; `folder` is its mail folder.

    `doubtful` names tables of which nothing is believed, neither what another process has planned nor what the bytes
    say: each is looked at.
    """

    def __init__(self, services: Services, folder: Path, doubtful: Collection[str]) -> None:
        self._services = services
        self._doubtful = doubtful
        self._rows = CachedRows(folder, "plans", f"{program_digest()} {_zones()} {services.zone}")
        self._plans: dict[str, TableSchedule] = {}
        self._behind: OrderedDict[str, None] = OrderedDict()
        """Tables that have to be read."""
        self._open: set[str] = set()
        """Tables that cannot be planned: they are looked at each time."""
        self._unsaved: dict[str, CachedRow | None] = {}
        self._saves = self._begun = False
        self._now = datetime.min.replace(tzinfo=UTC)
        self._walked: datetime | None = None
        self._spent = 0

    @property
    def complete(self) -> bool:
        """Whether every table was looked at."""
        return self._walked is not None and not self._behind

    def soon(self, now: datetime, longest: float) -> float:
        """Seconds until something is due, as far as it is known; at most `longest`."""
        waits = ((plan.at - now).total_seconds() for plan in self._plans.values() if plan.at is not None)
        return min(max(min(waits, default=longest), 1.0), longest)

    def walk(self, now: datetime) -> tuple[str, ...] | None:
        """Find the tables that are not as planned, at the first look and every half minute.

        Returns the names of all tables; None when it is not time.
        """
        self._now = now
        if self._walked is not None and timedelta() <= now - self._walked < WALK:
            return None
        names = self._services.store.names()
        if not self._begun:
            self._load(names)
        for gone in {*self._plans, *self._open} - set(names):
            self.forget(gone)
        self._behind = OrderedDict.fromkeys(name for name in names if not self._holds(name))
        self._walked, self._begun, self._saves = now, True, True
        return names

    def _load(self, names: Collection[str]) -> None:
        """Take over what another process has planned, where it still holds."""
        rows = self._rows.all()
        for name in names:
            row = rows.pop(name, None)
            if row is not None and name not in self._doubtful and (plan := self._believed(name, row)):
                self._plans[name] = plan
        # Rows of tables that are gone are dropped.
        self._unsaved |= dict.fromkeys(rows)

    def _believed(self, name: str, row: CachedRow) -> TableSchedule | None:
        with suppress(StoreError, LookupError, ValueError, TypeError):
            head = self._services.store.head(name)
            if row.of == head:
                return TableSchedule(head)
            if row.of.startswith(head):
                made, plan = _read(head, self._services.people.stamp(name), row.holds)
                # A plan from a clock ahead of this one does not count.
                if row.of == self._of(name, plan) and made <= self._now and self._taken(plan) == plan.mails:
                    return plan
        return None

    def _of(self, name: str, plan: TableSchedule) -> str:
        """What a plan follows from beside the mails. A clock acts under the game's lock, which finds hands' edits."""
        stamp = self._services.store.stamp(name, STATE_FILE, SECRET_FILE) if plan.people else ""
        return f"{plan.head} {plan.people} {stamp}".strip()

    def _holds(self, name: str) -> bool:
        """Whether a table is as planned, or is looked at each time."""
        if (plan := self._plans.get(name)) is None:
            return name in self._open
        with suppress(StoreError):
            same = plan.head == self._services.store.head(name)
            return same and plan.people in ("", self._services.people.stamp(name))
        return False

    def _taken(self, plan: TableSchedule) -> tuple[tuple[str, datetime | None], ...]:
        """When the mails that a plan hangs on were taken, as it is now."""
        return tuple((mail, self._services.spool.accepted(mail)) for mail, _ in plan.mails)

    def turn(self, *, whole: bool) -> Iterator[str]:
        """The tables to be looked at: all that are due or have moved on, and of those not read yet a slice, or all.

        Whoever looks at one calls `plan` or `leave`. Tables where no clock runs are left out.
        """
        news = self._services.store.group_commit.news
        due = {name for name, plan in self._plans.items() if self._is_due(plan)}
        for name in sorted({*due, *news, *self._open}):
            news.discard(name)
            if not self._services.store.has(name):
                self.forget(name)
            elif self._asks(name):
                yield name
        self._spent = 0
        while self._behind and (whole or self._spent < SLICE):
            self._saves = True
            name, _ = self._behind.popitem(last=False)
            if self._asks(name):
                yield name

    def _is_due(self, plan: TableSchedule) -> bool:
        late = plan.at is not None and plan.at <= self._now
        return late or (not plan.sure and self._taken(plan) != plan.mails)

    def _asks(self, name: str) -> bool:
        # Whoever looks at a table that cannot be read tells of it.
        with suppress(StoreError, PositionError):
            return not self.quiet(name)
        return True

    def quiet(self, name: str) -> bool:
        """Whether it is known, or seen at once, that no clock runs at a table. Raises StoreError, PositionError."""
        if name in self._doubtful:
            return False
        head = self._services.store.head(name)
        plan = self._plans.get(name)
        if plan is not None and plan.head == head:
            return not plan.people
        if not needs_no_clock(self._services.store, name, head):
            return False
        self.plan(name, TableSchedule(head), QUIET)
        return True

    def plan(self, name: str, plan: TableSchedule, cost: int = READ) -> None:
        """Note what is due next at a table. Called under its lock, if a clock runs there."""
        self._spent += cost
        self._behind.pop(name, None)
        self._open.discard(name)
        self._plans[name] = plan
        self._unsaved[name] = CachedRow(self._of(name, plan), _written(plan, self._now) if plan.people else "")

    def leave(self, name: str) -> None:
        """Nothing can be planned for a table now: it is looked at again each time."""
        self._spent += READ
        self.forget(name)
        self._open.add(name)

    def forget(self, name: str) -> None:
        self._open.discard(name)
        if self._plans.pop(name, None):
            self._unsaved[name] = None

    def clear(self) -> None:
        """Time has jumped: drop every plan of a table with a clock."""
        for name in [name for name, plan in self._plans.items() if plan.people]:
            self.forget(name)
        self._behind.clear()
        self._walked = None

    def save(self) -> None:
        """Keep for the next process what was planned since the last time, after a walk or a slice. What a kill loses of
        it is read again."""
        if self._saves:
            self._rows.keep(self._unsaved)
            self._unsaved.clear()
            self._saves = False


def _written(plan: TableSchedule, made: datetime) -> str:
    mails = [[mail, taken and sortable_time(taken)] for mail, taken in plan.mails]
    return json.dumps([sortable_time(made), plan.at and sortable_time(plan.at), plan.sure, mails])


def _read(head: str, people: str, text: str) -> tuple[datetime, TableSchedule]:
    made, at, sure, mails = json.loads(text)
    taken = tuple((mail, when and parse_time(when)) for mail, when in mails)
    return parse_time(made), TableSchedule(head, at and parse_time(at), people, taken, sure)


def clock_mails(services: Services, stored: StoredGame) -> tuple[tuple[str, datetime | None], ...]:
    """The mails that the clocks of a table hang on, with when the server took them."""
    mails = [row.clock.asked for row in stored.table.seats if row.clock and row.clock.asked]
    mails += [one.mail for found in stored.secrets.reminded.values() for one in found if one.mail]
    return tuple((mail, services.spool.accepted(mail)) for mail in mails)


@cache
def _zones() -> str:
    """What changes with the data of the time zones: the files of the system's, and the package that stands in."""
    folders = [Path(one) for one in zoneinfo.TZPATH if Path(one).is_dir()]
    places = [one for folder in folders for one in (folder, *sorted(folder.iterdir()))]
    own = "-"
    with suppress(importlib.metadata.PackageNotFoundError):
        own = importlib.metadata.version("tzdata")
    return f"{own} {short_hash(' '.join(map(file_stamp, places)))}"
