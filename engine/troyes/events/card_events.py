"""Activity cards, the cathedral, events, outdoor tiles and the ramparts."""

from __future__ import annotations

from engine.errors import PositionError
from engine.kit.events import Event
from engine.troyes.events import lookup
from engine.troyes.events.lookup import list_without
from engine.troyes.state.troyes_state import Card, QueuedEvent, TroyesState
from engine.values import fixed


def _draw(state: TroyesState, deck: str, id: str) -> None:
    """Take a card off its deck."""
    state.decks = {**state.decks, deck: list_without(state.decks[deck], id)}


@fixed
class ActivityRevealed(Event[TroyesState]):
    """A new Activity card."""

    kind = "activity"
    shows = True
    card: str

    def apply(self, state: TroyesState) -> None:
        _draw(state, "activities", self.card)
        state.cards = [*state.cards, Card(self.card, [""] * len(state.activity(self.card).spaces))]
        if state.activity(self.card).opens_level:
            state.cathedral = [*state.cathedral, [""] * len(state.cathedral[0])]


@fixed
class CubesChange(Event[TroyesState]):
    """Cubes of a seat put on an Activity card, or taken off it."""

    kind = "cubes"
    card: str
    seat: str
    by: int

    def apply(self, state: TroyesState) -> None:
        lookup.change_count(lookup.card_of(state, self.card), self.seat, self.by)


@fixed
class TileCubes(Event[TroyesState]):
    """Cubes of a seat put on an outdoor tile, or taken off it."""

    kind = "tile"
    tile: str
    seat: str
    by: int

    def apply(self, state: TroyesState) -> None:
        lookup.change_count(lookup.tile_in_play(state, self.tile), self.seat, self.by)


@fixed
class CubeBuilt(Event[TroyesState]):
    """A cube on the cathedral."""

    kind = "builds"
    owner: str
    level: int
    column: int

    def apply(self, state: TroyesState) -> None:
        _set(state, self.level, self.column, self.owner)


@fixed
class CubeFalls(Event[TroyesState]):
    """A cube falls from the cathedral."""

    kind = "falls"
    owner: str
    level: int
    column: int

    def apply(self, state: TroyesState) -> None:
        _set(state, self.level, self.column, "")


def _set(state: TroyesState, level: int, column: int, owner: str) -> None:
    state.cathedral = changed = state.cathedral.copy()
    changed[level - 1] = row = changed[level - 1].copy()
    row[column - 1] = owner


@fixed
class EventRevealed(Event[TroyesState]):
    """A new event in the queue."""

    kind = "threat"
    shows = True
    event: str
    deck: str

    def apply(self, state: TroyesState) -> None:
        _draw(state, self.deck, self.event)
        state.queue = [*state.queue, QueuedEvent(self.event)]


@fixed
class EventResolves(Event[TroyesState]):
    """An event takes effect. It sends `black` dice; what follows is its doing."""

    kind = "resolves"
    event: str
    black: int = 0


@fixed
class BannerCovered(Event[TroyesState]):
    """A cube on an event."""

    kind = "banner"
    event: str
    owner: str

    def apply(self, state: TroyesState) -> None:
        lookup.queued_event(state, self.event).cubes.append(self.owner)


@fixed
class BannerFreed(Event[TroyesState]):
    """The newest cube of an event goes back to its owner."""

    kind = "banner_off"
    event: str
    owner: str

    def apply(self, state: TroyesState) -> None:
        if lookup.queued_event(state, self.event).cubes.pop() != self.owner:
            raise PositionError(f"the newest cube is not {self.owner}'s", self.event)


@fixed
class EventCountered(Event[TroyesState]):
    """The last banner is covered: the winner takes the card, or it `stays` with its banners free.

    `fought` says that action 3 completed it, which matters to Scribe only.
    """

    kind = "countered"
    event: str
    winner: str = ""
    fought: bool = False
    stays: bool = False

    def apply(self, state: TroyesState) -> None:
        threat = lookup.queued_event(state, self.event)
        if self.stays:
            threat.cubes.clear()
            return
        state.queue = list_without(state.queue, threat)
        if self.winner in state.houses:
            house = lookup.house_of(state, self.winner)
            house.won = [*house.won, self.event]
            if self.fought:
                house.fought = [*house.fought, self.event]


@fixed
class GuardMoves(Event[TroyesState]):
    """A guard on the ramparts."""

    kind = "guard"
    seat: str
    to: int

    def apply(self, state: TroyesState) -> None:
        lookup.house_of(state, self.seat).guard = self.to


@fixed
class GuardArrives(Event[TroyesState]):
    """A guard enters the tile of level IV."""

    kind = "arrives"
    seat: str

    def apply(self, state: TroyesState) -> None:
        state.arrived = [*state.arrived, self.seat]


@fixed
class CharacterJudges(Event[TroyesState]):
    """Solo: a character leaves the pile. Events of their own say what it gave."""

    kind = "judged"
    character: str

    def apply(self, state: TroyesState) -> None:
        state.pile = list_without(state.pile, self.character)
