"""What the desk works with: the store, the spool, the people, the keys, the renderer, the clock."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from engine import game as games
from engine.game import AnyGame, Seat
from pbem.clocks.hours import UTC as GREENWICH
from pbem.clocks.zones import zone_of
from pbem.host.achievements import Achievements
from pbem.host.config import TablesConfig
from pbem.host.followers import Followers
from pbem.host.keys import Keys
from pbem.host.moving import Moves
from pbem.host.people import People
from pbem.host.wishes import Wishes
from pbem.outbound.render import Renderer
from pbem.store.derived import hashed
from pbem.store.durable import stamp_of
from pbem.store.games import GameStore
from pbem.store.spool import Spool

CLOSED = TablesConfig()
"""Nobody opens a table by mail."""


def now() -> datetime:
    """The clock of the daemon: seconds are enough for a mail."""
    return datetime.now(UTC).replace(microsecond=0)


@cache
def version() -> str:
    """The version of the program, for the records."""
    try:
        return importlib.metadata.version("troyes-by-mail")
    except importlib.metadata.PackageNotFoundError:
        return "0"


@cache
def program() -> str:
    """What works things out here: the version, and the files, which a hand may have changed."""
    here = Path(__file__).parent.parent
    files = sorted(path for room in (here, here.parent / "engine") for path in room.rglob("*.py"))
    return f"{version()} {hashed(' '.join(map(stamp_of, files)))}"


@dataclass(frozen=True, kw_only=True)
class Services:
    """One host's post room. `moderator` is the address notices go to; empty for none.

    `authserv_id` is the name under which the own mail server tells what it makes of a sender; empty: it is not asked.
    `zone` is where a person lives who has named no other; `tables` says who may open and join some by mail.
    """

    store: GameStore
    spool: Spool
    people: People
    renderer: Renderer
    keys: Keys
    clock: Callable[[], datetime] = now
    find: Callable[[str], AnyGame] = games.find
    moderator: str = ""
    authserv_id: str = ""
    dmarc_exempt: frozenset[str] = frozenset()
    zone: ZoneInfo = GREENWICH
    tables: TablesConfig = CLOSED
    measures: bool = True
    """Whether it is counted how much somebody writes; not at one's own table (`pbem play`)."""

    def zones(self, game: str) -> Callable[[Seat], ZoneInfo]:
        """Where the holders of a game's seats live; of a seat that nobody holds, the host's zone."""

        def zone(seat: Seat) -> ZoneInfo:
            named = next((one.zone for one in self.people.holders(game) if one.seat == seat), "")
            return zone_of(named) if named else self.zone

        return zone

    def spoken(self, address: str) -> str:
        """The language that somebody has chosen, at a table or for what they follow; empty for none."""
        return self.people.spoken(address) or self.followers.spoken(address)

    @property
    def followers(self) -> Followers:
        """Who follows tables at which they do not sit."""
        return Followers(self.people.folder.parent)

    @property
    def moves(self) -> Moves:
        """Tables that go to other hosts behind the same address, and come from them."""
        own = self.renderer.host.own_address
        return Moves(self.store, self.spool, self.people, self.people.folder.parent, self.keys, own)

    @property
    def wishes(self) -> Wishes:
        """What people have asked for and not confirmed yet."""
        return Wishes(self.people.folder.parent, self.keys)

    @property
    def achievements(self) -> Achievements:
        """The book of what people have achieved."""
        return Achievements(self.store, self.people, self.keys, self.find)
