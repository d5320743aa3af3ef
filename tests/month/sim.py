"""The month itself: an hour at a time, letters come, the daemon works once, people look into their mailboxes."""

from __future__ import annotations

import email.policy
import heapq
import itertools
import os
import random
import resource
import signal
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cached_property
from pathlib import Path

from pbem.admin.actions.seat_holders import computer, replace_holder
from pbem.admin.persons import Person as Named
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.main_loop import TROUBLE, Daemon
from pbem.daemon.service import Service, make_daemon, open_service
from pbem.demo.postoffice import HOST, PostOffice
from pbem.desk.core.seat_controller import COMPUTER
from pbem.desk.desk import Desk
from pbem.host.config import Config, HostConfig, ImapConfig, ModeratorConfig, SmtpConfig
from pbem.store.commit_record import Record, read_records
from pbem.store.errors import StoreError
from pbem.store.state_file import StoredGame
from tests.month.people import WAYS, ZONES, Person, Says
from tests.parts import opened
from tests.ticking import Ticking

DOMAIN = "month.test"
HOUR = timedelta(hours=1)
BEGINS = datetime(2027, 3, 15, 6, 0, tzinfo=UTC)
"""Europe and New York go to summer time in this month, Auckland leaves it."""
TABLES = (
    {"pace": "brisk"}, {"pace": "brisk", "late": "computer", "answers": "hidden"}, {"pace": "medium"},
    {"pace": "brisk", "answers": "names"}, {"pace": "medium mon-fri 20:00", "late": "wait"}, {"pace": "slow"},
)  # fmt: skip
"""How tables keep their time, in turn."""
BEFALLS = {
    "full disk": (0.1, 0), "clock ahead": (0.2, 0), "bounces": (0.25, 0), "no server": (0.35, 10),
    "machine off": (0.6, 0), "lost spool": (0.8, 0),
}  # fmt: skip
"""What befalls the host: after which part of the month, and how many days that must have at least."""
AHEAD = timedelta(days=10)
NAMES = (
    *("anna", "bela", "carl", "dora", "emil", "faye", "gina", "hugo", "ines", "jana", "kurt", "lena", "marc", "nora"),
    *("otto", "petra", "quinn", "rosa", "sven", "tilda", "ulla", "vito", "wanda", "xenia", "yann", "zoe"),
)


def settings(folder: Path, imap: int, smtp: int, keep: int = 60) -> Config:
    """The host in that folder, whose mail servers listen here, on these ports. `keep`: how many days old bytes stay."""
    login = {"host": HOST, "user": "games", "tls": "none"}
    return Config(
        folder / "games", folder / "mail", keep_days=keep, host=HostConfig(f"games@{DOMAIN}"),
        moderator=ModeratorConfig((f"mia@{DOMAIN}",)),
        imap=ImapConfig(port=imap, keep_filed_days=keep, **login),  # type: ignore[arg-type]
        smtp=SmtpConfig(port=smtp, **login),  # type: ignore[arg-type]
    )  # fmt: skip


@dataclass
class Letter:
    """A letter that a person has sent, and when."""

    person: str
    at: datetime
    text: str
    raw: bytes


