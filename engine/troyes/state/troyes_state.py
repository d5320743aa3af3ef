"""The position: what lies on the table as plain values, and questions about it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from engine.kit.codec import OPTIONAL
from engine.troyes.card_data.card_types import Activity, EventCard, Outdoor
from engine.troyes.card_data.troyes_box import TroyesBox
from engine.troyes.state import ladies_modules, places
from engine.troyes.state.kept_plans import StandingPlan
from engine.troyes.state.places import Place
from engine.values import fixed

GRAY = "gray"
"""The neutral player: a district, citizens and cubes, but no money, influence or points (ruling A59)."""
LE_ROY = "le_roy"
"""The opponent of the solo game, who is neutral in gray's place. He has points and won events too (A55)."""
NEUTRALS = frozenset((GRAY, LE_ROY))
"""Owners without a purse, whose dice are paid to the bank."""
BANK = "bank"
BLANK = "unknown"
"""Stands for a card that nobody may see, in a redacted position."""
Frame = dict[str, Any]
"""One pending step as plain data; `step` names what runs it. Lists in it are shared, so they are replaced."""


@fixed
class OpenQuestion:
    """A decision that is open: whose it is, what is asked, and its number."""

    seat: str
    kind: str
    number: int


@dataclass
class House:
    """One player's family. `supply` is the number of citizens in hand, `reserve` the number of its citizens in the
    general supply.

    It has no slots, because its dict is cheap to copy.
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
    """Those that were completed by fighting, kept where the Ladies' activities are in play (A73)."""
    guard: int = field(default=0, metadata=OPTIONAL)
    """The guard's space on the ramparts."""

    def copy(self) -> House:
        """A copy that shares the lists: events replace them."""
        made = object.__new__(House)
        made.__dict__ = self.__dict__.copy()
        return made


@dataclass(slots=True)
class Card:
    """An Activity card: owners on spaces (dearest first, `""` free) and on the illustration, cubes by owner."""

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
    """An event in the queue: owners of its cubes, oldest first, and of the citizens it `held` (Possession)."""

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


