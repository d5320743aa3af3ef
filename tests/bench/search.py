"""Simulations a second of `strong`, beside OpenSpiel's ISMCTS in Python on gin rummy: `python -m tests.bench search`.

Both search decisions spread over a whole game, each simulation a playout with its own program's usual evaluator: ours to
the end of the round or of the next day with the order that promises most, OpenSpiel's to the end of the game with any
legal action, played by a rules engine in C++. OpenSpiel comes with the extra `bench`; without it ours stand alone.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any

from engine.chance import SeededChance, SubStream
from engine.game import Seat, find_game
from engine.levels import Strong, find_level

SIMULATIONS, ROUNDS = 40, 3
"""A decision, and how often all of it is done: the best counts."""
TABLES: Mapping[str, tuple[str, int, int]] = {
    "troyes, three players": ("troyes", 3, 11),
    "troyes dice, alone": ("troyes-dice", 1, 3),
}
"""Game, players, and of how many decisions one is searched."""
GIN = "gin rummy, ISMCTS of OpenSpiel in Python"


def rates() -> dict[str, float]:
    """What is searched, and its simulations a second; gin rummy where OpenSpiel is there."""
    work: dict[str, Callable[[], tuple[int, float]]] = {}
    if find_spec("pyspiel") is not None:
        work[GIN] = _gin_rummy
    for title, (kind, players, every) in TABLES.items():
        work[title] = partial(_searched, list(_decisions(kind, players, every)))
    best = dict.fromkeys(work, 0.0)
    for _ in range(ROUNDS):
        for title, run in work.items():
            simulations, seconds = run()
            best[title] = max(best[title], simulations / seconds)
    return best


def _decisions(kind: str, players: int, every: int) -> Iterator[tuple[Any, Any, str]]:
    """Positions of a game of novices, each with a seat that is asked."""
    game, chance, own = find_game(kind), SeededChance(b"search", (), "game"), SeededChance(b"search", (), "own")
    seats = {Seat(f"seat{at}"): str(at) for at in range(players)}
    state = game.start(seats, game.settle_options(players, {}), chance).state
    number = 0
    while (asked := game.thinking.asked(state)) is not None:
        if number % every == every // 2:
            yield game, state, asked[0]
        order = find_level("novice").consider(game, state, asked[0], SubStream(own, str(number)))[0][0]
        state = game.apply(state, asked[0], order, chance).state
        number += 1


def _searched(decisions: list[tuple[Any, Any, str]]) -> tuple[int, float]:
    """Simulations, and seconds of the processor."""
    done, began = 0, time.process_time()
    for game, state, seat in decisions:
        if len(game.thinking.ranked(state, seat)) > 1:
            Strong(SIMULATIONS).consider(game, state, seat, SeededChance(b"search", (), "bench"))
            done += SIMULATIONS
    return done, time.process_time() - began


def _gin_rummy() -> tuple[int, float]:
    """The same of gin rummy, with OpenSpiel's bot as it comes: of eight decisions one is searched."""
    pyspiel, numpy = importlib.import_module("pyspiel"), importlib.import_module("numpy")
    ismcts = importlib.import_module("open_spiel.python.algorithms.ismcts")
    mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
    game, rng = pyspiel.load_game("gin_rummy"), random.Random(1)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=numpy.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, SIMULATIONS, random_state=numpy.random.RandomState(2))
    state, done, seconds, number = game.new_initial_state(), 0, 0.0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
            continue
        actions = state.legal_actions()
        if len(actions) > 1 and number % 8 == 4:
            began = time.process_time()
            bot.step(state)
            seconds += time.process_time() - began
            done += SIMULATIONS
        state.apply_action(rng.choice(actions))
        number += 1
    return done, seconds
