"""A whole post room on a disk, without mail servers: letters are bytes in, mails are rows of the spool."""

from __future__ import annotations

import email
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from pbem.admin.actions.lifecycle import resend
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.core.outcome import Handled
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.inbound.incoming_letter import open_letter
from pbem.outbound.render import Host, Renderer
from pbem.router import Router
from pbem.store.commit_record import Record
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.private_text import fill_text
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame
from tests.fakegame import GAME, find
from tests.fakeposition import Position
from tests.parts import POLICY, text_of

OWN = "pbem@games.test"
NAMES = ("Anna", "Bob", "Cleo", "Dora")


def opened_from_now(patch: pytest.MonkeyPatch) -> list[str]:
    """The repositories that are opened, by name, as long as the patch lasts."""
    names: list[str] = []
    make = GameRepo.__init__

    def made(self: GameRepo, folder: Path, *more: object) -> None:
        names.append(folder.name)
        make(self, folder, *more)  # type: ignore[arg-type]

    patch.setattr(GameRepo, "__init__", made)
    return names


@dataclass
class Got:
    """One mail that a person has received."""

    seat: str
    kind: str
    raw: bytes
    name: str

    @cached_property
    def message(self) -> EmailMessage:
        return email.message_from_bytes(self.raw, policy=POLICY)  # type: ignore[return-value]

    @property
    def text(self) -> str:
        return text_of(self.message).replace("\r\n", "\n").replace(" \n", " ")

    @property
    def reply_to(self) -> str:
        return str(self.message["Reply-To"] or self.message["From"]).split("<")[-1].rstrip(">")


@cache
def renderer_of(plus: bool) -> Renderer:
    """Who writes the mails: templates are read and compiled once for all tests of a process."""
    return Renderer(Host(OWN, plus))


class Room:
    """A desk with everything around it; the clock goes one minute further with every letter."""

    find = staticmethod(find)
    """Finds the games that are played here."""

    tick = timedelta()
    """How much further the clock goes whenever a program looks at it."""

    def __init__(self, folder: Path, plus: bool = True) -> None:
        self.folder = folder
        self.time = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
        self.people = People(folder / "mail")
        self.renderer = renderer_of(plus)
        self.restart()

    def now(self) -> datetime:
        """The time, as a program reads it."""
        self.time += self.tick
        return self.time

    @property
    def count(self) -> int:
        """How many letters people have written to this host, in whatever process: no two have one Message-ID."""
        return int(self._letters.read_text()) if self._letters.exists() else 0

    @count.setter
    def count(self, number: int) -> None:
        self._letters.write_text(str(number))

    @property
    def _letters(self) -> Path:
        return self.folder / "letters"

    def restart(self) -> None:
        """A new process: nothing is known but what lies on the disk."""
        self.store = GameStore(self.folder / "games")
        self.spool = Spool(self.folder / "mail")
        services = Services(
            store=self.store, spool=self.spool, people=self.people, renderer=self.renderer, keys=Keys(bytes(range(32))),
            clock=self.now, find=self.find, moderator="mod@host.test",
        )  # fmt: skip
        self.desk = Desk(services)
        self.spool.recover(self.store)

    def lose_spool(self) -> None:
        """The spool is gone, and a new process begins."""
        self.spool.close()
        for path in (self.folder / "mail").glob("spool.sqlite*"):
            path.unlink()
        self.restart()

    def open(self, players: int = 2, *, now: bool = True, seed: bytes = b"s" * 32, **more: Any) -> str:
        invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in NAMES[:players])
        return open_table(self.desk, Opening("tally", invited, now=now, seed=seed, **more)).table.game

    def resend(self, game: str, seat: str) -> None:
        """The moderator has a seat mailed its position again."""
        self.desk.change(game, "resend", resend(seat))

    def stored(self, game: str = "tally-1") -> StoredGame:
        return StoredGame.read(self.store.open(game))

    def state(self, game: str = "tally-1") -> Position:
        stored = self.stored(game)
        return GAME.load(stored.game, stored.hidden)

    def record(self, number: int = 0, game: str = "tally-1") -> Record:
        """A record with its words."""
        found = Record.read(self.store.open(game), number or self.stored(game).table.records)
        return fill_text(self.spool.words, game, found)

    def mails(self, seat: str | None = None) -> list[Got]:
        which = "?1 IS NULL OR seat = ?1"
        rows = self.spool.ask(f"SELECT seat, kind, raw, message_id FROM outbox WHERE {which} ORDER BY number", seat)
        return [Got(*row) for row in rows]

    def last(self, seat: str) -> Got:
        return self.mails(seat)[-1]

    def write(
        self, seat: str, text: str, *, to: Got | None = None, sender: str = "", fields: dict[str, str] | None = None
    ) -> bytes:
        """The bytes of an answer to a mail (the newest of the seat)."""
        answered = to or self.last(seat)
        self.count += 1
        message = EmailMessage()
        message["From"] = sender or f"{seat.title()} <{seat}@people.test>"
        message["To"] = answered.reply_to
        message["Subject"] = f"Re: {answered.message['Subject']}"
        message["Date"] = format_datetime(self.time)
        message["Message-ID"] = f"<letter{self.count}@people.test>"
        message["In-Reply-To"] = str(answered.message["Message-ID"])
        for name, value in (fields or {}).items():
            del message[name]
            if value:
                message[name] = value
        message.set_content(text)
        return message.as_bytes()

    def post(self, raw: bytes) -> Handled:
        self.time += timedelta(minutes=1)
        digest = hashlib.sha256(raw).hexdigest()
        self.spool.take(raw, digest, 1, self.count, self.time)
        self.spool.attempt(digest)
        return Router(self.desk).handle(open_letter(raw, frozenset({OWN})), 1, self.count)

    def send(self, seat: str, text: str, **more: Any) -> Handled:
        return self.post(self.write(seat, text, **more))

    def sent_by(self, seat: str, text: str, **more: Any) -> list[Got]:
        """The mails that one letter leads to."""
        before = len(self.mails())
        self.send(seat, text, **more)
        return self.mails()[before:]

    def subjects(self, game: str = "tally-1") -> list[str]:
        return [commit.subject for commit in self.store.open(game).log()]