@dataclass
class TroyesState:
    """A whole position. It has no slots, because its dict is cheap to copy."""

    box: TroyesBox
    options: dict[str, str]
    names: dict[str, str]
    """Seats clockwise, with the players' names."""
    start: str = ""
    round: int = 0
    phase: str = "setup"
    houses: dict[str, House] = field(default_factory=dict)
    dice: dict[str, list[str]] = field(default_factory=dict)
    """District (seat or gray) to its dice."""
    rolled: dict[str, int] = field(default_factory=dict)
    """District to the dice rolled into it this round: no more can lie there."""
    black: list[int] = field(default_factory=list)
    palace: list[str] = field(default_factory=lambda: [""] * 6)
    rows: dict[str, list[list[str]]] = field(
        default_factory=lambda: {on: [["", ""] for _ in range(3)] for on in (places.CITY_HALL, places.BISHOPRIC)}
    )
    lying: dict[str, list[str]] = field(default_factory=lambda: {building: [] for building in places.BUILDINGS})
    neutrals: int = 0
    """Neutral citizens left in the general supply."""
    cards: list[Card] = field(default_factory=list)
    cathedral: list[list[str]] = field(default_factory=lambda: [[""] * 6 for _ in range(3)])
    """Levels from the lowest; six columns each. A fourth one comes with Master Builder (Ladies)."""
    queue: list[QueuedEvent] = field(default_factory=list)
    tiles: list[Tile] = field(default_factory=list, metadata=OPTIONAL)
    """Outdoor tiles of levels I to IV, where the ramparts are played."""
    arrived: list[str] = field(default_factory=list, metadata=OPTIONAL)
    """Guards that have entered the tile of level IV, in order."""
    open_characters: list[str] = field(default_factory=list, metadata=OPTIONAL)
    """Characters turned up before the deal (A72)."""
    draws: dict[str, int] = field(default_factory=dict)
    """How often each kind of draw was made for each seat this round, `kind/seat`."""
    agenda: list[Frame] = field(default_factory=list)
    """Pending steps, the present one last."""
    asked: list[OpenQuestion] = field(default_factory=list)
    number: int = 0
    """The number of the newest decision of the game."""
    scores: dict[str, dict[str, int]] = field(default_factory=dict, metadata=OPTIONAL)
    """Filled at the end: seat to component to points."""
    pile: list[str] = field(default_factory=list)
    """Solo: the characters still to be judged, face up, the next one first."""
    decks: dict[str, list[str]] = field(default_factory=dict)
    """Secret: `red`, `yellow`, `white`, `unused_red`, and `activities` still face down; top first."""
    characters: dict[str, list[str]] = field(default_factory=dict)
    """Secret: the characters dealt to each seat."""
    wishes: dict[str, list[str]] = field(default_factory=dict)
    """Secret: places each seat prefers for the rest of the initial placement."""
    reacts: dict[str, dict[str, str]] = field(default_factory=dict, metadata=OPTIONAL)
    """Secret: standing answers by seat and tile, `always` or `never`; a tile that is missing asks."""
    plans: dict[str, tuple[StandingPlan, ...]] = field(default_factory=dict, metadata=OPTIONAL)
    """Secret: the standing orders of seats that have not fired for the last time."""
    sealed: dict[str, str] = field(default_factory=dict, metadata=OPTIONAL)
    """Secret: answers to the open sealed decision, as order lines."""

    def copy(self) -> TroyesState:
        """An independent position, for changes by hand."""
        return deepcopy(self)

    def fork(self) -> TroyesState:
        """A position for the rules to go on with. It shares all but its pending steps: events replace what changes."""
        made = object.__new__(TroyesState)
        made.__dict__ = self.__dict__.copy()
        made.agenda = [frame.copy() for frame in self.agenda]
        return made

    # Questions about the position that several rooms ask. No rule is decided here.

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats clockwise in the order they were given."""
        return tuple(self.names)

    @property
    def solo(self) -> bool:
        """Whether one person plays against le Roy."""
        return self.options.get("solo") == "yes"

    @property
    def neutral(self) -> str:
        """The neutral player: gray, or le Roy in a solo game (A55)."""
        return LE_ROY if self.solo else GRAY

    @property
    def all_neutrals(self) -> int:
        """How many citizens the neutral player has in all: more with the Ladies' events."""
        board = self.box.board
        if self.solo:
            return self.box.solo.citizens
        return board.neutral_citizens + (board.more_neutral_citizens if self.has("events") else 0)

    @property
    def players(self) -> int:
        """The number of players for numbers that depend on it; two in a solo game (D25)."""
        return 2 if self.solo else len(self.names)

    @property
    def circle(self) -> tuple[str, ...]:
        """All who take turns, clockwise: the seats, and le Roy where he plays."""
        return (*self.names, LE_ROY) if self.solo else tuple(self.names)

    def clockwise(self, first: str) -> tuple[str, ...]:
        """Every seat once, clockwise from `first`, who may be le Roy."""
        circle = self.circle
        at = circle.index(first)
        return tuple(seat for seat in circle[at:] + circle[:at] if seat != LE_ROY)

    def has(self, module: str) -> bool:
        """Whether a module of the Ladies is played."""
        return module in ladies_modules.modules_played(self.options)

    @property
    def backwards(self) -> bool:
        """Whether this round is played counter-clockwise (the last one of the tournament variant, A72)."""
        return ladies_modules.is_tournament(self.options) and self.round == self.box.board.rounds[self.players]

    def around(self, first: str) -> tuple[str, ...]:
        """Every seat once in the order of play of this round, from `first`."""
        seats = self.clockwise(first)
        return (seats[0], *reversed(seats[1:])) if self.backwards else seats

    def after(self, seat: str) -> str:
        """Who plays after a seat: the left-hand neighbour, in a backward round the right-hand one. It may be le Roy."""
        circle = self.circle
        at = circle.index(seat) + (-1 if self.backwards else 1)
        return circle[at % len(circle)]

    def others(self, seat: str) -> tuple[str, ...]:
        """The opponents, clockwise from the left-hand neighbour."""
        return self.clockwise(seat)[1:]

    def tile(self, id: str) -> Tile | None:
        """The outdoor tile in play with that id."""
        return next((tile for tile in self.tiles if tile.id == id), None)

    def outdoor(self, id: str) -> Outdoor:
        """The facts of an outdoor tile."""
        return self.box.outdoor[id]

    @property
    def answering(self) -> list[str]:
        """The tiles in play whose cubes react to others or to events."""
        return [tile.id for tile in self.tiles if self.box.outdoor[tile.id].when in ("react", "events")]

    def cubes_on(self, tile: str, seat: str) -> int:
        """The seat's cubes on an outdoor tile; none when that face is not in play."""
        return next((there.cubes.get(seat, 0) for there in self.tiles if there.id == tile), 0)

    def card(self, id: str) -> Card | None:
        """The activity in play with that id."""
        return next((card for card in self.cards if card.id == id), None)

    def best_space(self, id: str) -> int:
        """The number of the free space worth most on an activity; 0 when it has none or is not in play."""
        card = self.card(id)
        return card.spaces.index("") + 1 if card is not None and "" in card.spaces else 0

    def activity(self, id: str) -> Activity:
        """The facts of an Activity card."""
        return self.box.activities[id]

    def threat(self, id: str) -> QueuedEvent | None:
        """The event in the queue with that id."""
        return next((threat for threat in self.queue if threat.id == id), None)

    def event(self, id: str) -> EventCard:
        """The facts of an Event card."""
        return self.box.events[id]

    def free_banners(self, threat: QueuedEvent) -> int:
        """How many more cubes the event takes."""
        return self.box.events[threat.id].banners - len(threat.cubes)

    def owner_at(self, place: Place) -> str:
        """Who stands on a space of a building, or `""`."""
        if place.on == places.PALACE:
            return self.palace[place.space]
        return self.rows[place.on][place.row][place.space]

    def spaces(self, building: str) -> list[str]:
        """The owners on the spaces of a building, row by row. The list must not be changed."""
        return self.palace if building == places.PALACE else list(chain(*self.rows[building]))

    def standing(self, building: str) -> list[str]:
        """The owners standing in a building, one for each citizen."""
        return [owner for owner in self.spaces(building) if owner]

    def workforce(self, owner: str) -> list[str]:
        """The colours of the dice that a district gets for the round: one for each citizen standing in a building."""
        work = places.COLOUR_OF_BUILDING.items()
        colours = [colour for building, colour in work for _ in range(self.spaces(building).count(owner))]
        return [*colours, "purple"] if owner != GRAY and self.has("head") else colours

    def free_spaces(self) -> list[Place]:
        """The empty spaces of the three principal buildings."""
        return [place for place, owner in zip(places.SPACES, self._all_spaces(), strict=True) if not owner]

    def _all_spaces(self) -> Iterator[str]:
        """Who stands on each of `places.SPACES`."""
        return chain(self.palace, *self.rows[places.BISHOPRIC], *self.rows[places.CITY_HALL])

    def whereabouts(self, owner: str) -> Iterator[Place]:
        """Every place on the board where the owner has a citizen: buildings, lying, Activity cards."""
        for place, stands in zip(places.SPACES, self._all_spaces(), strict=True):
            if stands == owner:
                yield place
        for building, lying in self.lying.items():
            for lies in lying:
                if lies == owner:
                    yield Place(building, places.LYING)
        for card in self.cards:
            if card.has(owner):
                # Only the neutral player may have several tradesmen on one card (Monk, A26).
                for _ in range(card.spaces.count(owner) + card.picture.count(owner)):
                    yield Place(card.id)

    def tradesmen(self, owner: str) -> int:
        """On how many Activity cards the owner has a tradesman."""
        return sum(card.has(owner) for card in self.cards)

    def cubes_on_cathedral(self, owner: str) -> int:
        """The owner's cubes on the cathedral."""
        return sum([level.count(owner) for level in self.cathedral])

    @property
    def no_dice(self) -> bool:
        """Whether the square is empty: the round of actions is over (rulebook, Phase 5)."""
        return not any(self.dice.values())