@dataclass
class Month:
    """A host, its people and their letters. `sat` says by game and seat who was given it when."""

    folder: Path
    seed: int = 1
    games: int = 8
    days: int = 30
    standing: bool = False
    """Whether people use the standing orders that mails offer."""
    begun: datetime = BEGINS
    now: datetime = BEGINS
    people: dict[str, Person] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    sat: dict[tuple[str, str], list[tuple[datetime, str]]] = field(default_factory=dict)
    silent: bool = False
    looks: list[datetime] = field(default_factory=list)
    """When the host's work was done, all of it."""
    outages: list[tuple[datetime, datetime]] = field(default_factory=list)
    happened: dict[str, datetime] = field(default_factory=dict)
    """What has befallen the host, and when."""
    notes: dict[str, str] = field(default_factory=dict)
    """What was written down of letters, by their bytes, also in a spool that was lost."""
    told: list[EmailMessage] = field(default_factory=list)
    """What the moderator was told."""

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self._count = itertools.count(1)
        self._due: list[tuple[datetime, int, Letter]] = []
        self._spare: list[str] = []
        self._skew = timedelta()

    @property
    def crowd(self) -> int:
        """How many people there are."""
        return max(3 * self.games, 12)

    async def run(self) -> None:
        """All of it."""
        count = self.crowd
        names = [f"{name}{n or ''}" for n in range(1 + count // len(NAMES)) for name in NAMES][:count]
        self.office = PostOffice(self.folder / "office", ("games", "mia", *names), domain=DOMAIN, durable=False)
        await self.office.start()
        os.environ["PBEM_IMAP_PASSWORD"] = self.office.password
        self.config = settings(self.folder, self.office.imap_port, self.office.smtp_port)
        try:
            self._populate(names)
            self.service = self.opened()
            self._open_tables()
            await self._live()
        finally:
            self.service.close()
            await self.office.stop()

    def opened(self) -> Service:
        """The host, as a process that begins finds it. Templates that were read once are not read again."""
        made = open_service(self.config, now=Ticking(lambda: self.now + self._skew))
        self._renderer = getattr(self, "_renderer", made.renderer)
        services = replace(made.desk.services, renderer=self._renderer)
        return replace(made, renderer=self._renderer, desk=Desk(services))

    def _populate(self, names: list[str]) -> None:
        spare = max(4, len(names) // 15)
        for n, name in enumerate(names):
            way = WAYS[n % len(WAYS)] if n < len(names) - spare else "prompt"
            dice = random.Random(f"{self.seed} {name}")
            self.people[name] = Person(name, f"{name}@{DOMAIN}", self.dice.choice(ZONES), way, dice, self.standing)
        self._spare = names[-spare:]

    def _open_tables(self) -> None:
        free = [name for name in self.people if name not in self._spare]
        self.dice.shuffle(free)
        keyless = free.pop() if self.games >= 5 else ""
        for n in range(self.games):
            kind = "troyes-dice" if n % 2 else "troyes"
            seats = self.dice.choice((2, 3, 3, 4))
            invited = [free.pop() if len(free) > 1 else self.dice.choice(list(self.people)) for _ in range(seats)]
            if keyless and n < 5:
                invited[0], self.people[keyless].way = keyless, "keyless"
            invited = list(dict.fromkeys(invited))
            opening = Opening(
                kind, tuple(Invited(name.title(), (self.people[name].address,)) for name in invited),
                options=TABLES[n % len(TABLES)], seed=bytes([n, self.seed % 256]) * 16,
            )  # fmt: skip
            stored = open_table(self.service.desk, opening)
            for row, name in zip(stored.table.seats, invited, strict=True):
                self.sat[stored.table.game, row.seat] = [(self.now, name)]
            if self.silent:
                for name, way in zip(invited, ("silent", "prompt", "forwarding", "prompt"), strict=False):
                    self.people[name].way = way

    async def _live(self) -> None:
        end = self.begun + timedelta(days=self.days)
        works = make_daemon(self.service)
        while self.now < end:
            self.now += HOUR
            what = next((one for one in BEFALLS if one not in self.happened and self._is_time(one)), "")
            if what:
                self.happened[what] = self.now
                await self._befall(what)
            self._post()
            if what or self.now.hour == 0:
                # Another process once a day, as after a restart.
                self.service.close()
                self.service = self.opened()
                works = make_daemon(self.service)
            if what == "full disk":
                await self._on_a_full_disk(works)
                continue
            await work(works)
            self.looks.append(self.now)
            self._look()
            self._moderate()
        self.notes |= self._noted()
        self.told = self._new(Person("mia", "", "UTC", "", self.dice))

    def _is_time(self, what: str) -> bool:
        part, least = BEFALLS[what]
        return self.days >= least and self.now > self.begun + timedelta(days=self.days * part)

    async def _befall(self, what: str) -> None:
        """What happens to the host before its next look."""
        if what == "machine off":
            self.outages.append((self.now, self.now + 36 * HOUR))
            self.now += 36 * HOUR
        if what == "no server":
            # Neither can letters be fetched nor mails be sent.
            self.outages.append((self.now, self.now + 30 * HOUR))
            await self.office.stop()
            for _ in range(30):
                assert TROUBLE == await work(make_daemon(self.service))
                self.now += HOUR
            await self.office.start()
        if what == "clock ahead":
            self._skew = AHEAD
            self.service.close()
            self.service = self.opened()
            await work(make_daemon(self.service))
            self._look()
            self._skew = timedelta()
            self.now += HOUR
        if what == "lost spool":
            self.notes |= self._noted()
            self.service.close()
            for file in self.config.mail.glob("spool.sqlite*"):
                file.unlink()
        if what == "bounces":
            for person in self.people.values():
                if person.way == "bouncing":
                    self.office.accounts.pop(person.name)

    async def _on_a_full_disk(self, works: Daemon) -> None:
        """No file can be written, however short."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            with suppress(OSError, sqlite3.Error, StoreError):
                await work(works)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.outages.append((self.now, self.now + HOUR))

    @cached_property
    def past(self) -> dict[str, list[Record]]:
        """The records of every table, once the month is over."""
        store = self.service.store
        return {name: list(read_records(store.open(name))) for name in store.names()}

    def _noted(self) -> dict[str, str]:
        return {digest: note for digest, note in self.service.spool.ask("SELECT digest, note FROM letters") if note}

    def _post(self) -> None:
        """Every letter that was sent by now lies in the mailbox, with when our server took it."""
        while self._due and self._due[0][0] <= self.now:
            at, _, letter = heapq.heappop(self._due)
            field = f"Received: from x by mx.{DOMAIN} with ESMTP id {len(self.letters)}; {format_datetime(at)}\r\n"
            letter.raw = field.encode() + letter.raw
            self.office.accounts["games"].inbox.add(letter.raw)
            self.letters.append(letter)

    def _look(self) -> None:
        """Everybody looks at what has come, and decides when to answer it."""
        for person in self.people.values():
            for mail in self._new(person):
                person.seen.append((self.now, mail))
                for says in person.answers(mail, self.now):
                    self._write(person, says)

    def _new(self, person: Person) -> list[EmailMessage]:
        folder = self.folder / "office" / person.name
        if not folder.exists():
            return []
        paths = [path for sub in ("new", "cur") for path in (folder / sub).iterdir() if path.name not in person.files]
        person.files |= {path.name for path in paths}
        return [opened(path.read_bytes()) for path in sorted(paths, key=lambda path: path.name)]

    def _write(self, person: Person, says: Says) -> None:
        number, mail, text = next(self._count), says.mail, says.text
        letter = EmailMessage()
        letter["From"] = f"{person.name.title()} <{'elsewhere.' if says.other else ''}{person.address}>"
        letter["To"] = f"games@{DOMAIN}" if says.to == "host" else says.to
        letter["Subject"] = "my turn"
        letter["Date"] = format_datetime(says.at)
        letter["Message-ID"] = f"<{number}@{DOMAIN}>"
        if mail is not None:
            letter.replace_header("To", str(mail["Reply-To"] or mail["From"]))
            letter.replace_header("Subject", f"Re: {mail['Subject']}")
            letter["In-Reply-To"] = str(mail["Message-ID"])
        if text == "VACATION":
            letter["Auto-Submitted"] = "auto-replied"
            text = "I am out of the office until Monday."
        letter.set_content(text)
        sent = Letter(person.name, says.at, text, letter.as_bytes(policy=email.policy.SMTP))
        heapq.heappush(self._due, (says.at, number, sent))

    def _moderate(self) -> None:
        """The moderator gives a seat away that was declined, that does not answer three times in a row, or to whom no
        mail comes; when nobody is left for it a computer gets it."""
        for name in self.moved():
            stored = StoredGame.read(self.service.store.open(name))
            late = [seat for seat, n in stored.secrets.defaults.items() if n > 2]
            told = [seat for seat, rows in stored.secrets.reminded.items() if any(not row.mail for row in rows)]
            lost = [str(one.seat) for one in self.service.people.holders(name) if one.unreachable]
            for seat in dict.fromkeys((*stored.table.declined, *late, *told, *lost)):
                if stored.table.status not in ("gathering", "running") or stored.table.seat(seat).by == COMPUTER:
                    continue
                sits = {who for (game, _), rows in self.sat.items() if game == name for _, who in rows}
                if new := self._somebody_else(sits):
                    person = Named(new.title(), (self.people[new].address,))
                    action = replace_holder(self.service.desk.services, seat, person, "somebody else is here")
                    self.sat[name, seat].append((self.now, new))
                else:
                    action = computer(seat, "nobody else is here")
                self.service.desk.change(name, "moderate", action)
                stored = StoredGame.read(self.service.store.open(name))


    def moved(self) -> Iterable[str]:
        """The tables that the moderator looks at."""
        return self.service.store.names()

    def _somebody_else(self, sits: Collection[str]) -> str:
        """Who takes a seat at a table where these sit, or have sat; empty when there is nobody."""
        if new := next((one for one in reversed(self._spare) if one not in sits), ""):
            self._spare.remove(new)
        return new


async def work(works: Daemon) -> int:
    """The host's work, once. A signal that tells it to stop is meant for the month."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    code = await works.run(once=True)
    for number, handler in before.items():
        # The loop has left those that a process begins with.
        signal.signal(number, handler)
    if works._stop.is_set():
        signal.raise_signal(signal.SIGTERM)
    return code
