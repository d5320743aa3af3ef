"""Learns the weights of Troyes from games that it plays itself: `python -m tests.tools.learn_troyes [GAMES] [LAPS] [FIRST]`,
six minutes a lap and more, on one core, from the weights that stand there; the number of a lap is its seed.

Every seat takes what promises most by weights of its own: those that are played by, each multiplied by chance. By how
much a seat ends before the others is then laid on what its weights differ by from theirs (least squares, all weights at
once: a response surface; Box and Wilson, 1951; as evolution strategies do, Salimans and others, 2017), and the weights
move that way, each no further than its slope is sure. Prints the slopes of each lap, and at the end the table.
Needs NumPy, which comes with the extra `dev`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from engine.chance import SeededChance
from engine.game import Seat, find_game
from engine.kit.card_data.tables import read_tables
from engine.troyes.options.estimate import BY_ROUND, Weights, read_weights

SPREAD = 0.45
"""How far the weights of a seat are from those that are played by: the standard deviation of their logarithms."""
STEP, FARTHEST = 0.2, 0.35
"""How far the logarithm of a weight moves for a point of slope that is sure, and at most in a lap."""
TABLES: tuple[tuple[int, Mapping[str, str]], ...] = (
    (3, {}),
    (3, {"ladies": "all"}),
    (3, {"bonus": "yes"}),
    (3, {}),
    (3, {"ladies": "all"}),
    (4, {"bonus": "yes"}),
    (3, {}),
    (2, {}),
)
"""Players and options, in turn."""
FIXED = ("ahead", "enough")
"""What is the same whatever is done, and what is no worth."""
Name = tuple[str, int]
"""A weight and its place in its list."""
Table = dict[str, Any]


def names(table: Table) -> list[Name]:
    """All that is learnt."""
    return [(name, at) for name, row in table.items() if name not in FIXED for at in range(_long(row))]


def _long(row: float | list[float]) -> int:
    return len(row) if isinstance(row, list) else 1


def moved(table: Table, by: Mapping[Name, float]) -> Table:
    """The weights with the logarithms of some moved."""
    found = deepcopy(table)
    for (name, at), shift in by.items():
        if isinstance(found[name], list):
            found[name][at] *= np.exp(shift)
        else:
            found[name] *= np.exp(shift)
    return found


def sets(table: Table) -> list[Weights]:
    """The weights of each number of rounds to come."""
    return [read_weights(table, left) for left in range(9)]


def margins(seed: str, players: int, options: Mapping[str, str], by_seat: list[list[Weights]]) -> list[float]:
    """A game in which each seat takes what promises most by its own weights: by how much each is before the others."""
    game, chance = find_game("troyes"), SeededChance(seed.encode(), (), "learn")
    seats = [Seat(f"s{at}") for at in range(players)]
    state = game.start({seat: seat for seat in seats}, game.settle_options(players, options), chance).state
    while (asked := game.thinking.asked(state)) is not None:
        BY_ROUND[:] = by_seat[int(asked[0][1:])]
        state = game.thinking.after(state, asked[0], game.thinking.ranked(state, asked[0])[0][0], chance)
    ending = game.result(state)
    assert ending is not None
    points = [ending.totals[seat] for seat in seats]
    return [(players * mine - sum(points)) / (players - 1) for mine in points]


def lap(table: Table, number: int, games: int) -> tuple[list[Name], np.ndarray, np.ndarray]:
    """The slopes of the margin in the logarithm of each weight, and their standard errors."""
    known, rng = names(table), random.Random(number)
    rows, gains = [], []
    for n in range(games):
        players, options = TABLES[n % len(TABLES)]
        shifts = [[rng.gauss(0.0, SPREAD) for _ in known] for _ in range(players)]
        by_seat = [sets(moved(table, dict(zip(known, shift, strict=True)))) for shift in shifts]
        found = margins(f"{number} {n}", players, options, by_seat)
        middle = np.mean(shifts, axis=0)
        for shift, gain in zip(shifts, found, strict=True):
            rows.append((np.array(shift) - middle) * players / (players - 1))
            gains.append(gain)
    laid, brought = np.array(rows), np.array(gains)
    inverse = np.linalg.inv(laid.T @ laid + np.eye(len(known)))
    slopes = inverse @ (laid.T @ brought)
    off = np.std(brought - laid @ slopes)
    return known, slopes, off * np.sqrt(np.diag(inverse))


def laps(games: int, numbers: range, table: Table) -> Iterator[Table]:
    """The weights after each lap."""
    for number in numbers:
        known, slopes, errors = lap(table, number, games)
        sure = slopes * np.maximum(0.0, 1 - (errors / slopes) ** 2)
        shifts = np.clip(STEP * sure, -FARTHEST, FARTHEST)
        told = sorted(zip(known, slopes, errors, strict=True), key=lambda row: -abs(row[1] / row[2]))
        print(f"lap {number + 1}:", *(f"{a}{b}:{s:+.2f}±{e:.2f}" for (a, b), s, e in told[:24]), flush=True)
        table = moved(table, dict(zip(known, shifts, strict=True)))
        yield table


def told(table: Table) -> str:
    """The table as it is written."""
    return "\n".join(
        f"{name} = {[round(float(one), 3) for one in row] if isinstance(row, list) else round(float(row), 3)}"
        for name, row in table.items()
    )


def main(games: str = "1500", count: str = "4", first: str = "0") -> None:
    """Learn, and print the weights."""
    for table in laps(int(games), range(int(first), int(first) + int(count)), deepcopy(read_tables("engine.troyes.options", "weights"))):
        print(told(table), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
