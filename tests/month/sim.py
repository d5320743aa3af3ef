"""The month itself: an hour at a time, letters come, the daemon works once, people look into their mailboxes."""

from __future__ import annotations

import email
import email.policy
import heapq
import itertools
import os
import random
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from pbem.daemon.service import Service, daemon, open_service
from pbem.demo.postoffice import PostOffice
from pbem.host.config import Config, HostConfig, ImapConfig, ModeratorConfig, SmtpConfig
from pbem.moderation.opening import Invited, Opening, open_table
from pbem.moderation.opening import Person as Named
from pbem.moderation.seats import replaced
from pbem.store.stored import Stored
from tests.month.people import WAYS, ZONES, Person

DOMAIN = "month.test"
HOUR = timedelta(hours=1)
BEGINS = datetime(2027, 3, 15, 6, 0, tzinfo=UTC)
"""Europe and New York go to summer time in this month, Auckland leaves it."""
NAMES = (
    *("anna", "bela", "carl", "dora", "emil", "faye", "gina", "hugo", "ines", "jana", "kurt", "lena", "marc", "nora"),
    *("otto", "petra", "quinn", "rosa", "sven", "tilda", "ulla", "vito", "wanda", "xenia", "yann", "zoe"),
)


@dataclass
class Letter:
    """A letter that a person has sent: when, to which table (empty: none told), and its Message-ID."""

    person: str
    at: datetime
    name: str
    text: str
    raw: bytes


