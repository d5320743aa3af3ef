"""Stored games as rows for `pbem list` and `pbem watch`, from public facts only."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from engine.errors import PositionError
from engine.game import find_game
from pbem.cli.kit import console
from pbem.clocks.pace import pace_text
from pbem.desk.clock.clock_text import deadlines_of
from pbem.host.config import Config
from pbem.host.people import People, PeopleError
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import Table
from pbem.store.private_text import PrivateText
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame


def is_over(row: dict[str, Any]) -> bool:
    """Whether the game is over or given up."""
    return row["status"] in ("ended", "abandoned")


def bounce_text(people: People, name: str) -> str:
    """Seats of a game whose mail comes back, and why, in words; empty for none."""
    try:
        found = [f"mail to {one.seat} comes back ({one.unreachable})" for one in people.unreachable(name)]
    except (PeopleError, LookupError, OSError):
        return ""
    return ", ".join(found)


def edited_by_hand(repo: GameRepo) -> str:
    """Files of a game that were changed by hand, in words; empty for none. Raises StoreError."""
    changed = [one.path for one in repo.status()]
    if changed:
        # A commit may be under way, whose files follow in a moment.
        time.sleep(0.1)
        changed = [one.path for one in repo.status() if one.path in changed]
    return f"{', '.join(changed)} changed by hand: parked; see `pbem mend`" if changed else ""


def damaged_row(name: str, says: object = "") -> dict[str, Any]:
    """The row of a game that cannot be read, and why."""
    empty = {"players": {}, "waiting_for": [], "changed": "", "since": ""}
    return {"game": name, "status": "damaged", "heading": str(says), **empty}


@dataclass(frozen=True)
class MailFolder:
    """Spool, time zone and people of a host, from which its clocks are known."""

    spool: Spool
    zone: ZoneInfo
    people: People


@contextmanager
def open_mail_folder(
    config: Config, people: People, told: Callable[[str], None] = console.warn
) -> Iterator[MailFolder | None]:
    """The host's mail folder if its spool can be read; else None, and `told` gets a sentence if it is damaged."""
    opened = None
    try:
        opened = Spool(config.mail) if (config.mail / "spool.sqlite").exists() else None
    except (sqlite3.Error, StoreError, OSError) as odd:
        what = "what people wrote" if PrivateText.NAME in str(odd) else "the spool"
        told(f"no times are told, since {what} cannot be read: {odd}")
    with closing(opened) if opened else nullcontext():
        yield MailFolder(opened, config.host.zone, people) if opened else None


def wait_data(table: Table, post: MailFolder | None) -> dict[str, Any]:
    """Since when a table waits, how many have answered a sealed decision, and until when each seat has time."""
    since = table.wait.since if table.wait else table.changed
    found: dict[str, Any] = {"since": since.isoformat(), "pace": pace_text(table.pace)}
    if table.wait is not None and len(table.wait.asked) > 1 and table.answers != "hidden":
        found["answered"] = {"n": table.wait.answered, "of": len(table.wait.asked), "names": list(table.wait.names)}
    with suppress(PeopleError, LookupError, OSError):
        until = deadlines_of(post, table, post.people.holders(table.game)) if post else {}
        found["until"] = {seat: end.isoformat() for seat, end in until.items()}
    return found


def wait_text(row: Mapping[str, Any]) -> str:
    """The wait in words: how many have answered, and until when there is time."""
    answered, until = row.get("answered"), row.get("until")
    told = [f"{answered['n']} of {answered['of']} answered"] if answered and answered["n"] else []
    if until:
        told.append(f"until {min(until.values())[:16].replace('T', ' ')} UTC")
    return ", ".join(told)


def game_row(repo: GameRepo, post: MailFolder | None = None) -> dict[str, Any]:
    """The row of a game, with what is wrong with its position. Raises StoreError without a repository."""
    row = damaged_row(repo.name)
    try:
        stored = StoredGame.read_public(repo)
        table = stored.table
        row |= {"kind": table.kind, "status": str(table.status), "changed": table.changed.isoformat()}
        row |= wait_data(table, post)
        row["players"] = {seat.seat: seat.name for seat in table.seats}
        if stored.game:
            game = find_game(table.kind)
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
