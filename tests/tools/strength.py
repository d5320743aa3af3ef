"""How good the levels are: `make arena` lets them play and prints rows like those of README's «How good are they?».

Every row is an arena of its own (`pbem.tournament`) with its own number of games and one seed for all; it is printed as soon as
it is played, with the processor time that it took, so that a run can be stopped. ARGS: `--workers N`, `--seed N`,
`--share 0.1` for a tenth of the games, `--only WORD` for the rows that name it.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import stdev
from typing import Any

from engine.game import find_game
from pbem.tournament import Z_95, Contest, GameScores, play_contest, results_table
from tests.tools import first_version

NUMBERS = {2: "two", 3: "three"}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the first level against the others, or alone."""

    title: str
    kind: str
    levels: tuple[str, ...]
    games: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def who(self) -> str:
        """Who plays, in words."""
        one, *others = self.levels
        return f"`{one}` against {NUMBERS.get(len(others), len(others))} `{others[0]}`" if others else f"`{one}`"


BASE, LADIES, ALONE = "Troyes, 3 players", "Troyes with all of the Ladies, 3 players", "Troyes Dice, alone"
KING, ALL = "The King's Challenge, against le Roy", {"ladies": "all"}
ROWS = (
    Row(BASE, "troyes", ("novice", "random", "random"), 200),
    Row(BASE, "troyes", ("novice", "first", "first"), 200),
    Row(BASE, "troyes", ("novice", first_version.NAME, first_version.NAME), 200),
    Row(ALONE, "troyes-dice", ("random",), 200),
    Row(ALONE, "troyes-dice", ("first",), 200),
    Row(ALONE, "troyes-dice", ("novice",), 200),
    Row(LADIES, "troyes", ("novice", "random", "random"), 100, ALL),
    Row(KING, "troyes", ("strong:20",), 100),
    Row(ALONE, "troyes-dice", ("strong:90",), 200),
    Row(LADIES, "troyes", ("steady", "novice", "novice"), 100, ALL),
    Row(BASE, "troyes", ("steady", "novice", "novice"), 200),
    Row(BASE, "troyes", ("strong:100", "steady", "steady"), 45),
    Row(LADIES, "troyes", ("strong:60", "steady", "steady"), 24, ALL),
    Row(ALONE, "troyes-dice", ("steady",), 87),
)
"""The quickest first."""


def told(row: Row, games: Sequence[GameScores], found: Mapping[str, Any], seconds: float) -> str:
    """A row in Markdown: the first level's share of wins and its mean, both with 95 %; the mean of the others."""
    one, *others = found["levels"]
    points = [game[0].points for game in games]
    off = Z_95 * stdev(points) / len(points) ** 0.5 if len(points) > 1 else 0.0
    wins, mean = "", f"{one['mean']:.1f} ± {off:.1f}"
    if others or row.title == KING:
        wins = f"{one['wins']:.0%} ({one['low']:.0%} to {one['high']:.0%})"
    if others:
        mean += f" against {sum(other['mean'] for other in others) / len(others):.1f}"
    return f"| {row.title} | {row.who} | {len(games)} | {wins} | {mean} | {seconds / 60:.1f} min |"


def spent() -> float:
    """Seconds that this process and those that it has waited for have had of a processor."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main(words: Sequence[str] | None = None) -> None:
    """Play the rows that were asked for."""
    reader = argparse.ArgumentParser(prog="make arena")
    reader.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--share", type=float, default=1.0)
    reader.add_argument("--only", default="")
    asked = reader.parse_args(words)
    print("| game | who | games | wins (95 %) | mean VP (± 95 %) | processor time |\n|---|---|---|---|---|---|", flush=True)
    begun = time.monotonic()
    for row in ROWS:
        if asked.only not in f"{row.title} {row.who}":
            continue
        rules, since = find_game(row.kind), spent()
        games = max(1, round(row.games * asked.share))
        options = rules.settle_options(len(row.levels), row.options)
        plan = Contest(row.kind, options, row.levels, games, asked.seed)
        if first_version.NAME in row.levels and not first_version.there():
            print(f"| {row.title} | {row.who} | not played: the history here does not reach back to it | | | |")
            continue
        played = list(first_version.games(plan) if first_version.NAME in row.levels else play_contest(plan, asked.workers))
        print(told(row, played, results_table(plan, played), spent() - since), flush=True)
    print(f"\nseed {asked.seed}, {asked.workers} processes, {(time.monotonic() - begun) / 60:.0f} minutes")


if __name__ == "__main__":
    main()
