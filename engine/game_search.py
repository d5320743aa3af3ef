"""What a computer player needs of a game beyond playing it: orders worth considering, and dealing hidden cards anew.

A game offers it as `Game.thinking`; `Game.estimate` says what a position is worth. Nothing here looks at what the seat
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


class GameSearch(Generic[S, O]):
    """What a search asks of one game.

    The methods suit a game in which nothing is hidden and nothing is known of what an order is worth: the first choice
    is the best.
    """

    horizon: int = 1
    """How many stages (`Game.stage`) are played on before the estimate takes over."""

    def __init__(self, game: Any = None) -> None:
        self.game = game

    def ranked(self, state: S, seat: str) -> Sequence[Promise[O]]:
        """The sensible orders, the best first, with the points they promise (`Game.estimate` after the order, less
        before): those of `Game.offers` without their sentences."""
        return [(order, 0.0) for order, _ in self.game.choices(state, seat)]

    def groups(self, state: S, seat: str) -> Sequence[Sequence[Promise[O]]]:
        """The same in groups of one kind, the likeliest group and order first. Promises are guessed, which is cheaper;
        now and then an order is not legal."""
        return [[choice] for choice in self.ranked(state, seat)]

    def likely(self, state: S, seat: str) -> O:
        """The order that the seat will most likely give, found cheaper still: simulations go on with it."""
        return self.ranked(state, seat)[0][0]

    def asked(self, state: S) -> tuple[str, str] | None:
        """Seat and kind of the next decision: the first of `Game.waiting` without its sentences."""
        return next(((one.seat, one.kind) for one in self.game.waiting(state) if not one.answered), None)

    def after(self, state: S, seat: str, order: O, chance: Chance) -> S:
        """The position that `Game.apply` leads to, without the log. Raises as `apply` does."""
        found: S = self.game.apply(state, seat, order, chance).state
        return found

    def shown(self, state: S) -> Hashable:
        """What chance has shown to all: after the same orders and the same of this, everybody has seen the same."""
        return str(self.game.dump(state))

    def imagined(self, state: S, seat: str, chance: Chance) -> S:
        """A whole position that the seat may be in: hidden cards are dealt anew, plans and sealed answers of others are
        gone. It can be played on with any chance."""
        return state

    def rivals(self, state: S, seat: str) -> tuple[str, ...]:
        """The other seats whose points count against the seat's, and whose orders can change its result."""
        return ()
