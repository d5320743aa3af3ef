"""A post room on a simulated clock: mails are taken by a server that can be stopped, and tables keep their time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from engine.catalog import Msg
from engine.game import AnyGame, find_game
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.timekeeping import Timekeeper
from pbem.host.people import People
from pbem.store.data_codec import to_data
from tests.desk.room import NAMES, Got, Room
from tests.fakegame import GAME
from tests.repair.bench import MODERATOR

HOUR = timedelta(hours=1)
LONGEST = 6 * 3600.0
"""Seconds between two looks at tables of which nothing is due."""


def received(at: datetime, more: str = "") -> dict[str, str]:
    """The field of our own server, above those of others."""
    return {"Received": f"from a.example by mx.games.test with ESMTP id 1{more}; {format_datetime(at)}"}


class Clocked(Room):
    """A `Room` whose tables have a pace. It is Tuesday, 24 November 2026, 9:00 UTC.

    Time passes while a program works: a second with every look at the clock. `tick` is nothing where two hosts are to
    write the same bytes.
    """

    tick = timedelta(seconds=1)

    find = staticmethod(lambda kind: GAME if kind == GAME.kind else find_game(kind))

    def __init__(self, folder: Path) -> None:
        self.mails_go = True
        self.reports: list[str] = []
        super().__init__(folder)
        self.time = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
        self.well: datetime | None = self.time

    def restart(self) -> None:
        self.people = People(self.folder / "mail", (MODERATOR,))
        super().restart()
        self.keeper = Timekeeper(self.desk, self.folder / "mail", self.now, self._report)

    def _report(self, says: Msg, game: str) -> None:
        self.reports.append(str(says))

    def seated(self, players: int = 2, pace: str = "medium", kind: str = "tally", **options: str) -> str:
        """A table that has begun, whose first mails the server has taken."""
        invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in NAMES[:players])
        hints = options.pop("hints", "no") == "yes"
        opening = Opening(kind, invited, now=True, seed=b"s" * 32, hints=hints, options={"pace": pace, **options})
        name = open_table(self.desk, opening).table.game
        self.deliver()
        return name

    @property
    def rules(self) -> AnyGame:
        return self.find(self.stored(self.store.names()[0]).table.kind)

    def deliver(self) -> None:
        """The server takes every mail that waits, if it takes any."""
        if self.mails_go:
            self.spool.sent([row.message_id for row in self.spool.rows(state="ready")], self.time)

    def lose_spool(self) -> None:
        """A new process finds the spool gone and fills it from the games; what goes again, goes."""
        self.spool.close()
        for file in (self.folder / "mail").glob("spool.sqlite*"):
            file.unlink()
        self.restart()
        for name in self.store.names():
            self.desk.rebuild(name)
        self.deliver()

    def look(self) -> int:
        """The daemon's loop once, every letter having been read."""
        self.deliver()
        if not self.mails_go:
            return 0
        count = self.keeper.look(self.well)
        self.deliver()
        self.well = self.time
        return count

    def wait(self, hours: float, until: Callable[[], object] = lambda: False) -> list[Got]:
        """Time passes; the mails that the clock sends, until `until` is true."""
        before, end = len(self.mails()), self.time + hours * HOUR
        while self.time < end and not until():
            # What is overdue waits for the mails: nothing can come of looking each second.
            seconds = self.keeper.soon(LONGEST) if self.mails_go else HOUR.total_seconds()
            self.time = min(self.time + timedelta(seconds=seconds), end)
            if self.mails_go:
                # The daemon has looked all the time.
                self.well = self.time
            self.look()
        return self.mails()[before:]

    def on(self, text: str) -> None:
        """Time passes until then."""
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
        assert moment > self.time
        self.wait((moment - self.time) / HOUR)

    def says(self, seat: str, text: str) -> str:
        """The answer to a letter; its mails go out."""
        before = len(self.mails(seat))
        self.send(seat, text)
        self.deliver()
        self.well = self.time
        return self.mails(seat)[before].text.replace("\n", " ")

    def finish(self) -> None:
        """Everybody takes the first choice until the game is over."""
        while self.state().phase != "over":
            for asked in self.rules.waiting(self.state()):
                self.send(asked.seat, self.rules.offers(self.state(), asked.seat)[0].text)

    def defaults(self, seat: str) -> int:
        """How many decisions in a row the clock has answered for a seat."""
        return self.stored(self.store.names()[0]).secrets.defaults.get(seat, 0)

    def hour(self, got: Got) -> float:
        """The hour (UTC) at which a mail was written."""
        at = got.message["Date"].datetime
        return float(at.hour + at.minute / 60)

    def kinds(self, mails: list[Got]) -> list[tuple[str, str]]:
        return [(got.seat, got.kind) for got in mails]

    def row(self, seat: str) -> dict[str, Any]:
        """A seat's row as it is stored."""
        found: dict[str, Any] = to_data(self.stored(self.store.names()[0]).table.seat(seat))
        return found
