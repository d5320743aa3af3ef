"""The year itself: tables are opened all along and end, two hours at a time; at the end of each month all is measured.

The people are those of the month. What befalls a host there is left to the month; here nobody restarts anything.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.core.context import OVER
from pbem.host.config import Config
from pbem.host.host_backup import back_up
from pbem.store.game_table import Status
from pbem.store.repack import count_packs
from pbem.store.state_file import StoredGame
from tests.month import people
from tests.month.people import Person
from tests.month.sim import HOUR, TABLES, Month, settings
from tests.year.host import MEASURE
from tests.year.sizes import size_of, spool

DAY = timedelta(days=1)
STEP = 2 * HOUR
OPENING = 0.86
"""The part of the year in which tables are opened; the last of them end in what is left."""
KINDS = ("troyes-dice", "troyes-dice", "troyes", "troyes-dice", "troyes-dice")
SEATS = (2, 2, 3)
WITH_COMPUTER = 2
"""At every how-many-th table a computer has a seat."""
LAST = 20
"""Mails that somebody keeps."""


@dataclass
class Year(Month):
    """A host in which `games` tables are opened over `months` months. `keep`: for how many days old bytes stay."""

    months: int = 12
    keep: int = 60
    small: bool = False
    """A sample: months of two weeks, and each table is of Troyes Dice, for one person who is prompt and a computer."""
    months_end: list[dict[str, Any]] = field(default_factory=list)
    """What was measured at the end of each month."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.days = 14 * self.months if self.small else round(self.months * 365 / 12)
        self._step = 2 * STEP if self.small else STEP
        span = self.days * (OPENING / 4 if self.small else OPENING) * DAY / self.games
        self._opens = [self.begun + (n + self.dice.random()) * span for n in range(self.games)]
        self._heads: dict[str, str] = {}
        self._came: list[datetime] = []
        self._mails = 0
        self.ended: dict[str, datetime] = {}
        """The tables that are over, and since when."""
        self.abandoned: set[str] = set()
        """Those of them that were never played to their end: their secrets stay secret."""

    @property
    def crowd(self) -> int:
        return min(max(self.games, 12), 72)

    def _open_tables(self) -> None:
        """None yet."""
        self.config = settings(self.folder, self.office.imap_port, self.office.smtp_port, self.keep)
        # Whoever was replaced once is not asked again.
        self._welcome = [name for name, one in self.people.items() if one.way == "prompt" or not self.small]

    def _open_due(self) -> None:
        while self._opens and self._opens[0] <= self.now:
            self._opens.pop(0)
            n = self.games - len(self._opens) - 1
            seats = 2 if self.small else self.dice.choice(SEATS)
            invited = [
                Invited(name.title(), (self.people[name].address,)) for name in self.dice.sample(self._welcome, seats)
            ]
            if self.small or n % WITH_COMPUTER == 0:
                invited[-1] = Invited("Automaton", level="steady")
            options = TABLES[n % len(TABLES)]
            seed = bytes([n % 256, self.seed % 256]) * 16
            kind = KINDS[0] if self.small else KINDS[n % len(KINDS)]
            stored = open_table(self.service.desk, Opening(kind, tuple(invited), options, seed=seed))
            for row, one in zip(stored.table.seats, invited, strict=True):
                self.sat[stored.table.game, row.seat] = [(self.now, one.name.lower())] if one.addresses else []

    async def _live(self) -> None:
        ends = [self.begun + round((n + 1) * self.days / self.months) * DAY for n in range(self.months)]
        async with host(self.config) as tell:
            while ends:
                self.now += self._step
                self._open_due()
                self._post()
                told = await tell(self.now.isoformat())
                assert told["code"] == 0
                self._look()
                self._moderate()
                if self.now >= ends[0]:
                    ends.pop(0)
                    back_up(self.config, str(self.folder / "backup"), self.now)
                    self.months_end.append(self._measured(await tell(MEASURE)))

    def _look(self) -> None:
        before = {name: len(one.seen) for name, one in self.people.items()}
        super()._look()
        for name, one in self.people.items():
            self._mails += len(one.seen) - before[name]
            del one.seen[:-LAST]
        self._came += (letter.at for letter in self.letters)
        self.letters.clear()
        for known in (people.of, people.asks, people.listed):
            known.cache_clear()

    def _new(self, person: Person) -> list[EmailMessage]:
        """Mails are thrown away once they were read."""
        if person.name not in self.office.accounts:
            return []
        inbox = self.office.accounts[person.name].inbox
        if not inbox.mails:
            return []
        found = super()._new(person)
        inbox.remove(list(inbox.mails.values()))
        person.files.clear()
        return found

    def moved(self) -> Iterable[str]:
        """Those that go on, and of which there is something new."""
        store = self.service.store
        for name in store.names():
            if name not in self.ended and (head := store.head(name)) != self._heads.get(name):
                self._heads[name] = head
                yield name
                status = StoredGame.read_public(store.open(name)).table.status
                if status in OVER:
                    self.ended[name] = self.now
                if status is Status.ABANDONED:
                    self.abandoned.add(name)

    def _somebody_else(self, sits: Collection[str]) -> str:
        for name in sits:
            if name in self._welcome and self.people[name].way in ("silent", "refuser", "quitting", "bouncing"):
                self._welcome.remove(name)
        free = [name for name in self._welcome if self.people[name].way == "prompt" and name not in sits]
        return self.dice.choice(free) if free else ""

    def _measured(self, told: dict[str, Any]) -> dict[str, Any]:
        mail, games = self.config.mail, self.config.store
        before = self.months_end[-1] if self.months_end else {}
        box = self.office.accounts["games"].folders
        everything = size_of(*mail.iterdir())
        named = ("spool.sqlite", "words.sqlite", "people", "backup.git")
        parts = {name: size_of(mail / name) for name in named}
        return {
            "until": self.now.date().isoformat(),
            "tables": self.games - len(self._opens),
            "over": len(self.ended),
            "letters": len(self._came),
            "letters_this": len(self._came) - before.get("letters", 0),
            "mails": self._mails,
            "mails_this": self._mails - before.get("mails", 0),
            # Housekeeping comes once a day, and counts whole days.
            "young": sum(at > self.now - (self.keep + 2) * DAY for at in self._came),
            "store": size_of(games).told(),
            "packs": sum(count_packs(git.parent) for git in games.glob("*/.git")),
            "spool": spool(mail / "spool.sqlite"),
            "words": parts["words.sqlite"].octets,
            "people": parts["people"].told(),
            "rest": everything.octets - sum(one.octets for one in parts.values()),
            "mailbox": {
                name: {"letters": len(one.mails), "octets": sum(mail.size for mail in one.mails.values())}
                for name, one in box.items()
            },
            "backup": size_of(self.folder / "backup", mail / "backup.git").told(),
            **{name: one for name, one in told.items() if name != "code"},
        }


@asynccontextmanager
async def host(config: Config) -> AsyncIterator[Any]:
    """The host's own process; what it is told, and tells. It is gone when this is left."""
    where = (str(config.store.parent), str(config.imap.port), str(config.smtp.port), str(config.keep_days))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.year.host", *where, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    into, out = process.stdin, process.stdout

    async def tell(line: str) -> Any:
        into.write(f"{line}\n".encode())
        return json.loads(await out.readline())

    try:
        yield tell
    finally:
        process.kill()
        await process.wait()
