"""The engine beside programs that many know: `python -m tests.bench beside`.

Recorded orders, which are canonical lines, are read and applied; beside them moves of recorded games go through
boardgame.io's client (`npm install --prefix tests/client`; node). Random games with the options of each decision
listed stand beside OpenSpiel's backgammon with its legal actions listed, a rules engine in C++ (extra `bench`). What is
not installed is left out. Seconds are the processor's; runs take turns, and the best counts.
"""

from __future__ import annotations

import importlib
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from engine.chance import SeededChance
from engine.game import Seat, find_game

CLIENT = Path(__file__).parents[1] / "client"
ROUNDS, GAMES = 4, 10
TABLES = {"troyes": ("troyes", 3), "dice": ("troyes-dice", 1)}
"""Game and players whose orders are recorded."""
BOARDGAME, BACKGAMMON, LISTED = "boardgame.io", "backgammon", "listed"


def rates() -> dict[str, float]:
    """Orders, moves or decisions a second of what could be measured, by its name."""
    work: dict[str, Callable[[], float]] = {LISTED: _listed}
    for name, (kind, players) in TABLES.items():
        work[name] = partial(_again, kind, [_recorded(kind, players, seed) for seed in range(GAMES)])
    if find_spec("pyspiel") is not None:
        work[BACKGAMMON] = _backgammon
    if shutil.which("node") is not None and (CLIENT / "node_modules").is_dir():
        work[BOARDGAME] = _boardgame
    best = dict.fromkeys(work, 0.0)
    for _ in range(ROUNDS):
        for name, run in work.items():
            best[name] = max(best[name], run())
    return best


def _begun(kind: str, players: int, seed: int) -> tuple[Any, Any, SeededChance]:
    game, chance = find_game(kind), SeededChance(seed.to_bytes(8, "big"), [], "beside")
    seats = {Seat(name): name.title() for name in islice(("anna", "faye", "geoffrey", "emily"), players)}
    return game, game.start(seats, game.settle_options(players, {}), chance).state, chance


def _recorded(kind: str, players: int, seed: int) -> tuple[Any, SeededChance, list[tuple[str, str]]]:
    """A random game: its first position, its chance, and every order as its line, with whose it is."""
    game, first, chance = _begun(kind, players, seed)
    rng, state, lines = random.Random(seed), first, list[tuple[str, str]]()
    while waiting := [asked for asked in game.waiting(state) if not asked.answered]:
        seat = waiting[0].seat
        lines.append((seat, next(iter(game.reference.every(state, seat, [rng.getrandbits(30) for _ in range(64)])))))
        state = game.apply(state, seat, game.read(state, *lines[-1]).order, chance).state
    return first, chance, lines


def _again(kind: str, recorded: list[tuple[Any, SeededChance, list[tuple[str, str]]]]) -> float:
    """Orders a second, read and applied once more."""
    game, began = find_game(kind), time.process_time()
    for state, chance, lines in recorded:
        for seat, line in lines:
            state = game.apply(state, seat, game.read(state, seat, line).order, chance).state
    return sum(len(lines) for *_, lines in recorded) / (time.process_time() - began)


def _listed() -> float:
    """Decisions a second of random games of three, the options of each listed."""
    decisions, began = 0, time.process_time()
    for seed in range(GAMES):
        game, state, chance = _begun("troyes", 3, seed)
        rng = random.Random(seed)
        while waiting := [asked for asked in game.waiting(state) if not asked.answered]:
            seat = waiting[0].seat
            game.offers(state, seat)
            line = next(iter(game.reference.every(state, seat, [rng.getrandbits(30) for _ in range(64)])))
            state = game.apply(state, seat, game.read(state, seat, line).order, chance).state
            decisions += 1
    return decisions / (time.process_time() - began)


def _backgammon() -> float:
    """The same of backgammon."""
    game, rng = importlib.import_module("pyspiel").load_game("backgammon"), random.Random(1)
    decisions, began = 0, time.process_time()
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return decisions / (time.process_time() - began)


def _boardgame() -> float:
    """Moves a second of boardgame.io's client."""
    told = subprocess.run(["node", str(CLIENT / "moves.js")], capture_output=True, text=True, check=True, cwd=CLIENT)
    return float(told.stdout)
