"""One whole solo game, kept as a file: every order and every sentence that the player was told.

The orders are read from the file, so only a change of a rule, a die or a wording shows here, and not a better computer.
`pytest tests/troyes/test_solo_golden.py --golden` plays it anew with the first option on offer and writes the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Seat, Step
from tests.troyes import games
from tests.troyes.games import GAME

FILE = Path(__file__).parents[1] / "golden" / "solo_game.txt"
SEED = 1300
ANNA = Seat("anna")


def told(step: Step) -> Iterator[str]:
    for line in GAME.tell(step.state, step.entries, ANNA):
        yield f"{'*' if line.mine else '-'} {line.says}"


def game(orders: Iterator[str]) -> Iterator[str]:
    """The lines of the file for these orders; they end when the game does."""
    chance = games.chance_of(SEED)
    step = games.opening(1, SEED, bonus=True)
    yield from told(step)
    while GAME.waiting(step.state):
        text = next(orders, "") or GAME.offers(step.state, ANNA)[0].text
        reading = GAME.read(step.state, ANNA, text)
        yield f"> {reading.text}"
        step = GAME.apply(step.state, ANNA, reading.order, chance)
        yield from told(step)
    result = GAME.result(step.state)
    assert result is not None
    yield from (f"= {seat} {total}" for seat, total in result.totals.items())
    yield from (f"= {note}" for note in result.notes)


def test_the_golden_solo_game(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--golden"):
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text("\n".join(game(iter(()))) + "\n", encoding="utf-8")
    kept = FILE.read_text(encoding="utf-8").splitlines()
    orders = (line[2:] for line in kept if line.startswith("> "))
    assert kept == list(game(orders))
