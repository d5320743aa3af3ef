"""What a level is, and the plain ones: two yardsticks, and `novice`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.chance import Chance, Purpose
from engine.game import AnyGame, Seat

RankedOrder = tuple[Any, float]
"""An order and the points that it promises, compared with doing nothing or with other orders of the same list."""


class Player(Protocol):
    """A computer player."""

    @property
    def name(self) -> str:
        """As `find_level` reads it."""

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        """Return orders that it considers, the best first; never empty for a seat that is asked."""


def ranked_options(game: AnyGame, state: Any, seat: str) -> Sequence[RankedOrder]:
    """Return what the game thinks sensible, or else the answer that does least."""
    return game.thinking.ranked(state, seat) or [(game.default(state, Seat(seat)), 0.0)]


def pick(chance: Chance, what: str, count: int) -> int:
    """Return a number below `count`, which may be large."""
    found = 0
    for digit in chance.roll(Purpose(0, what), 4, 100):
        found = found * 100 + digit - 1
    return found % count


@dataclass(frozen=True, slots=True)
class First:
    """The first of the list: a yardstick."""

    name: str = "first"

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        return ranked_options(game, state, seat)


@dataclass(frozen=True, slots=True)
class Random:
    """Any legal order: a yardstick."""

    name: str = "random"

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        numbers = [pick(chance, f"random-{n}", 1 << 24) for n in range(16)]
        text = next(iter(game.reference.every(state, seat, numbers)), "")
        order = game.read(state, Seat(seat), text).order if text else None
        return [(order if order is not None else game.default(state, Seat(seat)), 0.0)]


NOISE = 0.4
"""Most points by which a novice's judgement is off."""


@dataclass(frozen=True, slots=True)
class Novice:
    """The option that promises most, judged with a little noise."""

    name: str = "novice"

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        found = [
            (order, worth + self._off(chance, n)) for n, (order, worth) in enumerate(ranked_options(game, state, seat))
        ]
        return sorted(found, key=lambda thought: -thought[1])

    @staticmethod
    def _off(chance: Chance, n: int) -> float:
        return NOISE * (sum(chance.roll(Purpose(0, "noise", n=n + 1), 2, 100)) - 101) / 99
