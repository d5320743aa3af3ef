"""`pbem list`: the games of a host."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

import click

from pbem.cli import paper
from pbem.cli.outcome import Call
from pbem.cli.outcome import json_option
from pbem.cli.outcome import print_json

if TYPE_CHECKING:
    from pbem.store.repo import GameRepo


@click.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only games that are not over.")
@json_option
@click.pass_obj
def command(call: Call, only_open: bool, as_json: bool) -> None:
    """List the games of this host.

    Where each stands and whom it waits for. A game that cannot be read is listed as such; `pbem fsck` says more.
    """
    store = call.store()
    rows = [row for name in store.names() if (row := told(store.open(name))) and not (only_open and _is_over(row))]
    if as_json:
        print_json(rows)
        return
    head = ("game", "status", "where", "players", "waits for", "since")
    paper.print_table(
        head,
        [
            (
                row["game"],
                row["status"],
                row["heading"],
                ", ".join(row["players"].values()),
                ", ".join(row["waiting_for"]),
                row["changed"][:16].replace("T", " "),
            )
            for row in rows
        ],
    )
    if not rows:
        paper.warn(f"There are no games in {store.root}; `pbem new` opens one.")


def _is_over(row: dict[str, Any]) -> bool:
    return row["status"] in ("ended", "abandoned")


def told(repo: GameRepo) -> dict[str, Any]:
    """One game as a row, from public facts only."""
    from engine.errors import PositionError
    from engine.game import find
    from pbem.store.stored import Stored
    from pbem.store.trouble import StoreError

    row: dict[str, Any] = {"game": repo.name, "status": "damaged", "heading": "", "players": {}, "waiting_for": []}
    row["changed"] = ""
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
