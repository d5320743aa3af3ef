"""Draws and how they are recorded: `verify` looks for a table with `draw` and `shown` or `order`.

Each draw is a `Rolled`; only its `data` makes these words. `engine.kit.transaction.Transaction` refuses to end with a
draw that is not recorded; `Draws` gathers those of a set-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from engine.chance import Chance, Purpose
from engine.errors import PositionError
from engine.event_log import Data
from engine.values import fixed

C = TypeVar("C")


DRAW_COUNTS = "draws"
"""The field of a state that counts draws."""


class CountsDraws(Protocol):
    """A state that counts its draws by the round: how many of each kind for each seat (`kind/seat`)."""

    round: int
    draws: dict[str, int]


def next_draw(state: CountsDraws, kind: str, seat: str = "") -> Purpose:
    """Return the purpose of the next draw of a kind, on this position."""
    return Purpose(state.round, kind, seat, state.draws.get(f"{kind}/{seat or '-'}", 0) + 1)


def once_a_round(state: CountsDraws, kind: str, seat: str = "") -> Purpose:
    """The same for a draw that is made once a round. Raises PositionError if it was made already."""
    found = next_draw(state, kind, seat)
    if found.n > 1:
        raise PositionError(f"{kind} is drawn once a round for {seat or 'all'}, and was drawn already")
    return found


@fixed
class Rolled:
    """Numbers that were drawn, and for what. `sides` of each die; 0 for a shuffle of 0 to the number of things - 1."""

    purpose: Purpose
    numbers: tuple[int, ...]
    sides: int = 6

    @property
    def data(self) -> Data:
        """The draw as an entry tells it."""
        if not self.sides:
            return {"draw": str(self.purpose), "order": list(self.numbers)}
        sides = {} if self.sides == 6 else {"sides": self.sides}
        return {"draw": str(self.purpose), **sides, "shown": list(self.numbers)}

    @classmethod
    def told(cls, data: Data) -> Rolled:
        """Read what `data` wrote, and remove it from the entry. Raises LookupError, TypeError or ValueError."""
        purpose = Purpose.parse(data.pop("draw"))
        if "order" in data:
            return cls(purpose, tuple(data.pop("order")), 0)
        return cls(purpose, tuple(data.pop("shown")), data.pop("sides", 6))


def roll(chance: Chance, purpose: Purpose, dice: int = 1, sides: int = 6) -> Rolled:
    """Roll dice."""
    return Rolled(purpose, chance.roll(purpose, dice, sides), sides)


def shuffle(chance: Chance, purpose: Purpose, count: int) -> Rolled:
    """Return the numbers 0 to `count` - 1 in a random order."""
    return Rolled(purpose, chance.order(purpose, count), 0)


class Draws:
    """The draws of a set-up, one of each kind; `rows` is what the first entry keeps of them.

    With `names` a shuffle tells of what.
    """

    def __init__(self, chance: Chance, *, names: bool = False) -> None:
        self._chance = chance
        self._names = names
        self.rows: list[Data] = []

    def roll(self, kind: str, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        return self._kept(roll(self._chance, Purpose(0, kind), dice, sides))

    def shuffled(self, kind: str, things: Sequence[C]) -> list[C]:
        """Return the things in a random order."""
        order = self._kept(shuffle(self._chance, Purpose(0, kind), len(things)))
        if self._names:
            self.rows[-1]["of"] = list(things)
        return [things[at] for at in order]

    def _kept(self, rolled: Rolled) -> tuple[int, ...]:
        self.rows.append(rolled.data)
        return rolled.numbers
