"""Random and greedy games of Troyes Dice, for the tests here and for the bench."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.chance import SeededChance
from engine.event_log import LogEntry
from engine.game import Seat
from engine.troyes_dice.game import TroyesDice
from engine.troyes_dice.state.dice_state import DiceState

GAME = TroyesDice()
NAMES = ("Anna", "Faye", "Geoffrey", "Emily", "Hugo", "Ines", "Jules", "Karin", "Leo", "Marie")
ANNA, FAYE, GEOFFREY = Seat("anna"), Seat("faye"), Seat("geoffrey")


@dataclass
class Run:
    """A game on its way: the position, every entry so far, and the order given last."""

    state: DiceState
    chance: SeededChance
    entries: list[LogEntry] = field(default_factory=list)
    last: tuple[LogEntry, ...] = ()

    def order(self, seat: Seat, text: str) -> None:
        """Read and play one line."""
        reading = GAME.read(self.state, seat, text)
        step = GAME.apply(self.state, seat, reading.order, self.chance)
        self.state, self.last = step.state, step.entries
        self.entries += step.entries

    def open_seats(self) -> list[Seat]:
        """Seats whose answer is missing or lacks a choice."""
        return [decision.seat for decision in GAME.waiting(self.state) if not decision.answered]

    def finish_half_day(self) -> None:
        """Everybody who has not answered takes the first offer."""
        number = self.state.number
        while self.state.number == number and self.open_seats():
            seat = self.open_seats()[0]
            self.order(seat, GAME.offers(self.state, seat)[0].text)


def begin(players: int = 2, seed: int = 1, facts: Mapping[str, Any] | None = None, **options: str) -> Run:
    """A game at its first decision; options with `_` for the dot of a house rule are not needed here."""
    chance = SeededChance(f"seed {seed}".encode(), (), "dice-1")
    seats = {Seat(name.lower()): name for name in NAMES[:players]}
    step = GAME.start(seats, GAME.settle_options(players, options), chance, facts=facts)
    return Run(step.state, chance, list(step.entries), step.entries)


def sample(rng: random.Random) -> list[int]:
    """Numbers for `every` to pick by."""
    return [rng.randrange(1 << 30) for _ in range(8)]


def steps(run: Run, seed: int) -> Iterator[tuple[Seat, str]]:
    """Play at random to the end; gives each seat and order before it is played."""
    rng = random.Random(seed)
    while GAME.waiting(run.state):
        seat = rng.choice(run.open_seats())
        text = next(GAME.reference.every(run.state, seat, sample(rng)))
        yield seat, text
        run.order(seat, text)


def options_of(seed: int) -> tuple[int, dict[str, str]]:
    """Players and options that differ from seed to seed, so that a sample covers every kind of game."""
    players = (1, 2, 3, 4, 5, 10)[seed % 6]
    options = {
        "expansion": ("no", "yes")[seed // 2 % 2],
        "numbering": ("first", "crier", "expert")[seed % 3],
        "rule.second_slot": ("any", "any", "any", "denier")[seed % 4],
    }
    return players, options
