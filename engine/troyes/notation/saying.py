"""What a line says of an order, piece by piece, before it is known which order that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace


class Unplaced(Exception):  # noqa: N818 - a word has no place in the line
    """The line is not understood."""


@dataclass(slots=True)
class NamedDie:
    """A die: its colour letter and value, or the value alone; whose it is, if somebody is named."""

    letter: str
    value: int
    run: int
    """Dice that are listed together have the same number."""
    owner: str = ""
    colour: str = ""
    shared: str = ""
    """Who is named beside another die of the list, so that this one may be meant as his too."""
    bought: bool = False
    alone: bool = False
    """Whether it has an article of its own: an adjective behind it is said of no other die."""
    group: int = 0
    """Dice that one phrase counts, «both sixes», have the same number: each is somebody's who is named behind."""


@dataclass(slots=True)
class NamedCube:
    """A cube to be used: of a card or of a tile, the die it works on, the card it goes to, the dice it exchanges."""

    kind: str
    ids: tuple[str, ...]
    die: NamedDie | None = None
    card: tuple[str, ...] = ()
    swaps: list[tuple[NamedDie, NamedDie]] = field(default_factory=list)


@dataclass(slots=True)
class Saying:
    """What a line says; empty where it says nothing."""

    verb: str = ""
    card: tuple[str, ...] = ()
    """Ids of the one card that may be meant, as `events` and `cubes` hold."""
    dice: list[NamedDie] = field(default_factory=list)
    events: list[tuple[str, ...]] = field(default_factory=list)
    used: list[NamedCube] = field(default_factory=list)
    tiles: list[tuple[str, ...]] = field(default_factory=list)
    spots: list[str] = field(default_factory=list)
    """Places that somebody goes to, or that are chosen."""
    bare: list[str] = field(default_factory=list)
    """Those of them that no word stands before."""
    source: str = ""
    seats: list[str] = field(default_factory=list)
    every: bool = False
    """Whether cubes are said to go somewhere, and not how many."""
    gains: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    pips: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    times: int = 0
    cubes: int = 0
    citizens: int = 0
    space: int = 0
    advance: int = 0
    result: int = 0
    """What a die is said to show then."""
    level: int = 0
    """Of the cathedral."""
    mixed: str = ""
    answer: str = ""
    """no, yes, keep, none, always, never, ask."""
    flags: set[str] = field(default_factory=set)
    """hire, citizen, put, cube, both, highest, turn, then, auto, free, exploit, black, steps, more, each,
    rolls, unpaid, again, gate, thing, district, advance."""
    counted: int = 0
    """How many dice there are said to be."""
    cost: tuple[int, str] = (0, "")
    """What it is said to cost, and whether influence or deniers, "" where that is not said."""

    def goes(self) -> bool:
        """Whether somebody goes from a space to a building: «palace 2 to bishopric», in either order."""
        return len(self.spots) == 2 and [" " in spot for spot in self.spots] in ([True, False], [False, True])

    def is_twice(self, seat: str, lying: Mapping[str, Sequence[str]]) -> bool:
        """Whether «both» may mean the first of two dice twice, and the second beside: «both W3 and Faye's W3»."""
        faces = [(die.owner or seat, f"{die.letter}{die.value}") for die in self.dice]
        (owner, face), *others = faces
        only_two = "both" in self.flags and len(others) == 1 and others != faces[:1]
        return only_two and lying.get(owner, ()).count(face) > 1


def named_once(named: Sequence[NamedDie]) -> list[NamedDie]:
    """Dice without the second time that each is named, by its value: «my two reds, the 3 and the 2»."""
    half = len(named) // 2
    counted, listed = named[:half], named[half:]
    letters = {die.letter for die in counted}
    bare = all(die.value and not (die.letter or die.owner) for die in listed)
    if half < 2 or len(named) % 2 or len(letters) != 1 or letters == {""} or not bare:
        return list(named)
    told = sorted(die.value for die in counted if die.value)
    if told and told != sorted(die.value for die in listed):
        return list(named)
    first = counted[0]
    return [replace(die, letter=first.letter, owner=first.owner) for die in listed]
