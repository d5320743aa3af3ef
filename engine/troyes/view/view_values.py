"""The values that a view is made of. They hold what one reader may see, and no way to look further."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from engine.catalog import Msg
from engine.troyes.board.phrases import dice_text

Words = Msg | str
A = TypeVar("A")
B = TypeVar("B")


def group_pairs(pairs: Iterable[tuple[A, B]]) -> tuple[tuple[A, tuple[B, ...]], ...]:
    """What belongs to each owner, in the order in which they are met."""
    found: dict[A, list[B]] = {}
    for owner, one in pairs:
        found.setdefault(owner, []).append(one)
    return tuple((owner, tuple(ones)) for owner, ones in found.items())


@dataclass(frozen=True, slots=True)
class Owner:
    """A player, or gray: the handle people type, and the name as it stands in a sentence («you» for the reader)."""

    seat: str
    name: Words
    mine: bool = False
    typed: bool = False
    """Whether the handle cannot be guessed from the name and has to be shown."""


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """An open decision."""

    owner: Owner
    kind: str
    question: Msg


@dataclass(frozen=True, slots=True)
class Purse:
    """What lies openly before a player."""

    owner: Owner
    deniers: int
    influence: int
    supply: int
    """Citizens in hand."""
    reserve: int
    """Own citizens still in the general supply."""
    coins: int
    """Deniers on the district, put by for passing."""
    passed: bool
    won: tuple[Msg, ...]
    vp: int | None
    """Victory points held, where this table plays with open ones; else None."""


@dataclass(frozen=True, slots=True)
class OwnSide:
    """The reader's own side, without secrets. `dice` are grouped by colour; `cubes` are those on Activity cards."""

    purse: Purse
    dice: tuple[tuple[str, ...], ...]
    cubes: tuple[tuple[Msg, int], ...]

    @property
    def told(self) -> tuple[Msg | str, ...]:
        """The dice in words."""
        return tuple(map(dice_text, self.dice))


@dataclass(frozen=True, slots=True)
class District:
    """The dice of one player, or of gray."""

    owner: Owner
    dice: tuple[str, ...]

    @property
    def told(self) -> Msg | str:
        """The same in words."""
        return dice_text(self.dice)


@dataclass(frozen=True, slots=True)
class Tradesman:
    """A citizen on an Activity card: `worth` in VP, 0 on the illustration."""

    owner: Owner
    worth: int


@dataclass(frozen=True, slots=True)
class ActivityView:
    """An Activity card in play. `free` is the worth of the best free space, None when only the illustration is."""

    word: str
    """As people type it; empty when it is the name in small letters."""
    name: Msg
    colour: Msg
    delayed: bool
    """Whether a group brings cubes and nothing else."""
    divisor: int
    """0 where every die counts once."""
    effect: Msg
    hire: int
    """In deniers, or in influence where `for_influence`."""
    free: int | None
    mine: Tradesman | None
    others: tuple[Tradesman, ...]
    cubes: tuple[tuple[Owner, int], ...]
    for_influence: bool = False
    dye: str = ""
    """The letter of its colour, as dice have it: `y`, `w`, `r`."""


@dataclass(frozen=True, slots=True)
class TileView:
    """An outdoor tile of the Ladies: `level` as it is typed, the space of its gate, and cubes."""

    level: str
    name: Msg
    gate: int
    effect: Msg
    cubes: tuple[tuple[Owner, int], ...]


