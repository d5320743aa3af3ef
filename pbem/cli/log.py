"""`pbem log`: the public history of a game."""

from __future__ import annotations

import click

from engine.errors import PositionError
from pbem.cli.kit import console
from pbem.cli.kit.call import Call, json_option, print_answer
from pbem.cli.kit.stored import GAME, game_of
from pbem.desk.core.undo import undone_records
from pbem.store.commit_record import read_records
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.history import Commit


@click.command("log")
@click.argument("game", type=GAME)
@click.option("-n", "--number", type=click.IntRange(min=1), help="How many, from the last one back.")
@json_option
@click.pass_obj
def command(call: Call, game: str, number: int | None) -> None:
    """List what happened in a game, the newest first.

    One line per commit: its step, its time, its id, what everybody may know of it, and whether it was taken back. The
    number of the step is what `pbem rollback --to` takes.
    """
    repo = game_of(call, game)
    commits, gone = list(repo.log(number)), _taken_back(repo)
    found = [
        {
            "step": _step(one), "commit": one.id, "at": one.at.isoformat(), "says": one.subject,
            "taken_back": _step(one) in gone, "trailers": dict(one.trailers),
        }
        for one in commits
    ]  # fmt: skip
    rows = [
        (
            one.trailers.get("Record", ""), one.at.strftime(console.MINUTES), one.id[:10],
            f"taken back: {one.subject}" if _step(one) in gone else one.subject,
        )
        for one in commits
    ]  # fmt: skip
    print_answer(found, lambda _: console.print_table(("step", "time (UTC)", "commit", "what"), rows))


def _step(commit: Commit) -> int:
    return int(commit.trailers.get("Record", "0"))


def _taken_back(repo: GameRepo) -> frozenset[int]:
    """Steps that were taken back, from public records; none where the records are damaged."""
    try:
        return undone_records(tuple(read_records(repo, secret=False)))
    except (PositionError, StoreError):
        return frozenset()
