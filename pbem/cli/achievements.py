"""`pbem achievements`: what people have achieved over all their games at this host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from engine.game import AnyGame, games
from pbem.cli.kit import console
from pbem.cli.kit.call import Call, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import store_of
from pbem.host.achievement_book import Achievements


@click.command("achievements")
@click.option("--recount", is_flag=True, help="Write the book anew from every stored game first.")
@json_option
@click.pass_obj
def command(call: Call, recount: bool) -> None:
    """Show what people have achieved.

    Over all games of this host that are over; who is who goes by registered addresses, which are not shown. With
    --recount the book is made again from the games, after some were imported or removed, or addresses changed.
    """
    store_of(call)
    with open_host(call) as service:
        book = service.desk.services.achievements
        if recount:
            over = book.recount()
            console.warn(f"counted again: {over} games that are over")
        rows = _rows(book)
    print_answer(rows, _print)


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        reached = [one for one in row["achievements"] if one["games"]]
        if not reached:
            continue
        earned = sum(one["earned"] for one in reached)
        console.title(f"{row['name']}, {row['title']}: {earned} of {len(row['achievements'])} earned")
        console.print_table(
            ("achievement", "games", "needed", "earned"),
            [(one["title"], one["games"], one["times"], "yes" if one["earned"] else "") for one in reached],
        )
    if not any(one["games"] for row in rows for one in row["achievements"]):
        console.warn("Nobody has achieved anything yet; games that are over count.")


def _rows(book: Achievements) -> list[dict[str, Any]]:
    """A row for each person and each game that has achievements."""
    rules = [game for _, game in sorted(games().items()) if game.reference.achievements]
    return [
        {"name": name, "kind": game.kind, "title": game.title, "achievements": _reached(book, game, addresses)}
        for name, addresses in book.everybody()
        for game in rules
    ]


def _reached(book: Achievements, game: AnyGame, addresses: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "id": one.of.id, "title": str(one.of.text.title), "games": one.games, "times": one.of.times,
            "earned": one.earned,
        }
        for one in book.reached(game, addresses)
    ]  # fmt: skip
