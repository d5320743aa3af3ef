"""`pbem list`: the games of a host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import paper
from pbem.cli.outcome import Call, json_option, print_json

if TYPE_CHECKING:
    from pbem.host.people import People
    from pbem.store.games import GameStore
    from pbem.store.repo import GameRepo


@click.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only games that are not over.")
@json_option
@click.pass_obj
def command(call: Call, only_open: bool, as_json: bool) -> None:
    """List the games of this host.

    Where each stands, whom it waits for, and whose mail comes back. A game that cannot be read is listed as such;
    `pbem fsck` says more.
    """
    from pbem.host.people import People

    store, people = call.store(), People(call.config().mail)
    rows = [row_of(store, people, name) for name in store.names()]
    if only_open:
        rows = [row for row in rows if not _is_over(row)]
    if as_json:
        print_json(rows)
        return
    head = ("game", "status", "where", "players", "waits for", "since", "trouble")
    paper.print_table(
        head,
        [
            (
                row["game"],
                row["status"],
                row["heading"],
                ", ".join(row["players"].values()),
                ", ".join(row["players"].get(seat, seat) for seat in row["waiting_for"]),
                row["changed"][:16].replace("T", " "),
                row["trouble"],
            )
            for row in rows
        ],
    )
    if not rows:
        paper.warn(f"There are no games in {store.root}; `pbem new` opens one.")


def _is_over(row: dict[str, Any]) -> bool:
    return row["status"] in ("ended", "abandoned")


def bouncing(people: People, name: str) -> str:
    """Whose mail of a game comes back, in words; empty when nobody's does."""
    from pbem.host.people import PeopleError

    try:
        found = [f"{one.seat} ({one.unreachable})" for one in people.holders(name) if one.unreachable]
    except (PeopleError, LookupError, OSError):
        return ""
    return f"no mail reaches {', '.join(found)}" if found else ""


def row_of(store: GameStore, people: People, name: str) -> dict[str, Any]:
    """One game as a row, with whose mail comes back; whatever is wrong with it is told in the row."""
    from pbem.store.trouble import StoreError

    try:
        row = told(store.open(name))
    except StoreError as odd:
        row = _blank(name) | {"heading": str(odd)}
    return row | {"trouble": "" if _is_over(row) else bouncing(people, name)}


def _blank(name: str) -> dict[str, Any]:
    return {"game": name, "status": "damaged", "heading": "", "players": {}, "waiting_for": [], "changed": ""}


def told(repo: GameRepo) -> dict[str, Any]:
    """One game as a row, from public facts only."""
    from engine.errors import PositionError
    from engine.game import find
    from pbem.store.stored import Stored
    from pbem.store.trouble import StoreError

    row = _blank(repo.name)
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
