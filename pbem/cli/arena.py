"""`pbem arena`: computer players of several levels against each other."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Any

import click

from engine.errors import NotAllowed
from engine.game import games as kinds
from engine.levels import find_level
from pbem.cli.kit import console
from pbem.cli.kit.arguments import GameCommand, chosen_options, rules_of
from pbem.cli.kit.call import USAGE, CommandEnd, error_text, json_option, print_answer
from pbem.tournament import Contest, connect_cluster, play_contest, play_on_cluster, results_table


@click.command("arena", cls=GameCommand)
@click.argument("pairs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--game", "kind", default="", help="Which game; the first one there is, if left out.")
@click.option("--levels", required=True, help="A level for each seat, such as steady,novice,novice.", metavar="LEVELS")
@click.option("--games", "count", type=click.IntRange(1), default=60, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--workers", type=click.IntRange(1), default=None, help="Processes; as many as there are cores.")
@click.option("--scheduler", default="", metavar="ADDRESS", help="Play on the Dask cluster of that scheduler instead.")
@json_option
def command(
    pairs: tuple[str, ...], kind: str, levels: str, count: int, seed: int, workers: int | None, scheduler: str,
    **flags: Any,
) -> None:  # fmt: skip
    """Let computer players of several levels play against each other.

    Seats are rotated, and the same dice come to every rotation. Prints for each level its share of wins with the 95 %
    interval (Wilson), its mean points, its mean margin over the others, and its seconds a decision. Beside the levels
    of a table there are the yardsticks first (always the first option of the list) and random (any legal order).
    A cluster plays the same games: the same seed gives the same results. It needs the extra troyes-by-mail[arena].
    """
    if workers and scheduler:
        raise CommandEnd("--workers counts processes of this machine, and with --scheduler none plays here", USAGE)
    rules = rules_of(kind or min(kinds()))
    try:
        names = tuple(find_level(name).name for name in levels.split(","))
        options = rules.settle_options(len(names), chosen_options(flags, pairs))
    except NotAllowed as odd:
        raise CommandEnd(error_text(odd), USAGE) from None
    plan = Contest(rules.kind, options, names, count, seed)
    with ExitStack() as held:
        if scheduler:
            playing = play_on_cluster(plan, held.enter_context(connect_cluster(scheduler)))
        else:
            playing = play_contest(plan, workers or os.cpu_count() or 1)
        bar = held.enter_context(click.progressbar(playing, length=count, label="games", file=sys.stderr))
        games = list(bar)
    print_answer(results_table(plan, games), _print)


def _print(found: dict[str, Any]) -> None:
    rows = [
        (
            row["level"], f"{row['wins']:.1%}", f"{row['low']:.1%} to {row['high']:.1%}", f"{row['mean']:.1f}",
            f"{row['margin']:+.1f}", f"{row['seconds_per_decision']:.3f} s",
        )
        for row in found["levels"]
    ]  # fmt: skip
    console.title(f"{found['games']} games, seed {found['seed']}")
    console.print_table(("level", "wins", "95 %", "mean", "margin", "a decision"), rows)
