"""What a host does at quiet times: forgetting old bytes of the spool, and packing the games' histories."""

from __future__ import annotations

import logging
from datetime import datetime
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from engine.catalog import T
from pbem.clock import Clock
from pbem.clock import Due
from pbem.notices import Notices
from pbem.store.games import GameStore
from pbem.store.trouble import StoreError

log = logging.getLogger(__name__)

PRUNE = "prune-spool"
PACK = "pack-games"
DAILY = timedelta(days=1)

PACKED_AT_ONCE = 3
"""Games packed between two letters; a pack takes up to a second."""

NEXT_PACK = timedelta(seconds=30)

LOOSE = 8
"""Loose objects in one of git's 256 folders from which a game is packed: some 2,000 objects altogether."""


class Old(Protocol):
    """What housekeeping needs of the spool."""

    def prune(self, before: datetime) -> int: ...


class Housekeeping:
    """Puts its two daily jobs on the clock. `keep`: how long the spool keeps the bytes of letters and mails."""

    def __init__(self, clock: Clock, spool: Old, store: GameStore, notices: Notices, keep: timedelta) -> None:
        self._spool = spool
        self._store = store
        self._notices = notices
        self._keep = keep
        self._failed: set[str] = set()
        clock.on(PRUNE, self.prune)
        clock.on(PACK, self.pack)
        clock.keep_first(Due(clock.now() + timedelta(hours=1), PRUNE))
        clock.keep_first(Due(clock.now() + timedelta(hours=2), PACK))

    async def prune(self, due: Due, now: datetime) -> datetime:
        """Empty the old bytes of the spool; its rows stay, so that nothing is answered or sent twice."""
        count = self._spool.prune(now - self._keep)
        log.info("the spool forgot the bytes of %d old letters and mails", count)
        return now + DAILY

    async def pack(self, due: Due, now: datetime) -> datetime:
        """Pack a few of the games with many loose files; soon again while there are more of them."""
        names = self._store.names()
        full = [name for name in names if name not in self._failed and is_loose(self._store.root / name)]
        for name in full[:PACKED_AT_ONCE]:
            try:
                self._store.open(name).pack()
                log.info("%s was packed", name)
            except StoreError as odd:
                self._failed.add(name)
                self._notices.add(T("The history could not be packed: {why}", why=str(odd)), name)
        if len(full) > PACKED_AT_ONCE:
            return now + NEXT_PACK
        self._failed.clear()
        return now + DAILY


def is_loose(folder: Path) -> bool:
    """Whether a repository has many loose objects; one folder of git's stands for all, as git itself does it."""
    sample = folder / ".git" / "objects" / "17"
    return sample.is_dir() and sum(1 for _ in sample.iterdir()) >= LOOSE
