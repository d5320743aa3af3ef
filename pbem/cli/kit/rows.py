"""One stored game as a row, from public facts only: for `pbem list` and `pbem watch`."""

from __future__ import annotations

from typing import Any

from engine.errors import PositionError
from engine.game import find
from pbem.host.people import People, PeopleError
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.trouble import StoreError


def is_over(row: dict[str, Any]) -> bool:
    """Whether nobody is waited for any more."""
    return row["status"] in ("ended", "abandoned")


def bouncing(people: People, name: str) -> str:
    """Whose mail of a game comes back, in words; empty when nobody's does."""
    try:
        found = [f"{one.seat} ({one.unreachable})" for one in people.holders(name) if one.unreachable]
    except (PeopleError, LookupError, OSError):
        return ""
    return f"no mail reaches {', '.join(found)}" if found else ""


def damaged(name: str, says: object = "") -> dict[str, Any]:
    """The row of a game that cannot be read; `says` tells why."""
    return {"game": name, "status": "damaged", "heading": str(says), "players": {}, "waiting_for": [], "changed": ""}


def row_of(repo: GameRepo) -> dict[str, Any]:
    """One game as a row; what is wrong with its position is told in the row. Raises StoreError without a repository."""
    row = damaged(repo.name)
    try:
        stored = Stored.read_public(repo)
        table = stored.table
        row |= {"kind": table.kind, "status": str(table.status), "changed": table.changed.isoformat()}
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
    return row
