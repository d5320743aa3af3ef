"""`pbem list`: the games of a host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from pbem.cli.kit import console, game_rows
from pbem.cli.kit.call import Call, json_option, print_answer
from pbem.cli.kit.host_access import awaited_option, awaited_seats
from pbem.cli.kit.stored import config_of, store_of
from pbem.host.people import People
from pbem.store.errors import StoreError
from pbem.store.game_store import GameStore


@click.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only games that are not over.")
@awaited_option
@json_option
@click.pass_obj
def command(call: Call, only_open: bool, awaited: bool) -> None:
    """List the games of this host.

    Where each stands, whom it waits for, and whose mail comes back. A game that cannot be read is listed as such;
    `pbem fsck` says more.
    """
    store, people = store_of(call), People(config_of(call).mail)
    with game_rows.open_mail_folder(config_of(call), people) as post:
        rows = [_row(store, people, name, post) for name in store.names()]
    for row in rows if awaited else ():
        if row["status"] == "running":
            row["waiting_for"] = awaited_seats(call, store.open(row["game"]))
    rows = [row for row in rows if not (only_open and game_rows.is_over(row))]
    print_answer(rows, lambda rows: _print(rows, store))


def _row(store: GameStore, people: People, name: str, post: game_rows.MailFolder | None) -> dict[str, Any]:
    try:
        row = game_rows.game_row(repo := store.open(name), post)
        by_hand = game_rows.edited_by_hand(repo)
    except StoreError as odd:
        row, by_hand = game_rows.damaged_row(name, odd), ""
    mails = "" if game_rows.is_over(row) else game_rows.bounce_text(people, name)
    return row | {"trouble": "; ".join(filter(None, (by_hand, mails)))}


def _print(rows: Sequence[dict[str, Any]], store: GameStore) -> None:
    head = ("game", "status", "where", "players", "waits for", "since (UTC)", "wait", "trouble")
    cells = [
        (
            row["game"], row["status"], row["heading"], ", ".join(row["players"].values()),
            ", ".join(row["players"].get(seat, seat) for seat in row["waiting_for"]),
            row["since"][:16].replace("T", " "), game_rows.wait_text(row), row["trouble"],
        )
        for row in rows
    ]  # fmt: skip
    console.print_table(head, cells)
    if not rows:
        console.warn(f"There are no games in {store.root}; `pbem new` opens one.")
