"""Orders of Troyes as values: complete, with nothing left to fill in. Reading and writing them is `language`'s.

Cards, events and places are named by their ids (`tax_collector`, `palace 4`); dice by `Pick` or, where only one's own
can be meant, by their word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.troyes.group import Pick

NOTHING = "nothing"
"""The target word for an activation that does not take what a card offers for a price."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Initial placement: a space now, and preferred spaces for one's later placements."""

    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reroll:
    die: str


@dataclass(frozen=True, slots=True)
class Flip:
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recruit:
    citizens: int


@dataclass(frozen=True, slots=True)
class Activate:
    """Action 1. `hiring` is where the tradesman comes from, `""` when he is there already; `space` is the number of
    the space he takes (1 is worth most), 0 where it is none or the illustration. `targets` are one per activation
    for cards that choose (buildings or events), `("nothing",)` to leave a priced effect unused."""

    card: str
    dice: tuple[Pick, ...]
    times: int
    hiring: str = ""
    space: int = 0
    targets: tuple[str, ...] = ()
    using: str = ""


@dataclass(frozen=True, slots=True)
class Build:
    """Action 2: the cathedral."""

    dice: tuple[Pick, ...]
    using: str = ""


@dataclass(frozen=True, slots=True)
class Fight:
    """Action 3: `cubes` on one event."""

    event: str
    dice: tuple[Pick, ...]
    cubes: int
    using: str = ""


@dataclass(frozen=True, slots=True)
class Station:
    """Action 4: place a citizen on the building of the die's colour."""

    die: Pick
    source: str
    using: str = ""


@dataclass(frozen=True, slots=True)
class Farm:
    """Action 5: agriculture."""

    dice: tuple[Pick, ...]
    using: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """Action 6."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Black dice beaten with own dice; no dice at all when none of one's dice can beat the highest."""

    black: tuple[int, ...]
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Support:
    """The events that receive a neutral cube."""

    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Where the cube of a hit goes."""

    event: str


@dataclass(frozen=True, slots=True)
class LeRoy:
    """Solo: le Roy's answer to whatever he is asked. It says only that his dice decide; nobody can type it."""


Order: TypeAlias = (
    Settle
    | Reroll
    | Flip
    | Recruit
    | Activate
    | Build
    | Fight
    | Station
    | Farm
    | Pass
    | Counter
    | Support
    | Target
    | LeRoy
)
