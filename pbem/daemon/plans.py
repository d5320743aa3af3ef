"""What is due next at every table, without opening those of which it is known: in the memory, and over restarts.

A plan follows from the commit of a table, its people, the mails that the server has taken, and the host's zone. At the
start all are compared with what there is, a few small files a table, and what does not match is read from the games,
so much at a time that letters do not wait for it. Later a table is looked at when this process has changed it, when
something is due, and when a walk over all of them finds it changed by somebody else.
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
from pbem.desk.services import Services, program
from pbem.store.database import text_of, time_of
from pbem.store.derived import DerivedRows, Row, hashed
from pbem.store.durable import stamp_of
from pbem.store.stored import SECRET, STATE, Stored, is_quiet
from pbem.store.trouble import StoreError

WALK = timedelta(seconds=30)
"""How often all tables are asked whether somebody else has changed them: another program, a hand, a restore."""

QUIET, READ, SLICE = 1, 20, 600
"""What a table costs of which the bytes say that no clock runs there, and one that is read; and how much of that is
spent between two looks at the letters, about a third of a second."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What is due next at a table in the state `head`: at that moment, or nothing.

    `people` is the stamp of theirs (empty: they have no part in it); `mails` are those that a clock hangs on, with when
    the server took them (None: not yet); `sure` when none of these can change it.
    """

    head: str
    at: datetime | None = None
    people: str = ""
    mails: tuple[tuple[str, datetime | None], ...] = ()
    sure: bool = True


class Plans:
    """The plans of one host; `folder` is its mail folder. Of `doubtful` tables, as they are at each time, nothing is
    believed that another process has planned, nor what the bytes say: each is to be looked at."""

    def __init__(self, services: Services, folder: Path, doubtful: Collection[str]) -> None:
        self._services = services
        self._doubtful = doubtful
        self._derived = DerivedRows(folder, "plans", f"{program()} {_zones()} {services.zone}")
        self._plans: dict[str, Planned] = {}
        self._behind: OrderedDict[str, None] = OrderedDict()
        self._open: set[str] = set()
        self._unsaved: dict[str, Row | None] = {}
        self._saves = False
        self._begun = False
        self._now = datetime.min.replace(tzinfo=UTC)
        self._walked: datetime | None = None
        self._spent = 0

    @property
    def complete(self) -> bool:
        """Whether every table was looked at."""
        return self._walked is not None and not self._behind

    def soon(self, now: datetime, longest: float) -> float:
        """Seconds until something is due, as far as it is known; at most `longest`."""
        first = min((plan.at for plan in self._plans.values() if plan.at is not None), default=None)
        wait = longest if first is None else (first - now).total_seconds()
        return min(max(wait, 1.0), longest)

    def walk(self, now: datetime) -> tuple[str, ...] | None:
        """Ask every table whether it is as its plan has it, at the first look and every half minute: what is not is to
        be read. The tables that there are; None when it is not time."""
        self._now = now
        if self._walked is not None and timedelta() <= now - self._walked < WALK:
            return None
        names = self._services.store.names()
        if not self._begun:
            self._remember(names)
        for gone in {*self._plans, *self._open} - set(names):
            self.forget(gone)
        self._behind = OrderedDict.fromkeys(name for name in names if not self._holds(name))
        self._walked, self._begun, self._saves = now, True, True
        return names

    def _remember(self, names: Collection[str]) -> None:
        """What another process has planned and is so still."""
        rows = self._derived.all()
        for name in names:
            row = rows.pop(name, None)
            plan = self._believed(name, row) if row is not None and name not in self._doubtful else None
            if plan is not None:
                self._plans[name] = plan
        # What lies there and belongs to no table any more.
        self._unsaved |= dict.fromkeys(rows)

    def _believed(self, name: str, row: Row) -> Planned | None:
        with suppress(StoreError, LookupError, ValueError, TypeError):
            head = self._services.store.head(name)
            if row.of == head:
                return Planned(head)
            if row.of.startswith(head):
                made, plan = _read(head, self._services.people.stamp(name), row.holds)
                # A plan that was made by a clock ahead of this one is none.
                if row.of == self._of(name, plan) and made <= self._now and self._taken(plan) == plan.mails:
                    return plan
        return None

    def _of(self, name: str, plan: Planned) -> str:
        """What a plan follows from beside the mails. A clock acts under the game's lock, which finds hands' edits."""
        stamp = self._services.store.stamp(name, STATE, SECRET) if plan.people else ""
        return f"{plan.head} {plan.people} {stamp}".strip()

    def _holds(self, name: str) -> bool:
        """Whether a table is as its plan has it, or is looked at each time."""
        plan = self._plans.get(name)
        if plan is None:
            return name in self._open
        with suppress(StoreError):
            same = plan.head == self._services.store.head(name)
            return same and plan.people in ("", self._services.people.stamp(name))
        return False

    def _taken(self, plan: Planned) -> tuple[tuple[str, datetime | None], ...]:
        """When the mails that a plan hangs on were taken, as it is now."""
        return tuple((mail, self._services.spool.accepted(mail)) for mail, _ in plan.mails)

    def turn(self, *, whole: bool) -> Iterator[str]:
        """The tables to be looked at: all that are due or have moved on, and as many of those that were not read yet as
        a slice allows, or all. Whoever looks at one says what it is to `plan`, or to `leave` it. Not given: those where
        no clock runs."""
        news = self._services.store.group_commit.news
        due = {name for name, plan in self._plans.items() if self._is_due(plan)}
        for name in sorted({*due, *news, *self._open}):
            news.discard(name)
            if self._services.store.has(name):
                yield from self._asked(name)
            else:
                self.forget(name)
        self._spent = 0
        while self._behind and (whole or self._spent < SLICE):
            self._saves = True
            yield from self._asked(self._behind.popitem(last=False)[0])

    def _is_due(self, plan: Planned) -> bool:
        if plan.at is not None and plan.at <= self._now:
            return True
        return not plan.sure and self._taken(plan) != plan.mails

    def _asked(self, name: str) -> Iterator[str]:
        # Of what cannot be read whoever looks at it tells.
        with suppress(StoreError, PositionError):
            if self.quiet(name):
                return
        yield name

    def quiet(self, name: str) -> bool:
        """Whether it is known, or seen at once, that no clock runs at a table. Raises StoreError, PositionError."""
        if name in self._doubtful:
            return False
        head = self._services.store.head(name)
        plan = self._plans.get(name)
        if plan is not None and plan.head == head:
            return not plan.people
        if not is_quiet(self._services.store, name, head):
            return False
        self.plan(name, Planned(head), QUIET)
        return True

    def plan(self, name: str, plan: Planned, cost: int = READ) -> None:
        """This is due next at a table; under its lock, if a clock runs there."""
        self._spent += cost
        self._behind.pop(name, None)
        self._open.discard(name)
        self._plans[name] = plan
        self._unsaved[name] = Row(self._of(name, plan), _written(plan, self._now) if plan.people else "")

    def leave(self, name: str) -> None:
        """Nothing can be planned for a table now: it is looked at again each time."""
        self._spent += READ
        self.forget(name)
        self._open.add(name)

    def forget(self, name: str) -> None:
        """There is no plan for a table."""
        self._open.discard(name)
        if self._plans.pop(name, None):
            self._unsaved[name] = None

    def clear(self) -> None:
        """Time has jumped: nothing is planned but that some tables have no clock."""
        for name in [name for name, plan in self._plans.items() if plan.people]:
            self.forget(name)
        self._behind.clear()
        self._walked = None

    def save(self) -> None:
        """Keep for the next process what was planned since the last time, if that was a walk or a slice ago: what a
        kill loses of it is read again."""
        if self._saves:
            self._derived.keep(self._unsaved)
            self._unsaved.clear()
            self._saves = False


def _written(plan: Planned, made: datetime) -> str:
    mails = [[mail, taken and text_of(taken)] for mail, taken in plan.mails]
    return json.dumps([text_of(made), plan.at and text_of(plan.at), plan.sure, mails])


def _read(head: str, people: str, text: str) -> tuple[datetime, Planned]:
    made, at, sure, mails = json.loads(text)
    taken = tuple((mail, when and time_of(when)) for mail, when in mails)
    return time_of(made), Planned(head, at and time_of(at), people, taken, sure)


def hangs_on(services: Services, stored: Stored) -> tuple[tuple[str, datetime | None], ...]:
    """The mails that the clocks of a table hang on, with when the server took them."""
    mails = [row.clock.asked for row in stored.table.seats if row.clock and row.clock.asked]
    mails += [one.mail for found in stored.secrets.reminded.values() for one in found if one.mail]
    return tuple((mail, services.spool.accepted(mail)) for mail in mails)


@cache
def _zones() -> str:
    """The time zones' data: the files of the system's, by their folders, and the package that stands in for them."""
    folders = [Path(one) for one in zoneinfo.TZPATH if Path(one).is_dir()]
    places = [one for folder in folders for one in (folder, *sorted(folder.iterdir()))]
    own = "-"
    with suppress(importlib.metadata.PackageNotFoundError):
        own = importlib.metadata.version("tzdata")
    return f"{own} {hashed(' '.join(map(stamp_of, places)))}"
