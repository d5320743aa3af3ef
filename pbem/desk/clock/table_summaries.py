"""Summarize every table: which wait to be filled, which follow another, which may need the moderator.

A summary follows from a table's commit alone and is kept over restarts, so that only tables with a new commit are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from engine.errors import PositionError
from pbem.desk.core.context import OVER
from pbem.desk.core.services import Services, program_digest
from pbem.store.database import parse_time, sortable_time
from pbem.store.errors import StoreError
from pbem.store.game_table import Status
from pbem.store.row_cache import CachedRow, CachedRows
from pbem.store.state_file import StoredGame

REPLACED = 3
"""Defaults in a row after which a seat is to be offered to somebody else."""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in short; `wish` and `follows` as in `Table`."""

    status: Status | None
    """None if it cannot be read."""
    since: datetime
    """When its present wait began."""
    paced: bool
    """True if its decisions have a deadline."""
    wish: str
    follows: str
    late: bool
    """True if somebody is late, or was often."""
    odd: str = ""
    """Why it, or its secrets, cannot be read."""


def table_summaries(services: Services) -> Iterator[tuple[str, TableSummary]]:
    """Yield every table with its summary. The caller may do anything between two of them."""
    store = services.store
    rows = CachedRows(services.people.folder.parent, "outlines", program_digest())
    known, fresh = rows.all(), dict[str, CachedRow | None]()
    names = store.names()
    fresh |= dict.fromkeys(known.keys() - set(names))
    try:
        for name in names:
            head, row = "", known.get(name)
            with suppress(StoreError):
                head = store.head(name)
            if row is not None and row.of == head:
                yield name, _loaded(row.holds)
                continue
            found = _read(services, name)
            if head and not found.odd:
                fresh[name] = CachedRow(head, _dumped(found))
            yield name, found
    finally:
        rows.keep(fresh)


def is_ended(services: Services) -> Iterator[tuple[str, bool]]:
    """Yield every table, and whether it is over."""
    return ((name, one.status in OVER) for name, one in table_summaries(services))


def _read(services: Services, name: str) -> TableSummary:
    try:
        return _of(StoredGame.read(services.store.open(name)))
    except (StoreError, PositionError) as odd:
        with suppress(StoreError, PositionError):
            return _of(StoredGame.read_public(services.store.open(name)), str(odd))
        return TableSummary(None, services.clock(), False, "", "", False, str(odd))


def _of(stored: StoredGame, odd: str = "") -> TableSummary:
    table, secrets = stored.table, stored.secrets
    since = table.wait.since if table.wait else table.changed
    seats = {row.seat for row in table.seats}
    reminded = any(not one.mail for seat, ones in secrets.reminded.items() if seat in seats for one in ones)
    late = reminded or any(count >= REPLACED for seat, count in secrets.defaults.items() if seat in seats)
    return TableSummary(table.status, since, bool(table.pace.hours), table.wish, table.follows, late, odd)


def _dumped(one: TableSummary) -> str:
    return json.dumps([str(one.status), sortable_time(one.since), one.paced, one.wish, one.follows, one.late])


def _loaded(text: str) -> TableSummary:
    status, since, *rest = json.loads(text)
    return TableSummary(Status(status), parse_time(since), *rest)
