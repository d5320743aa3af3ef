"""Tournaments of computer players: many whole games on all cores or on a Dask cluster, with statistics.

Levels rotate over the seats: n games for n seats have the same dice, with each level one seat further each time. A game
depends on its seed and number only, not on where it is played.
"""

from __future__ import annotations

import hashlib
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from socket import create_connection
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

import engine
from engine.chance import SeededChance, SubStream
from engine.game import Seat, find_game
from engine.levels import Player, find_level

Z_95 = 1.959964
"""Half the width of the 95 % interval of a normal distribution, in standard deviations."""

ANSWERS_WITHIN = 10
"""Seconds a scheduler may take to answer."""
INSTALL = "a cluster needs Dask, which is not installed; `pip install 'troyes-by-mail[arena]'` installs it"


@dataclass(frozen=True, slots=True)
class Contest:
    """The games to play: settled options, and a level for each seat before rotation."""

    kind: str
    options: Mapping[str, str]
    levels: tuple[str, ...]
    games: int
    seed: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A level's result: share of the win, points, the others' mean points, decisions, seconds of thought."""

    win: float
    points: int
    others: float
    decisions: int
    seconds: float


GameScores = tuple[SeatScore, ...]
"""A game's results, one for each level, in seat order before rotation."""


def play_contest(plan: Contest, workers: int) -> Iterator[GameScores]:
    """Play all games, in order. One worker plays in this process."""
    if workers == 1:
        yield from (play_game(plan, number) for number in range(plan.games))
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _unmoved) as pool:
        try:
            yield from pool.map(play_game, [plan] * plan.games, range(plan.games))
        finally:
            pool.shutdown(cancel_futures=True)


def _unmoved() -> None:
    """Ignore Ctrl-C in a worker: the terminal sends it to every process, and the parent answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class NoCluster(Exception):  # noqa: N818 - a refusal, not a defect
    """No Dask cluster can play; the text says why and what to do."""


def play_on_cluster(plan: Contest, client: Any) -> Iterator[GameScores]:
    """Play the same games in the same order on a `cluster`; games not yet asked for are cancelled at the end."""
    waiting = client.map(play_game, [plan] * plan.games, range(plan.games), pure=False)
    try:
        for game in waiting:
            yield game.result()
    finally:
        client.cancel(waiting)


@contextmanager
def connect_cluster(address: str) -> Iterator[Any]:
    """A client of the Dask cluster whose scheduler listens at `address`. Raises NoCluster."""
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster(INSTALL) from None
    try:
        _greeted(address)
        client = Client(address, timeout=ANSWERS_WITHIN, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as odd:
        says = f"no Dask scheduler answers at {address!r}: {odd}"
        raise NoCluster(f"{says}; one is started by `dask scheduler`, which prints its address") from None
    with client:
        _same_program(client, address)
        yield client


def _greeted(address: str) -> None:
    """Check that a scheduler listens there; it speaks first. Raises OSError, ValueError.

    Dask's client would try a wrong address for long, and for ever where something else listens.
    """
    found = urlsplit(address if "://" in address else f"tcp://{address}")
    if not found.hostname or not found.port:
        raise ValueError("an address has a host and a port, such as tcp://127.0.0.1:8786")
    with create_connection((found.hostname, found.port), ANSWERS_WITHIN) as heard:
        if found.scheme == "tcp" and not heard.recv(1):
            raise OSError("something else listens there")


def _same_program(client: Any, address: str) -> None:
    """Check before the first game that all workers have this version of the program. Raises NoCluster."""
    try:
        found = set(client.run(program_hash).values())
    except ImportError as odd:
        raise NoCluster(f"a worker of {address} does not have this program installed: {odd}") from None
    if not found:
        raise NoCluster(f"the scheduler at {address} has no workers; one is started by `dask worker {address}`")
    if found != {program_hash()}:
        raise NoCluster(f"workers of {address} have another version of this program, and would play other games")


def program_hash() -> str:
    """A hash over the installed rules and levels."""
    folder, found = Path(engine.__file__).parent, hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def play_game(plan: Contest, number: int, player: Callable[[str], Player] = find_level) -> GameScores:
    """Play one game; `player` gives the player of a level by its name."""
    rules, count = find_game(plan.kind), len(plan.levels)
    lap, turn = divmod(number, count)
    seats = [Seat(f"seat{at}") for at in range(1, count + 1)]
    holds = {seats[(at + turn) % count]: at for at in range(count)}
    players = [player(name) for name in plan.levels]
    secret = hashlib.sha256(f"arena {plan.seed}".encode()).digest()
    chance, own = SeededChance(secret, (), f"dice-{lap}"), SeededChance(secret, (), f"thought-{number}")
    state = rules.start({seat: str(seat) for seat in seats}, plan.options, chance).state
    decisions, seconds = [0] * count, [0.0] * count
    while asked := next((one for one in rules.waiting(state) if not one.answered), None):
        who = holds[asked.seat]
        begun = time.perf_counter()
        stream = SubStream(own, f"{asked.seat}-{decisions[who]}")
        order, _ = players[who].consider(rules, state, asked.seat, stream)[0]
        seconds[who] += time.perf_counter() - begun
        decisions[who] += 1
        state = rules.apply(state, asked.seat, order, chance).state
    ending = rules.result(state)
    if ending is None:
        raise ValueError(f"game {number} of seed {plan.seed} has no result")
    totals = {str(who): total for who, total in ending.totals.items()}
    found: dict[int, SeatScore] = {}
    for seat, at in holds.items():
        others = [total for other, total in totals.items() if other != seat]
        win = (seat in ending.winners) / len(ending.winners)
        found[at] = SeatScore(win, totals[seat], mean(others) if others else 0.0, decisions[at], seconds[at])
    return tuple(found[at] for at in range(count))


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (Wilson, 1927)."""
    share, spread = wins / games, Z_95 * Z_95 / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * (share * (1 - share) / games + spread / games / 4) ** 0.5 / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def results_table(plan: Contest, games: Sequence[GameScores]) -> dict[str, Any]:
    """The statistics, a row for each level in seat order before rotation."""
    rows = []
    for at, name in enumerate(plan.levels):
        parts = [game[at] for game in games]
        wins = sum(part.win for part in parts)
        low, high = wilson(wins, len(parts))
        decisions = sum(part.decisions for part in parts)
        rows.append({
            "level": name, "wins": round(wins / len(parts), 4), "low": round(low, 4), "high": round(high, 4),
            "mean": round(mean(part.points for part in parts), 2),
            "margin": round(mean(part.points - part.others for part in parts), 2),
            "seconds_per_decision": round(sum(part.seconds for part in parts) / max(1, decisions), 4),
        })  # fmt: skip
    return {"game": plan.kind, "options": dict(plan.options), "games": len(games), "seed": plan.seed, "levels": rows}
