"""Learns the weights of Troyes Dice from games that it plays itself: `python -m tests.tools.learn_dice [GAMES] [LAPS]`, seven
minutes and more, on one core, always from the same seeds.

In each lap so many games alone are played by what promises most, and now and then by something else. What each sheet
brought beyond its points is then laid on what is counted of it (`estimate.drawn_counts`) by least squares: the value of a
policy is learnt, and the next lap plays by it (policy iteration; Bertsekas and Tsitsiklis, 1996, chapter 6). New weights
move part of the way, and those of the last laps are taken together, as each lap overshoots. Prints what games without
whims make, and at the end the table. Needs NumPy, which comes with the extra `dev`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

import numpy as np

from engine.chance import SeededChance
from engine.game import Seat, find_game
from engine.kit.card_data.tables import read_tables
from engine.troyes_dice.actions.half_day import plan_half_day
from engine.troyes_dice.actions.scoring import characters
from engine.troyes_dice.card_data.sheet import RESOURCES
from engine.troyes_dice.options import estimate
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import HalfDay

SEAT = Seat("a")
WHIMS, KINDS = 0.12, 5
"""The share of orders that are any of the likeliest kinds, so that more than one way of playing is seen."""
STEP, KEPT = 0.6, 4
"""How far weights move to those of a lap; laps whose games are looked at, and whose weights are taken together."""
RIDGE = 3.0
"""Holds weights small that the games say little of."""
Row = tuple[int, list[float], float]
"""Half days to come after a sheet, what was counted of it, and what it brought beyond its points."""
NAMES = (*estimate.DRAWN, *(f"{resource}_{name}" for resource in RESOURCES for name in estimate.ENOUGH))


def played(seed: str, rng: random.Random | None = None) -> tuple[int, list[Row]]:
    """A game alone: its points, and its sheets. Without `rng` there are no whims."""
    game, sheets = find_game("troyes-dice"), list[tuple[int, list[float], float]]()
    chance = SeededChance(seed.encode(), (), "learn")
    state = game.start({SEAT: "a"}, game.settle_options(1, {}), chance).state
    while game.thinking.asked(state) is not None:
        order = game.thinking.likely(state, SEAT)
        if rng is not None and rng.random() < WHIMS:
            order = rng.choice(game.thinking.groups(state, SEAT)[:KINDS])[0][0]
        if isinstance(order, HalfDay) and plan_half_day(state, SEAT, order).open is None:
            sheets.append(_seen(state, order))
        state = game.thinking.after(state, SEAT, order, chance)
    ending = game.result(state)
    assert ending is not None
    points = ending.totals[SEAT]
    return points, [(left, counts, points - now) for left, counts, now in sheets if left]


def _seen(state: DiceState, order: HalfDay) -> tuple[int, list[float], float]:
    """Half days to come after an order, what is counted of its sheet, and the points that it has."""
    box, sheet = state.box, plan_half_day(state, SEAT, order).sheet
    rests = [sheet.unspent(resource) for resource in RESOURCES]
    left_to_spend = [float(min(rest, most)) for rest in rests for most in estimate.ENOUGH.values()]
    now = sum(characters(box, sheet).values()) + box.citizen_points * sum(sheet.citizens.values())
    counts = [*estimate.drawn_counts(box, sheet), *left_to_spend]
    return 2 * box.days - state.half_day, counts, now + sum(rests) / box.per_point


def fitted(rows: list[Row]) -> dict[str, list[float]]:
    """Weights by name, three each, that fit best."""
    far = np.array([[1.0, left / 16, (left / 16) ** 2] for left, _, _ in rows])
    counts = np.array([counts for _, counts, _ in rows])
    table = (counts[:, :, None] * far[:, None, :]).reshape(len(rows), -1)
    scale = table.std(0) + 1e-9
    scale[:3] = 1.0
    table = table / scale
    held = RIDGE * np.eye(table.shape[1])
    held[:3, :3] *= 1e-3
    brought = np.array([more for _, _, more in rows])
    found = np.linalg.solve(table.T @ table + held, table.T @ brought) / scale
    return {name: [float(one) for one in found[3 * at : 3 * at + 3]] for at, name in enumerate(NAMES)}


def laps(games: int, count: int) -> Iterator[Mapping[str, list[float]]]:
    """The weights after each lap; they are those that are played by."""
    live: dict[str, Any] = read_tables("engine.troyes_dice.options", "weights")
    rng, seen = random.Random(1), list[list[Row]]()
    for lap in range(count):
        seen.append([row for n in range(games) for row in played(f"{lap} {n}", rng)[1]])
        for name, row in fitted([row for rows in seen[-KEPT:] for row in rows]).items():
            live[name] = [old + STEP * (new - old) for old, new in zip(live[name], row, strict=True)]
        estimate._left_to_spend.cache_clear()
        estimate._weights.cache_clear()
        yield {name: row[:] for name, row in live.items() if name in NAMES}


def main(games: str = "1000", count: str = "7") -> None:
    """Learn, and print the weights."""
    found = []
    for weights in laps(int(games), int(count)):
        found.append(weights)
        print(f"lap {len(found)}: {fmean(played(f'test {n}')[0] for n in range(200)):.2f} VP in 200 games", flush=True)
    for name in NAMES:
        means = [fmean(row) for row in zip(*(weights[name] for weights in found[-KEPT:]), strict=True)]
        print(f"{name} = {[round(one, 3) for one in means]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
