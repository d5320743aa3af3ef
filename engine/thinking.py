"""What a computer player needs of a game beyond playing it: what is worth considering, and what may lie face down.

A game offers it as `Game.thinking`; what a position is worth says `Game.estimate`. Nothing here looks at what the seat
may not know: two positions that differ in that alone give the same answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from engine.chance import Chance

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order
Promise: TypeAlias = tuple[O, float]
"""An order, and the points that it promises."""


class Thinking(Generic[S, O]):
    """How one game is thought about.

    As it stands: nothing is hidden, nothing is known of what an order is worth, and the first choice is the best.
    """

    horizon: int = 1
    """How many stages (`Game.stage`) are played on before the estimate takes over."""

    def __init__(self, game: Any = None) -> None:
        self.game = game

    def ranked(self, state: S, seat: str) -> Sequence[Promise[O]]:
        """What the seat may sensibly do, the best first, each with the points it promises (`Game.estimate` after it,
        less before): the orders of `Game.offers` without their sentences."""
        return [(order, 0.0) for order, _ in self.game.choices(state, seat)]

    def groups(self, state: S, seat: str) -> Sequence[Sequence[Promise[O]]]:
        """The same in groups of orders of one kind, each the likeliest first, the group of the likeliest first. What
        they promise is guessed, which is cheaper, and now and then one of them is not allowed."""
        return [[choice] for choice in self.ranked(state, seat)]

    def likely(self, state: S, seat: str) -> O:
        """What it will most likely do, found cheaper still: what simulations go on with."""
        return self.ranked(state, seat)[0][0]

    def asked(self, state: S) -> tuple[str, str] | None:
        """Who must answer next, and what kind of thing: the first of `Game.waiting` without its sentences."""
        return next(((one.seat, one.kind) for one in self.game.waiting(state) if not one.answered), None)

    def after(self, state: S, seat: str, order: O, chance: Chance) -> S:
        """The position that `Game.apply` leads to, with nothing written down of the way there. Raises as it does."""
        found: S = self.game.apply(state, seat, order, chance).state
        return found

    def shown(self, state: S) -> Hashable:
        """What chance has shown to all: where the same orders have led to the same of it, everybody sees the same."""
        return str(self.game.dump(state))

    def imagined(self, state: S, seat: str, chance: Chance) -> S:
        """A whole position that the seat may be in: whatever it may not see is dealt anew, others' plans and sealed
        answers are gone. It can be played on with any chance."""
        return state

    def rivals(self, state: S, seat: str) -> tuple[str, ...]:
        """The others whose points count against the seat's, and whose orders can change what it gets."""
        return ()
