"""The table of a game: the wheel and its dice, every player's sheet, and the sealed answers.

Plain values only, so that a state can be written as TOML, read by a person and compared. It knows no rule; only events
change it.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from engine.kit.codec import OPTIONAL
from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.card_data.sheet import Sheet
from engine.troyes_dice.state.kept_plans import KeptPlan
from engine.troyes_dice.state.orders import SealedAnswer
from engine.values import fixed

MORNING = "morning"
AFTERNOON = "afternoon"
NOTCHES = 9
SLOTS = 4
"""Plazas in use in one half day."""


@fixed
class Plaza:
    """A plaza in its notch: the colour that shows, the other one, and the tile beside it with its visible side."""

    up: str
    down: str
    tile: str = field(default="", metadata=OPTIONAL)
    side: str = field(default="", metadata=OPTIONAL)


@fixed
class Die:
    """A die on a plaza of this half day. `gone`: its plaza is destroyed."""

    value: int
    black: bool = False
    gone: bool = False


@dataclass(slots=True)
class DiceState:
    """A whole position. `sealed` and `plans` are secret. Tables are never changed: events replace them."""

    box: DiceBox
    options: dict[str, str]
    names: dict[str, str]
    """Seats in order, with the players' names."""
    crier: str = ""
    """The seat that rolls and numbers: the town crier."""
    first_number: int = 0
    """The number rolled for the leftmost column; 0 if it was not rolled."""
    numbering: tuple[int, ...] = ()
    """The numbers of the columns from the left; empty before they are known."""
    phase: str = "numbering"
    """numbering, half day, or over."""
    day: int = 0
    half: str = MORNING
    plazas: tuple[Plaza, ...] = ()
    dice: tuple[Die, ...] = ()
    """The dice of this half day by slot."""
    sheets: dict[str, Sheet] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    """Seat to what it is asked. In a half day a seat that can pay for no die is not here."""
    number: int = 0
    """The number of the newest decision; in a half day everybody's is the same."""
    scores: dict[str, dict[str, int]] = field(default_factory=dict, metadata=OPTIONAL)
    """Filled at the end: seat to component to points."""
    sealed: dict[str, SealedAnswer] = field(default_factory=dict)
    plans: dict[str, tuple[KeptPlan, ...]] = field(default_factory=dict, metadata=OPTIONAL)
    """Standing orders of each seat that has any, the first to fire first."""

    def copy(self) -> DiceState:
        """Return an independent position: it shares the values of the fields, which never change."""
        return copy(self)

    @property
    def half_day(self) -> int:
        """The number of the half day, from 1 to 16."""
        return 2 * self.day - (self.half == MORNING)

    def notch(self, slot: int) -> int:
        """Return the notch of a slot (0 to 3) of this half day: notches run clockwise, the day's first is asleep."""
        return (self.day + slot + (0 if self.half == MORNING else SLOTS)) % NOTCHES

    def row(self) -> tuple[Plaza, ...]:
        """Return the plazas of this half day by slot."""
        plazas, first = self.plazas, self.day % NOTCHES if self.half == MORNING else (self.day + SLOTS) % NOTCHES
        past = first + SLOTS - NOTCHES
        return plazas[first:] + plazas[:past] if past > 0 else plazas[first : first + SLOTS]

    def plaza(self, slot: int) -> Plaza:
        """Return the plaza of a slot of this half day."""
        return self.plazas[self.notch(slot)]

    def column(self, number: int) -> int:
        """Return the column, counted from the left, that carries a number."""
        return self.numbering.index(number) + 1
