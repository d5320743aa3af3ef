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
from pbem.desk.context import OVER
from pbem.desk.services import Services, program
from pbem.store.database import text_of, time_of
from pbem.store.derived import DerivedRows, Row
from pbem.store.stored import Stored
from pbem.store.table import Status
from pbem.store.trouble import StoreError

REPLACED = 3
"""Defaults in a row after which a seat is to be offered to somebody else."""


@dataclass(frozen=True, slots=True)
class TableOutline:
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


def outlines(services: Services) -> Iterator[tuple[str, TableOutline]]:
    """Yield every table with its summary. The caller may do anything between two of them."""
    store = services.store
    rows = DerivedRows(services.people.folder.parent, "outlines", program())
    known, fresh = rows.all(), dict[str, Row | None]()
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
                fresh[name] = Row(head, _dumped(found))
            yield name, found
    finally:
        rows.keep(fresh)


def ended(services: Services) -> Iterator[tuple[str, bool]]:
    """Yield every table, and whether it is over."""
    return ((name, one.status in OVER) for name, one in outlines(services))


def _read(services: Services, name: str) -> TableOutline:
    try:
        return _of(Stored.read(services.store.open(name)))
    except (StoreError, PositionError) as odd:
        with suppress(StoreError, PositionError):
            return _of(Stored.read_public(services.store.open(name)), str(odd))
        return TableOutline(None, services.clock(), False, "", "", False, str(odd))


def _of(stored: Stored, odd: str = "") -> TableOutline:
    table, secrets = stored.table, stored.secrets
    since = table.wait.since if table.wait else table.changed
    seats = {row.seat for row in table.seats}
    reminded = any(not one.mail for seat, ones in secrets.reminded.items() if seat in seats for one in ones)
    late = reminded or any(count >= REPLACED for seat, count in secrets.defaults.items() if seat in seats)
    return TableOutline(table.status, since, bool(table.pace.hours), table.wish, table.follows, late, odd)


def _dumped(one: TableOutline) -> str:
    return json.dumps([str(one.status), text_of(one.since), one.paced, one.wish, one.follows, one.late])


def _loaded(text: str) -> TableOutline:
    status, since, *rest = json.loads(text)
    return TableOutline(Status(status), time_of(since), *rest)
