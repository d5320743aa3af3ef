"""`pbem log`: what happened in a game, from its public history."""

from __future__ import annotations

import click

from pbem.cli import paper
from pbem.cli.outcome import Call
from pbem.cli.outcome import json_option
from pbem.cli.outcome import print_json


@click.command("log")
@click.argument("game")
@click.option("-n", "--number", type=click.IntRange(min=1), help="How many, from the last one back.")
@json_option
@click.pass_obj
def command(call: Call, game: str, number: int | None, as_json: bool) -> None:
    """List what happened in a game, the newest first.

    One line per commit: its step, its time, its id, and what everybody may know of it. The number of the step is what
    `pbem rollback --to` takes.
    """
    commits = list(call.game(game).log(number))
    if as_json:
        print_json(
            [
                {
                    "step": int(one.trailers.get("Record", "0")),
                    "commit": one.id,
                    "at": one.at.isoformat(),
                    "says": one.subject,
                    "trailers": dict(one.trailers),
                }
                for one in commits
            ]
        )
        return
    rows = [
        (one.trailers.get("Record", ""), one.at.strftime("%Y-%m-%d %H:%M"), one.id[:10], one.subject) for one in commits
    ]
    paper.print_table(("step", "time (UTC)", "commit", "what"), rows)
