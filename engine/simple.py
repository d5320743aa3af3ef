"""What most games have alike, so that a new one need not say it: a base for games, and for what stands beside them.

A game overrides what it has; `staticmethod(function)` names a function that does it, and is checked like a method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from engine.catalog import Msg
from engine.game import Offer, Option, Seat, Step
from engine.kit import settings

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


class SimpleGame(Generic[S, O]):
    """A game without options, in which no order is suspicious and no answer is sealed."""

    title: str
    schema = 1
    seats: range
    options: tuple[Option, ...] = ()

    def settle_options(self, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value. Raises NotAllowed for unknown names, values or a wrong number of players."""
        return settings.settled(self.title, self.seats, self.options, players, chosen)

    def write(self, state: S, seat: Seat, order: O, language: str) -> str:
        """The canonical text of an order."""
        raise NotImplementedError

    def choices(self, state: S, seat: Seat) -> Iterable[tuple[O, Msg]]:
        """A short ranked list that covers every kind of thing the seat can do now: orders, and what each would do."""
        raise NotImplementedError

    def offers(self, state: S, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
        """The choices in a reader's language."""
        return tuple(Offer(self.write(state, seat, order, language), says) for order, says in self.choices(state, seat))

    def suspicious(self, state: S, seat: Seat, orders: Sequence[O]) -> Msg | None:
        """Nothing is."""
        return None

    def withdraw(self, state: S, seat: Seat) -> Step[S] | None:
        """Nothing: whoever has answered is not asked any more, and what is taken back is taken back as any order."""
        return None
