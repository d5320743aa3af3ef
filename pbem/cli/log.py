"""`pbem log`: what happened in a game, from its public history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import paper
from pbem.cli.outcome import Call, json_option, print_json

if TYPE_CHECKING:
    from pbem.store.repo import GameRepo


@click.command("log")
@click.argument("game")
@click.option("-n", "--number", type=click.IntRange(min=1), help="How many, from the last one back.")
@json_option
@click.pass_obj
def command(call: Call, game: str, number: int | None, as_json: bool) -> None:
    """List what happened in a game, the newest first.

    One line per commit: its step, its time, its id, what everybody may know of it, and whether it was taken back. The
    number of the step is what `pbem rollback --to` takes.
    """
    repo = call.game(game)
    commits, gone = list(repo.log(number)), _taken_back(repo)
    if as_json:
        print_json(
            [
                {
                    "step": int(one.trailers.get("Record", "0")),
                    "commit": one.id,
                    "at": one.at.isoformat(),
                    "says": one.subject,
                    "taken_back": int(one.trailers.get("Record", "0")) in gone,
                    "trailers": dict(one.trailers),
                }
                for one in commits
            ]
        )
        return
    rows = [
        (
            one.trailers.get("Record", ""),
            one.at.strftime("%Y-%m-%d %H:%M"),
            one.id[:10],
            f"taken back: {one.subject}" if int(one.trailers.get("Record", "0")) in gone else one.subject,
        )
        for one in commits
    ]
    paper.print_table(("step", "time (UTC)", "commit", "what"), rows)


def _taken_back(repo: GameRepo) -> frozenset[int]:
    """The steps of which nothing counts any more, from what the table can see; none where the records are damaged."""
    from engine.errors import PositionError
    from pbem.desk.undo import undone
    from pbem.store.record import records
    from pbem.store.trouble import StoreError

    try:
        return undone(tuple(records(repo, secret=False)))
    except (PositionError, StoreError):
        return frozenset()
