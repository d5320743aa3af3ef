"""What is kept of a standing order until it fires: the order, when it was given, and the sheet that it rests on."""

from __future__ import annotations

from dataclasses import field

from engine.kit.codec import OPTIONAL
from engine.troyes_dice.card_data.sheet import Sheet
from engine.troyes_dice.state.orders import AutoBonus, AutoGoals, Kept, LaterGoals
from engine.values import fixed

KINDS: dict[type, str] = {LaterGoals: "later", AutoGoals: "auto", AutoBonus: "bonus"}
"""Kinds of standing orders. A seat has one of a kind; the first here is the first to fire."""


@fixed
class KeptPlan:
    """A kept standing order, with the half day and the day of the position it was given in. `sheet` is the owner's
    sheet as it will be after that half day: what `later` rests on."""

    order: Kept
    half_day: int
    day: int
    sheet: Sheet | None = field(default=None, metadata=OPTIONAL)

    @property
    def kind(self) -> str:
        return KINDS[type(self.order)]

    def holds(self, half_day: int, day: int) -> bool:
        """True if it still holds in a half day: `later` in the next one alone."""
        if isinstance(self.order, LaterGoals):
            return half_day <= self.half_day + 1
        return self.order.always or day == self.day


@fixed
class BrokenPlan:
    """Why a standing order was cancelled instead of fired.

    `why` is `none` (no goal can be reached), `choice` (a bonus leaves one that was not said), `less` (it would bring
    less than when it was said), or `other` (no die can be paid for). `nth` is the number of the goal.
    """

    kind: str
    why: str
    nth: int = field(default=0, metadata=OPTIONAL)
