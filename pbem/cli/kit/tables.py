"""What a stored game holds: for `--json`, and for the shell that completes its seats and values."""

from __future__ import annotations

from typing import Any

from pbem.cli.kit.call import Call
from pbem.cli.kit.given import rules_of
from pbem.cli.kit.stored import store_of
from pbem.desk.seated import COMPUTER, level_of
from pbem.store.stored import Stored


def table_data(stored: Stored) -> dict[str, Any]:
    """What a stored game is, for `--json`."""
    table = stored.table
    return {
        "game": table.game,
        "kind": table.kind,
        "status": str(table.status),
        "options": table.options,
        "seats": {row.seat: row.name for row in table.seats},
        "computers": {row.seat: level_of(row).name for row in table.seats if row.by == COMPUTER},
        "commitment": table.commitment,
    }


def seats_there(call: Call, game: str, incomplete: str) -> dict[str, str]:
    """The seats of a game and who holds them, for the shell."""
    return {row.seat: row.name for row in Stored.read_public(store_of(call).open(game)).table.seats}


def paths_there(call: Call, game: str, incomplete: str) -> dict[str, str]:
    """Values that can be set, one level at a time, as a shell completes folders. Secrets are not opened for it."""
    stored = Stored.read_public(store_of(call).open(game))
    rules = rules_of(stored.table.kind)
    dots = {path: path.find(".", len(incomplete)) for path in rules.moderation.settable(rules.load(stored.game, {}))}
    return {path if dot < 0 else path[: dot + 1]: "" for path, dot in dots.items() if path.startswith(incomplete)}
