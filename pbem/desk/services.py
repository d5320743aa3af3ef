"""What the desk works with: the store, the spool, the people, the keys, the renderer, the clock."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from functools import cache
from typing import Protocol

from engine import game as games
from engine.game import AnyGame
from pbem.host.achievements import Achievements
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.outbound.mail import Mail
from pbem.outbound.render import Host, Thread
from pbem.store.games import GameStore
from pbem.store.spool import Spool


class Renders(Protocol):
    """As much of `pbem.outbound.render.Renderer` as the desk needs."""

    @property
    def host(self) -> Host: ...

    def message(
        self, mail: Mail, to: Address, thread: Thread, message_id: str, date: datetime, *, language: str = "en"
    ) -> bytes: ...


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


@dataclass(frozen=True)
class Services:
    """One host's post room. `moderator` is the address notices go to; empty for none.

    `authserv_id` is the name under which the own mail server tells what it makes of a sender; empty: it is not asked.
    """

    store: GameStore
    spool: Spool
    people: People
    renderer: Renders
    keys: Keys
    clock: Callable[[], datetime] = now
    find: Callable[[str], AnyGame] = games.find
    moderator: str = ""
    authserv_id: str = ""
    dmarc_exempt: frozenset[str] = frozenset()

    @property
    def achievements(self) -> Achievements:
        """The book of what people have achieved."""
        return Achievements(self.store, self.people, self.keys, self.find)
