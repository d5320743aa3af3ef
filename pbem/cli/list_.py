"""`pbem list`: the games of a host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from pbem.cli.kit import paper
from pbem.cli.kit.call import Call, answer, json_option
from pbem.cli.kit.rows import MailFolder, bouncing, damaged, edited, is_over, post_of, row_of, until_told
from pbem.cli.kit.services import awaited as seats_awaited
from pbem.cli.kit.services import awaited_option
from pbem.cli.kit.stored import config_of, store_of
from pbem.host.people import People
from pbem.store.games import GameStore
from pbem.store.trouble import StoreError


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
    with post_of(config_of(call), people) as post:
        rows = [_row(store, people, name, post) for name in store.names()]
    for row in rows if awaited else ():
        if row["status"] == "running":
            row["waiting_for"] = seats_awaited(call, store.open(row["game"]))
    rows = [row for row in rows if not (only_open and is_over(row))]
    answer(rows, lambda rows: _print(rows, store))


def _row(store: GameStore, people: People, name: str, post: MailFolder | None) -> dict[str, Any]:
    try:
        row = row_of(repo := store.open(name), post)
        by_hand = edited(repo)
    except StoreError as odd:
        row, by_hand = damaged(name, odd), ""
    mails = "" if is_over(row) else bouncing(people, name)
    return row | {"trouble": "; ".join(filter(None, (by_hand, mails)))}


def _print(rows: Sequence[dict[str, Any]], store: GameStore) -> None:
    head = ("game", "status", "where", "players", "waits for", "since (UTC)", "wait", "trouble")
    cells = [
        (
            row["game"], row["status"], row["heading"], ", ".join(row["players"].values()),
            ", ".join(row["players"].get(seat, seat) for seat in row["waiting_for"]),
            row["since"][:16].replace("T", " "), until_told(row), row["trouble"],
        )
        for row in rows
    ]  # fmt: skip
    paper.print_table(head, cells)
    if not rows:
        paper.warn(f"There are no games in {store.root}; `pbem new` opens one.")
