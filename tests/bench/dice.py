"""Random games of Troyes Dice a second: `python -m tests.bench dice`.

A random game alone is sixteen orders. «Sampling» picks each order without looking at the others; «all listed» makes
every complete order of each decision with its text, and picks one of them. Both go through `read` and `apply` as a
letter would, entries and all; «rules only» leaves the text out. One core, best of a few runs.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from engine.chance import SeededChance
from engine.game import Seat
from engine.kit.sampling import NumberStream
from engine.troyes_dice.game import TroyesDice
from engine.troyes_dice.options import legal_orders
from engine.troyes_dice.phases import game_flow
from engine.troyes_dice.state.dice_state import DiceState

GAME = TroyesDice()
ME = Seat("me")


def begin(seed: int, **options: str) -> tuple[DiceState, SeededChance]:
    """A game alone at its first half day."""
    chance = SeededChance(str(seed).encode(), (), "bench")
    return GAME.start({ME: "Me"}, GAME.settle_options(1, options), chance).state, chance


def sampled(seed: int, **options: str) -> int:
    """A random game, each order picked without listing the others, in words; gives the orders listed."""
    rng = random.Random(seed)
    state, chance = begin(seed, **options)
    count = 0
    while GAME.waiting(state):
        text = next(GAME.reference.every(state, ME, [rng.getrandbits(30) for _ in range(8)]))
        state = GAME.apply(state, ME, GAME.read(state, ME, text).order, chance).state
        count += 1
    return count


def listed(seed: int, **options: str) -> int:
    """A random game, every complete order of each decision listed in words, one of them taken."""
    rng = random.Random(seed)
    state, chance = begin(seed, **options)
    count = 0
    while GAME.waiting(state):
        texts = list(GAME.reference.every(state, ME))
        count += len(texts)
        state = GAME.apply(state, ME, GAME.read(state, ME, rng.choice(texts)).order, chance).state
    return count


def rules_only(seed: int, **options: str) -> int:
    """A random game without words: orders are values."""
    rng = random.Random(seed)
    state, chance = begin(seed, **options)
    count = 0
    while state.asked:
        order = next(legal_orders.random_order(state, ME, NumberStream([rng.getrandbits(30) for _ in range(8)])))
        state = game_flow.apply_order(state, ME, order, chance).state
        count += 1
    return count


def rate(play: Callable[..., int], games: int, runs: int, **options: str) -> tuple[float, float]:
    """Games a second, the best of `runs`, and orders a game."""
    best, orders = 0.0, 0
    for run in range(runs):
        begun = time.process_time()
        orders = sum(play(1000 * run + seed, **options) for seed in range(games))
        best = max(best, games / (time.process_time() - begun))
    return best, orders / games
