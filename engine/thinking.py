"""What a computer player needs of a game beyond playing it: what is worth considering, and what may lie face down.

A game offers it as `Game.thinking`; what a position is worth says `Game.estimate`. Nothing here looks at what the seat
may not know: two positions that differ in that alone give the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from engine.chance import Chance

S = TypeVar("S")
O = TypeVar("O", covariant=True)  # noqa: E741 - an order


class Thinking(Protocol[S, O]):
    """How one game is thought about."""

    def ranked(self, state: S, seat: str) -> Sequence[tuple[O, float]]:
        """What the seat may sensibly do, the best first, each with the points it promises (`Game.estimate` after it,
        less before): the orders of `Game.offers` without their sentences."""

    def imagined(self, state: S, seat: str, chance: Chance) -> S:
        """A whole position that the seat may be in: whatever it may not see is dealt anew, others' plans and sealed
        answers are gone. It can be played on with any chance."""

    def rivals(self, state: S, seat: str) -> tuple[str, ...]:
        """The others whose points count against the seat's, and whose orders can change what it gets."""