@dataclass(frozen=True, slots=True)
class Ramparts:
    """The ramparts of the Ladies: tiles I to IV, the space of each guard, and who has arrived, in order."""

    tiles: tuple[TileView, ...]
    guards: tuple[tuple[Owner, int], ...]
    last: int
    arrived: tuple[Owner, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """A space of a building: the word for it (`4`, `3.2`) and who stands there."""

    word: str
    owner: Owner | None


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Spaces that one die leads to: the whole Palace has one row without dice of its own."""

    dice: tuple[int, ...]
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Building:
    """One of the three principal buildings."""

    name: Msg
    colour: Msg
    rows: tuple[PlaceRow, ...]
    lying: tuple[Owner, ...]

    @property
    def owners(self) -> tuple[tuple[Owner | None, tuple[str, ...]], ...]:
        """Each owner's spaces, and under None the free ones, in the order in which they are met."""
        return group_pairs((space.owner, space.word) for row in self.rows for space in row.spaces)


@dataclass(frozen=True, slots=True)
class EventView:
    """An event of the queue. `word` is `event-2`; `leaders` have most cubes, the one who takes the card first."""

    word: Msg
    name: Msg
    colours: tuple[Msg, ...]
    divisor: int
    effect: Msg
    banners: int
    free: int
    cubes: tuple[tuple[Owner, int], ...]
    leaders: tuple[Owner, ...]
    first: int
    second: int
    held: tuple[Owner, ...] = ()
    """Owners of the citizens on it (Possession)."""
    sends: int = 0
    """Black dice it sends each round."""
    dye: str = ""
    """The letter of its colour."""
    twin: bool = False
    """Whether another event here has the same name, so that `word` tells them apart."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the cathedral, 1 the lowest: columns with their owners, and columns that are free."""

    number: int
    built: tuple[tuple[int, Owner], ...]
    free: tuple[int, ...]
    mine: bool
    """Whether the reader has a cube here, without which the level costs points at the end."""

    @property
    def columns(self) -> tuple[tuple[Owner, tuple[int, ...]], ...]:
        """Each owner's columns."""
        return group_pairs((owner, column) for column, owner in self.built)


@dataclass(frozen=True, slots=True)
class Cathedral:
    """Levels from the lowest; influence by column; what a cube brings and a missing level costs, in VP."""

    levels: tuple[Level, ...]
    influence: tuple[int, ...]
    points: int
    missing: int


@dataclass(frozen=True, slots=True)
class OwnCharacter:
    """An own character: what it counts, the steps and their points, and one's count now."""

    name: Msg
    counts: Msg
    thresholds: tuple[int, ...]
    points: tuple[int, ...]
    now: int
    worth: int


@dataclass(frozen=True, slots=True)
class SecretView:
    """The reader's secrets: characters, victory points, places preferred for the initial placement."""

    characters: tuple[OwnCharacter, ...]
    vp: int
    wishes: tuple[Msg, ...]
    reacts: tuple[tuple[Msg, Msg], ...] = ()
    """What the seat's cubes do on each tile that reacts to others, and how to change it; empty where there is none."""
    answered: Msg | str = ""
    """The seat's own answer to a sealed decision, as an order."""
    plans: tuple[tuple[Msg, Msg], ...] = ()
    """The seat's standing orders, as it would write them, and how long each holds."""


@dataclass(frozen=True, slots=True)
class CharacterCount:
    """What a character of the pile counts for one of the two now, and its worth."""

    owner: Owner
    now: int
    worth: int


@dataclass(frozen=True, slots=True)
class PileCharacter:
    """A character of the pile of a solo game, face up."""

    name: Msg
    counts: Msg
    thresholds: tuple[int, ...]
    points: tuple[int, ...]
    standings: tuple[CharacterCount, ...]


@dataclass(frozen=True, slots=True)
class LeRoyView:
    """Le Roy's side of a solo game: dice from the strongest, citizens he has left, the characters from the top."""

    owner: Owner
    dice: tuple[str, ...]
    vp: int
    citizens: int
    won: tuple[Msg, ...]
    pile: tuple[PileCharacter, ...]

    @property
    def told(self) -> Msg | str:
        """The dice in words."""
        return dice_text(self.dice)


@dataclass(frozen=True, slots=True)
class TroyesView:
    """A whole position as `seat` may see it. `seat` is empty for a spectator, who has no side and no secrets."""

    seat: str
    heading: Msg
    phase: Msg
    round: int
    rounds: int
    start: Owner
    order: tuple[Owner, ...]
    """All players clockwise from the start player."""
    asked: tuple[OpenDecision, ...]
    question: Msg | None
    """What the reader is asked."""
    mine: OwnSide | None
    square: tuple[District, ...]
    prices: tuple[int, ...]
    """What each bought die costs in a group of one, two, three."""
    activities: tuple[ActivityView, ...]
    free_spaces: tuple[Msg, ...]
    """During the initial placement, as people type them; else empty."""
    events: tuple[EventView, ...]
    black: tuple[int, ...]
    rolls_left: int
    """Rolls of an Archer still to come."""
    cathedral: Cathedral
    buildings: tuple[Building, ...]
    others: tuple[Purse, ...]
    neutrals: int
    """Neutral citizens in the general supply."""
    secret: SecretView | None
    king: LeRoyView | None = None
    """Solo: the opponent, who has no purse."""
    ramparts: Ramparts | None = None
    """The Ladies' ramparts, where they are played."""
    open_characters: tuple[Msg, ...] = ()
    """Characters turned up before the deal."""
