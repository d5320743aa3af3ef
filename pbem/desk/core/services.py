"""What the desk works with: store, spool, people, keys, renderer, clock."""

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
from pbem.clocks.availability import UTC as GREENWICH
from pbem.clocks.time_zones import zone_of
from pbem.host.achievement_book import Achievements
from pbem.host.config import TablesConfig
from pbem.host.followers import Followers
from pbem.host.keys import Keys
from pbem.host.pending_requests import PendingRequests
from pbem.host.people import People
from pbem.host.table_transfer import TableTransfers
from pbem.outbound.render import Renderer
from pbem.store.durable_files import file_stamp
from pbem.store.game_store import GameStore
from pbem.store.row_cache import short_hash
from pbem.store.spool import Spool

CLOSED = TablesConfig()
"""Nobody may open a table by mail."""


def current_time() -> datetime:
    """The time, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


@cache
def program_version() -> str:
    """The version of the program."""
    try:
        return importlib.metadata.version("troyes-by-mail")
    except importlib.metadata.PackageNotFoundError:
        return "0"


@cache
def program_digest() -> str:
    """The version and a hash of the source files, so that kept values of another program are not used."""
    here = Path(__file__).parent.parent
    files = sorted(path for room in (here, here.parent / "engine") for path in room.rglob("*.py"))
    return f"{program_version()} {short_hash(' '.join(map(file_stamp, files)))}"


@dataclass(frozen=True, kw_only=True)
class Services:
    """One host. `moderator` is the address that notices go to; empty for none.

    `authserv_id`: the name of our mail server in Authentication-Results; empty: they are not read. `dmarc_exempt`:
    addresses that may fail there. `zone`: of people who have named none. `tables`: who may open and join tables.
    """

    store: GameStore
    spool: Spool
    people: People
    renderer: Renderer
    keys: Keys
    clock: Callable[[], datetime] = current_time
    find: Callable[[str], AnyGame] = games.find_game
    moderator: str = ""
    authserv_id: str = ""
    dmarc_exempt: frozenset[str] = frozenset()
    zone: ZoneInfo = GREENWICH
    tables: TablesConfig = CLOSED
    measures: bool = True
    """Whether letters are counted against budgets; not in `pbem play`."""

    def zone_of(self, game: str, seat: Seat) -> ZoneInfo:
        """The time zone of a seat's holder, by default the host's."""
        named = next((one.zone for one in self.people.holders(game) if one.seat == seat), "")
        return zone_of(named) if named else self.zone

    def spoken(self, address: str) -> str:
        """The language that somebody has chosen; empty for none."""
        return self.people.spoken(address) or self.followers.spoken(address)

    @property
    def followers(self) -> Followers:
        """Spectators."""
        return Followers(self.people.folder.parent)

    @property
    def moves(self) -> TableTransfers:
        """Tables that move to and from other hosts behind the same address."""
        own = self.renderer.host.own_address
        return TableTransfers(self.store, self.spool, self.people, self.people.folder.parent, self.keys, own)

    @property
    def wishes(self) -> PendingRequests:
        """Requests that wait for a confirmation."""
        return PendingRequests(self.people.folder.parent, self.keys)

    @property
    def achievements(self) -> Achievements:
        """What people have achieved."""
        return Achievements(self.store, self.people, self.keys, self.find)