@dataclass
class Month:
    """A host, its people and their letters. `sat` says by game and seat who was given it when."""

    folder: Path
    seed: int = 1
    games: int = 8
    days: int = 30
    now: datetime = BEGINS
    people: dict[str, Person] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    sat: dict[tuple[str, str], list[tuple[datetime, str]]] = field(default_factory=dict)
    silent: bool = False
    looks: list[datetime] = field(default_factory=list)
    outages: list[tuple[datetime, datetime]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self._count = itertools.count(1)
        self._due: list[tuple[datetime, int, Letter]] = []
        self._spare: list[str] = []

    async def run(self) -> None:
        """All of it."""
        names = [f"{name}{n or ''}" for n in range(1 + self.games // 8) for name in NAMES]
        self.office = PostOffice(self.folder / "office", ("games", "mia", *names), domain=DOMAIN, durable=False)
        await self.office.start()
        os.environ["PBEM_IMAP_PASSWORD"] = self.office.password
        login = {"host": self.office.host, "user": "games", "tls": "none"}
        self.config = Config(
            self.folder / "games", self.folder / "mail", host=HostConfig(f"games@{DOMAIN}"),
            moderator=ModeratorConfig((f"mia@{DOMAIN}",)), imap=ImapConfig(port=self.office.imap_port, **login),  # type: ignore[arg-type]
            smtp=SmtpConfig(port=self.office.smtp_port, **login),  # type: ignore[arg-type]
        )  # fmt: skip
        try:
            self._populate(names)
            self.service = self.opened()
            self._open_tables()
            await self._live()
        finally:
            self.service.close()
            await self.office.stop()

    def opened(self) -> Service:
        """The host, as a process that begins finds it."""
        return open_service(self.config, now=lambda: self.now)

    def _populate(self, names: list[str]) -> None:
        for n, name in enumerate(names):
            way = WAYS[n % len(WAYS)] if n < len(names) - 4 else "prompt"
            dice = random.Random(f"{self.seed} {name}")
            self.people[name] = Person(name, f"{name}@{DOMAIN}", self.dice.choice(ZONES), way, dice)
        self._spare = names[-4:]

    def _open_tables(self) -> None:
        free = [name for name in self.people if name not in self._spare]
        self.dice.shuffle(free)
        for n in range(self.games):
            kind = "troyes-dice" if n % 2 else "troyes"
            seats = self.dice.choice((2, 3, 3, 4))
            invited = [free.pop() if len(free) > 1 else self.dice.choice(list(self.people)) for _ in range(seats)]
            invited = list(dict.fromkeys(invited))
            opening = Opening(
                kind, tuple(Invited(name.title(), (self.people[name].address,)) for name in invited),
                options={"pace": "brisk"}, seed=bytes([n, self.seed % 256]) * 16,
            )  # fmt: skip
            stored = open_table(self.service.desk, opening)
            for row, name in zip(stored.table.seats, invited, strict=True):
                self.sat[stored.table.game, row.seat] = [(self.now, name)]
            if self.silent:
                for name in invited:
                    self.people[name].way = "silent" if name == invited[0] else "prompt"

    async def _live(self) -> None:
        end = self.now + timedelta(days=self.days)
        away = self.now + timedelta(days=self.days * 0.6)
        while self.now < end:
            self.now += HOUR
            if not self.outages and self.now > away:
                # The machine is off for a day and a half; letters go on coming.
                self.outages.append((self.now, self.now + 36 * HOUR))
                self.now += 36 * HOUR
            self._post()
            # Another process each time, as from a timer.
            self.service.close()
            self.service = self.opened()
            await daemon(self.service).run(once=True)
            self.looks.append(self.now)
            self._look()
            self._moderate()

    def _post(self) -> None:
        """Every letter that was sent by now lies in the mailbox, with when our server took it."""
        while self._due and self._due[0][0] <= self.now:
            at, _, letter = heapq.heappop(self._due)
            field = f"Received: from x by mx.{DOMAIN} with ESMTP id {len(self.letters)}; {format_datetime(at)}\r\n"
            letter.raw = field.encode() + letter.raw
            self.office.deliver("games", letter.raw)
            self.letters.append(letter)

    def _look(self) -> None:
        """Everybody looks at what has come, and decides when to answer it."""
        for person in self.people.values():
            for mail in self._new(person):
                person.seen.append((self.now, mail))
                if (answer := person.answers(mail, self.now)) is not None:
                    self._write(person, mail, *answer)

    def _new(self, person: Person) -> list[EmailMessage]:
        folder = self.office.maildir(person.name)
        paths = [path for sub in ("new", "cur") for path in (folder / sub).iterdir() if path.name not in person.files]
        person.files |= {path.name for path in paths}
        order = sorted(paths, key=lambda path: int(re.search(r"U=(\d+)", path.name)[1]))  # type: ignore[index]
        raws = [path.read_bytes().replace(b"\r\n", b"\n") for path in order]
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in raws]  # type: ignore[misc]

    def _write(self, person: Person, mail: EmailMessage, at: datetime, text: str) -> None:
        number = next(self._count)
        letter = EmailMessage()
        letter["From"] = f"{person.name.title()} <{person.address}>"
        letter["To"] = str(mail["Reply-To"] or mail["From"])
        letter["Subject"] = f"Re: {mail['Subject']}"
        letter["Date"] = format_datetime(at)
        letter["Message-ID"] = f"<{number}@{DOMAIN}>"
        letter["In-Reply-To"] = str(mail["Message-ID"])
        if text == "VACATION":
            letter["Auto-Submitted"] = "auto-replied"
            text = "I am out of the office until Monday."
        letter.set_content(text)
        sent = Letter(person.name, at, f"<{number}@{DOMAIN}>", text, letter.as_bytes(policy=email.policy.SMTP))
        heapq.heappush(self._due, (at, number, sent))

    def _moderate(self) -> None:
        """The moderator gives a seat away that was declined, or that does not answer three times in a row."""
        for name in self.service.store.names():
            stored = Stored.read(self.service.store.open(name))
            late = [seat for seat, n in stored.secrets.defaults.items() if n > 2]
            for seat in (*stored.table.declined, *late):
                if self._spare and stored.table.status in ("gathering", "running"):
                    new = self._spare.pop()
                    person = Named(new.title(), (self.people[new].address,))
                    deed = replaced(self.service.desk.services, seat, person, "somebody else is here")
                    self.service.desk.change(name, "replace", deed)
                    self.sat[name, seat].append((self.now, new))
