"""Tunes the weights of a game's estimate by play: `python -m tests.tune KIND MINUTES [NAME=VALUE]...`, from one seed.

A few weights at a time are changed by chance; what scores more on some seeds is tried once more on others, and kept if
it holds. Where several play, one seat with the changed weights sits among others with the old ones. Prints each step
that was kept, and at the end the weights. Takes one core.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from engine.chance import Derived
from engine.game import Seat, find
from engine.kit.box.tables import read_tables
from engine.troyes.moves.options.estimate import _weights
from engine.troyes_dice.moves.estimate import forget

PLACES = {"troyes": "engine.troyes.moves.options", "troyes-dice": "engine.troyes_dice.moves"}
Table = dict[str, Any]


class Tuner:
    """One game, its options, and the weights as they stand."""

    def __init__(self, kind: str, options: Mapping[str, str]) -> None:
        self.game = find(kind)
        players = int(options.get("players", "3" if kind == "troyes" else "1"))
        self.seats = [Seat(f"s{at}") for at in range(players)]
        chosen = {name: value for name, value in options.items() if name != "players"}
        self.options = self.game.settle_options(players, chosen)
        self.live: Table = read_tables(PLACES[kind], "weights")

    def use(self, table: Table) -> None:
        """Let these weights count from now on."""
        if self.live != table:
            self.live.clear()
            self.live.update(deepcopy(table))
            _weights.cache_clear()
            forget()

    def margin(self, changed: Table, kept: Table, seed: int) -> float:
        """How much more the seat with changed weights has than the others on average; alone, its points."""
        mine = self.seats[seed % len(self.seats)]
        chance = Derived(f"tune {seed // len(self.seats)}".encode(), (), "tune")
        state = self.game.start({seat: seat for seat in self.seats}, self.options, chance).state
        while asked := [one for one in self.game.waiting(state) if not one.answered]:
            self.use(changed if asked[0].seat == mine else kept)
            order = self.game.thinking.ranked(state, asked[0].seat)[0][0]
            state = self.game.apply(state, asked[0].seat, order, chance).state
        ending = self.game.result(state)
        assert ending is not None
        others = [total for seat, total in ending.totals.items() if seat != mine]
        return ending.totals[mine] - (statistics.mean(others) if others else 0.0)

    def better(self, changed: Table, kept: Table, seeds: range) -> tuple[float, float]:
        """The mean gain of changed weights, and its standard error."""
        alone = len(self.seats) == 1
        gains = []
        for seed in seeds:
            gain = self.margin(changed, kept, seed)
            gains.append(gain - (self.margin(kept, kept, seed) if alone else 0.0))
        return statistics.mean(gains), statistics.stdev(gains) / len(gains) ** 0.5


def changed(table: Table, rng: random.Random) -> Table:
    """The weights with some of them multiplied; what is 0 as if it were 0.1."""
    found = deepcopy(table)
    for name in rng.sample(sorted(found), rng.choice((1, 1, 2, 3))):
        by = rng.choice((0.6, 0.75, 1.3, 1.6))
        row = found[name]
        if isinstance(row, list):
            at = rng.randrange(len(row))
            row[at] = round((row[at] or 0.1) * by, 3)
        else:
            found[name] = round((row or 0.1) * by, 3)
    return found


def main(kind: str, minutes: str, *options: str) -> None:
    """Tune for so many minutes."""
    tuner, rng = Tuner(kind, dict(pair.split("=", 1) for pair in options)), random.Random(1)
    kept, until, seed, tried = deepcopy(tuner.live), time.monotonic() + 60 * float(minutes), 0, 0
    while time.monotonic() < until:
        other = changed(kept, rng)
        few, many = range(seed, seed + 60), range(seed + 60, seed + 180)
        tried += 1
        seed += 180
        gain, error = tuner.better(other, kept, few)
        if gain < 0.5 * error:
            continue
        gain, error = tuner.better(other, kept, many)
        if gain > 1.3 * error:
            told = {name: row for name, row in other.items() if row != kept[name]}
            print(f"{tried}: +{gain:.2f} ± {error:.2f} {told}", flush=True)
            kept = other
    print(f"{tried} tried", kept)


if __name__ == "__main__":
    main(*sys.argv[1:])
