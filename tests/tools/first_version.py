"""The first version's ranking of choices, as a yardstick for the arena: `python -m tests.tools.first_version [GAMES] [SEED]`.

The first version of this program ranked the choices of *Troyes* by rules of thumb, a card at a time. Nothing of that is
left, so its own code is asked: taken from this repository's history into a folder of its own, in a process of its own,
which is handed each position as it is stored and says the first choice that it would have listed. Positions are stored
as they were then, and order lines are still read; what it says and the rules of today refuse is passed over, and counted.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from engine.chance import Chance
from engine.errors import OrderRefused
from engine.game import AnyGame, Seat, find_game
from engine.levels import LEVELS, find_level
from engine.levels.baselines import RankedOrder
from pbem.tournament import Contest, GameScores, play_game, results_table

COMMIT = "9f450cd99216da17a2e2f0983e7527dacfdbc393"
"""The last one that ranked by rules of thumb."""
NAME = "first-version"
HERE = Path(__file__).resolve().parents[2]
ASKED = """
import json, sys
from engine.game import Seat, find
game = find("troyes")
for line in sys.stdin:
    public, secret, seat = json.loads(line)
    state = game.load(public, secret)
    print(json.dumps([offer.text for offer in game.offers(state, Seat(seat))]), flush=True)
"""


@dataclass(slots=True)
class FirstVersion:
    """Takes the first choice that the first version would have listed."""

    process: subprocess.Popen[str]
    name: str = NAME
    refused: list[str] = field(default_factory=list)

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        """One order, which tells no worth; where none of the list can be played, what does least."""
        public, secret = game.dump(state)
        secret.pop("plans", None)  # There were none.
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([public, secret, seat]), file=self.process.stdin, flush=True)
        for text in json.loads(self.process.stdout.readline()):
            order = self._read(game, state, seat, text, chance)
            if order is not None:
                return [(order, 0.0)]
        return [(game.default(state, Seat(seat)), 0.0)]

    def _read(self, game: AnyGame, state: Any, seat: str, text: str, chance: Chance) -> Any:
        """What a line says; None where it is refused today, or answers nothing."""
        try:
            order = game.read(state, Seat(seat), text).order
            game.thinking.after(state, seat, order, chance)
        except OrderRefused:
            self.refused.append(text)
            return None
        return order


def there() -> bool:
    """Whether the history here reaches so far back."""
    try:
        asked = subprocess.run(["git", "cat-file", "-e", COMMIT], cwd=HERE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return not asked.returncode


@contextmanager
def first_version() -> Iterator[FirstVersion]:
    """The yardstick. Raises CalledProcessError where the history does not reach so far back."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", COMMIT, "engine"], cwd=HERE, stdout=subprocess.PIPE, check=True).stdout
        with tarfile.open(fileobj=BytesIO(packed)) as files:
            files.extractall(folder, filter="data")
        command = [sys.executable, "-c", ASKED]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=folder, env={"PYTHONPATH": folder}, text=True, stdin=pipe, stdout=pipe
        ) as process:
            yield FirstVersion(process)
            assert process.stdin is not None
            process.stdin.close()


def games(plan: Contest) -> Iterator[GameScores]:
    """The games of a contest in which seats may be the first version's."""
    with first_version() as yardstick:
        for number in range(plan.games):
            yield play_game(plan, number, partial(find_level, known={**LEVELS, NAME: yardstick}))
        if yardstick.refused:
            print(f"refused today: {len(yardstick.refused)}, such as {yardstick.refused[0]!r}", file=sys.stderr)


def main(count: str = "200", seed: str = "1") -> None:
    """`novice` against two of them; prints the share of wins with its interval."""
    levels = ("novice", NAME, NAME)
    plan = Contest("troyes", find_game("troyes").settle_options(len(levels), {}), levels, int(count), int(seed))
    for row in results_table(plan, list(games(plan)))["levels"]:
        print(row)


if __name__ == "__main__":
    main(*sys.argv[1:])
