"""What lies on the table: families, cards, events, outdoor tiles, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.kit.plain import OPTIONAL

GRAY = "gray"
"""The neutral player: a district, citizens and cubes, but no money, influence or points (ruling A59)."""
LE_ROY = "le_roy"
"""The automaton of the solo game, who is neutral there in gray's place: he has points and won events too (A55)."""
NEUTRALS = frozenset((GRAY, LE_ROY))
"""Owners without a purse, whose dice are paid to the bank."""
BANK = "bank"
BLANK = "unknown"
"""What stands for a card nobody may see, in a redacted position."""
Frame = dict[str, Any]
"""One pending thing, as plain data; `step` names what runs it. A list in it is put there anew to be changed: other
positions may share it."""


@dataclass
class House:
    """One player's family. Citizens are counted: `supply` is personal, `reserve` the share of the general supply.

    Without slots, so that one table holds all of it: to copy that is cheap.
    """

    deniers: int = 0
    influence: int = 0
    vp: int = 0
    supply: int = 0
    reserve: int = 0
    coins: int = 0
    """Deniers lying on the district for passing, not to be spent before phase 5 (ruling A47)."""
    passed: bool = False
    won: list[str] = field(default_factory=list)
    """Event cards taken, in order."""
    fought: list[str] = field(default_factory=list, metadata=OPTIONAL)
    """Those of them that were completed by fighting; kept where the Ladies' activities are in play (A73)."""
    guard: int = field(default=0, metadata=OPTIONAL)
    """The guard's space on the ramparts."""

    def copy(self) -> House:
        """Another that shares the lists: facts put them there anew."""
        made = object.__new__(House)
        made.__dict__ = self.__dict__.copy()
        return made


@dataclass(slots=True)
class Card:
    """An Activity card in play: owners on the spaces that give VP (dearest first, `""` free), owners on the
    illustration, and cubes by owner."""

    id: str
    spaces: list[str]
    picture: list[str] = field(default_factory=list)
    cubes: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Card:
        return Card(self.id, self.spaces[:], self.picture[:], dict(self.cubes))

    def has(self, owner: str) -> bool:
        """Whether the owner has a tradesman here."""
        return owner in self.spaces or owner in self.picture


@dataclass(slots=True)
class QueuedEvent:
    """An event in the queue, with the owners of its cubes in the order they were placed; `held` are the owners of
    the citizens on Possession."""

    id: str
    cubes: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list, metadata=OPTIONAL)

    def copy(self) -> QueuedEvent:
        return QueuedEvent(self.id, self.cubes[:], self.held[:])


@dataclass(slots=True)
class Tile:
    """An outdoor tile of the Ladies, the face that lies up, and cubes by owner."""

    id: str
    cubes: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Tile:
        return Tile(self.id, dict(self.cubes))
