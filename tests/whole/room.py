"""A post room with the real games, driven letter by letter, that can be copied as a whole."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path
from typing import Any

from engine import game as games
from engine.game import AnyGame, Seat, find_game
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.store.state_file import StoredGame
from tests.desk.room import Got, Room

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")


def copied(host: Room, folder: Path) -> Path:
    """The files of a host, copied to a folder that is new."""
    host.spool.close()
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(host.folder, folder, symlinks=True)
    host.restart()
    return folder


class Hall(Room):
    """A `Room` in which any game is played; `kind` is the one its tables play."""

    find = staticmethod(games.find_game)

    def __init__(self, folder: Path, kind: str = "troyes", plus: bool = True) -> None:
        self.kind = kind
        super().__init__(folder, plus)

    @property
    def rules(self) -> AnyGame:
        """The game the table plays."""
        return find_game(self.kind)

    def seat_all(
        self, players: int, *, seed: bytes = b"s" * 32, languages: tuple[str, ...] = ("",) * 4,
        names: tuple[str, ...] = NAMES, **more: Any,
    ) -> str:  # fmt: skip
        """Open a table and begin at once; `languages` are those of its mails, by seat."""
        people = islice(zip(names, languages, strict=False), players)
        invited = tuple(Invited(name, (f"{name.lower()}@people.test",), language=one) for name, one in people)
        return open_table(self.desk, Opening(self.kind, invited, now=True, seed=seed, **more)).table.game

    @property
    def table(self) -> str:
        """The only table."""
        return self.store.names()[0]

    def position(self) -> Any:
        """The state as stored."""
        stored = StoredGame.read(self.store.open(self.table))
        return self.rules.load(stored.game, stored.hidden)

    def asked(self) -> Seat | None:
        """The first seat that is asked, or None when the game is over."""
        waiting = self.rules.waiting(self.position())
        return waiting[0].seat if waiting else None

    def twin(self, folder: Path) -> Hall:
        """An independent copy of the whole host, files and clock."""
        other = Hall(copied(self, folder), self.kind)
        other.time, other.count = self.time, self.count
        return other

    def mails_from(self, raw: bytes, seat: str) -> list[bytes]:
        """The mails to `seat` that one letter leads to, every byte."""
        before = len(self.mails())
        self.post(raw)
        return [got.raw for got in self.mails()[before:] if got.seat == seat]

    def newest(self, seat: str) -> Got:
        """The mail a seat would answer now."""
        return self.last(seat)
