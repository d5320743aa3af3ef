"""Deniers, influence and victory points, with passing, which earns some."""

from __future__ import annotations

from engine.kit.events import Event
from engine.troyes.events import lookup
from engine.troyes.state.troyes_state import BANK, NEUTRALS, TroyesState
from engine.values import fixed

PURSELESS = NEUTRALS | {BANK}
"""Owners whose deniers are not counted."""


@fixed
class Pays(Event[TroyesState]):
    """Deniers from one purse to another. `reason` says what for, where news need it."""

    kind = "pays"
    payer: str
    payee: str
    deniers: int
    reason: str = ""

    def apply(self, state: TroyesState) -> None:
        if self.payer not in PURSELESS:
            lookup.house_of(state, self.payer).deniers -= self.deniers
        if self.payee not in PURSELESS:
            lookup.house_of(state, self.payee).deniers += self.deniers


@fixed
class InfluenceChanges(Event[TroyesState]):
    """Influence gained or lost. `wasted` is what was gained beyond the limit."""

    kind = "influence"
    seat: str
    by: int
    wasted: int = 0

    def apply(self, state: TroyesState) -> None:
        lookup.house_of(state, self.seat).influence += self.by


@fixed
class PointsChange(Event[TroyesState]):
    """Victory points gained or lost."""

    kind = "points"
    seat: str
    by: int

    def apply(self, state: TroyesState) -> None:
        lookup.house_of(state, self.seat).vp += self.by


@fixed
class SeatPasses(Event[TroyesState]):
    """A seat has passed, now or `again` because its turn came round: deniers are put on its district."""

    kind = "passes"
    seat: str
    coins: int
    again: bool = False

    def apply(self, state: TroyesState) -> None:
        house = lookup.house_of(state, self.seat)
        house.passed = True
        house.coins += self.coins


@fixed
class CoinsCollected(Event[TroyesState]):
    """The deniers on a district come into the purse at the end of the round."""

    kind = "collects"
    seat: str
    deniers: int

    def apply(self, state: TroyesState) -> None:
        house = lookup.house_of(state, self.seat)
        house.coins -= self.deniers
        house.deniers += self.deniers
