"""One stored game as a row, from public facts only: for `pbem list` and `pbem watch`."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from engine.errors import PositionError
from engine.game import find
from pbem.cli.kit import paper
from pbem.clocks.pace import written
from pbem.desk.waits import ends
from pbem.host.config import Config
from pbem.host.people import People, PeopleError
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool
from pbem.store.stored import Stored
from pbem.store.table import Table
from pbem.store.trouble import StoreError
from pbem.store.words import Words


def is_over(row: dict[str, Any]) -> bool:
    """Whether nobody is waited for any more."""
    return row["status"] in ("ended", "abandoned")


def bouncing(people: People, name: str) -> str:
    """Whose mail of a game comes back and why, in words; empty when nobody's does."""
    try:
        found = [f"mail to {one.seat} comes back ({one.unreachable})" for one in people.unreachable(name)]
    except (PeopleError, LookupError, OSError):
        return ""
    return ", ".join(found)


def edited(repo: GameRepo) -> str:
    """Which files of a game were changed by hand, in words; empty when none was. Raises StoreError."""
    changed = [one.path for one in repo.status() if one.how != "unknown"]
    if changed:
        # A letter may just be being committed; its files follow the branch at once.
        time.sleep(0.1)
        changed = [one.path for one in repo.status() if one.how != "unknown" and one.path in changed]
    return f"{', '.join(changed)} changed by hand: parked; see `pbem mend`" if changed else ""


def damaged(name: str, says: object = "") -> dict[str, Any]:
    """The row of a game that cannot be read; `says` tells why."""
    empty = {"players": {}, "waiting_for": [], "changed": "", "since": ""}
    return {"game": name, "status": "damaged", "heading": str(says), **empty}


@dataclass(frozen=True)
class MailFolder:
    """What the mail folder of a host tells of waits; without a spool no clock is known to run."""

    spool: Spool
    zone: ZoneInfo
    people: People


@contextmanager
def post_of(config: Config, people: People, told: Callable[[str], None] = paper.warn) -> Iterator[MailFolder | None]:
    """The host's mail folder, if it has a spool that can be read; of one that cannot, a sentence is `told`."""
    opened = None
    try:
        if (config.mail / "spool.sqlite").exists():
            opened = Spool(config.mail)
    except (sqlite3.Error, StoreError, OSError) as odd:
        what = "what people wrote" if Words.NAME in str(odd) else "the spool"
        told(f"no times are told, since {what} cannot be read: {odd}")
    if opened is None:
        yield None
        return
    with closing(opened):
        yield MailFolder(opened, config.host.zone, people)


def wait_of(table: Table, post: MailFolder | None) -> dict[str, Any]:
    """Since when a table waits, how many of a sealed decision have answered, and until when each seat has time."""
    since = table.wait.since if table.wait else table.changed
    found: dict[str, Any] = {"since": since.isoformat(), "pace": written(table.pace)}
    if table.wait is not None and len(table.wait.asked) > 1:
        found["answered"] = {"n": table.wait.answered, "of": len(table.wait.asked), "names": list(table.wait.names)}
        if table.answers == "hidden":
            del found["answered"]
    with suppress(PeopleError, LookupError, OSError):
        until = ends(post, table, post.people.holders(table.game)) if post else {}
        found["until"] = {seat: end.isoformat() for seat, end in until.items()}
    return found


def until_told(row: Mapping[str, Any]) -> str:
    """The wait of a row in words: how many have answered, and until when there is time."""
    answered, until = row.get("answered"), row.get("until")
    told = [f"{answered['n']} of {answered['of']} answered"] if answered and answered["n"] else []
    if until:
        told.append(f"until {min(until.values())[:16].replace('T', ' ')} UTC")
    return ", ".join(told)


def row_of(repo: GameRepo, post: MailFolder | None = None) -> dict[str, Any]:
    """One game as a row; what is wrong with its position is told in the row. Raises StoreError without a repository."""
    row = damaged(repo.name)
    try:
        stored = Stored.read_public(repo)
        table = stored.table
        row |= {"kind": table.kind, "status": str(table.status), "changed": table.changed.isoformat()}
        row |= wait_of(table, post)
        row["players"] = {seat.seat: seat.name for seat in table.seats}
        if stored.game:
            game = find(table.kind)
            state = game.load(stored.game, {})
            row["heading"] = str(game.heading(state))
            row["waiting_for"] = [asked.seat for asked in game.waiting(state)]
        else:
            row["waiting_for"] = [seat.seat for seat in table.seats if seat.seat not in table.joined]
            row["declined"] = list(table.declined)
            if table.declined:
                row["heading"] = f"declined: {', '.join(table.declined)}"
    except (PositionError, StoreError, LookupError) as odd:
        row["heading"] = str(odd)
    return row | {"waiting_for": []} if is_over(row) else row
