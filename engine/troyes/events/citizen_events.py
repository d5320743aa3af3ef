"""Citizens moving between supply, buildings, Activity cards and Possession."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Draw
from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.kit.events import Event
from engine.kit.rolls import Rolled, once_a_round
from engine.troyes.events import lookup
from engine.troyes.events.dice_events import UPRISING, FateRolled, thrown_die
from engine.troyes.state import places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import GRAY, NEUTRALS, TroyesState
from engine.values import fixed


@fixed
class CitizensRecruited(Event[TroyesState]):
    """Citizens from the general supply into the personal one."""

    kind = "recruited"
    seat: str
    citizens: int

    def apply(self, state: TroyesState) -> None:
        house = lookup.house_of(state, self.seat)
        house.reserve -= self.citizens
        house.supply += self.citizens


@fixed
class Push:
    """A citizen who is pushed, and where he goes."""

    owner: str
    source: Place
    to: Place


@fixed
class CitizenMoves(Event[TroyesState]):
    """A citizen goes from one place to another, pushing others on his way."""

    kind = "moves"
    owner: str
    source: Place
    to: Place
    pushed: tuple[Push, ...] = ()

    def apply(self, state: TroyesState) -> None:
        """Move the citizen: he leaves, then those in his way are pushed, then he arrives (A42, A67)."""
        _take(state, self.owner, self.source)
        for push in self.pushed:
            _take(state, push.owner, push.source)
            _stand(state, push.owner, push.to)
        _stand(state, self.owner, self.to)


def uprising_building(state: TroyesState, number: int) -> str:
    """The building in which an uprising breaks out on this die: Bishopric, Palace, City Hall for 1-2, 3-4, 5-6."""
    return (places.BISHOPRIC, places.PALACE, places.CITY_HALL)[(thrown_die(state, number) - 1) // 2]


def _drawing(state: TroyesState, building: str) -> list[str]:
    """The owners of those whom an uprising seats anew: all who stand or lie there, a neutral one if none lies (A25)."""
    lying = state.lying[building]
    return [*state.standing(building), *lying, *[GRAY] * (0 if lying else min(1, state.neutrals))]


def lot_count(state: TroyesState, building: str) -> int:
    """How many lots there are for these citizens."""
    return max(len(places.spaces_of(building)), len(_drawing(state, building)))


@fixed(kw_only=True)
class BuildingReseated(Event[TroyesState]):
    """A whole building anew: who stands where (`seats`, row by row), who lies, and how many neutral citizens came."""

    kind = "reseated"
    draws_for = ("uprising_seats",)
    rolled: Rolled
    building: str
    seats: tuple[str, ...]
    lying: tuple[str, ...]
    neutrals: int

    @classmethod
    def by_lot(cls, rolled: Rolled, state: TroyesState, building: str) -> BuildingReseated:
        """Place every citizen where his lot sends him: on a space, or among those who lie."""
        citizens, spaces = _drawing(state, building), places.spaces_of(building)
        seats, down = [""] * len(spaces), []
        for owner, at in zip(citizens, rolled.numbers, strict=False):
            if at < len(spaces):
                seats[at] = owner
            else:
                down.append(owner)
        comes = len(citizens) - len(state.standing(building)) - len(state.lying[building])
        return cls(rolled=rolled, building=building, seats=tuple(seats), lying=tuple(down), neutrals=comes)

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        threw = past[-1]
        if threw.kind != FateRolled.kind or threw.data["event"] != UPRISING:
            raise PositionError("no uprising has broken out")
        building = uprising_building(state, threw.data["shown"][0])
        if self != self.by_lot(self.rolled, state, building):
            raise PositionError("who stands where does not follow from what was drawn")
        return Draw(once_a_round(state, "uprising_seats", state.start), lot_count(state, building), 0)

    def apply(self, state: TroyesState) -> None:
        for place, owner in zip(places.spaces_of(self.building), self.seats, strict=True):
            _set(state, place, owner)
        state.lying = {**state.lying, self.building: list(self.lying)}
        state.neutrals -= self.neutrals


def _take(state: TroyesState, owner: str, place: Place) -> None:
    if place.on == places.SUPPLY:
        if owner in NEUTRALS:
            state.neutrals -= 1
        else:
            lookup.house_of(state, owner).supply -= 1
    elif place.on == places.POSSESSION:
        lookup.queued_event(state, places.POSSESSION).held.remove(owner)
    elif place.spot == places.LYING:
        state.lying = {**state.lying, place.on: lookup.list_without(state.lying[place.on], owner)}
    elif place.building:
        if state.owner_at(place) != owner:
            raise PositionError(f"{owner} does not stand there", str(place))
        _set(state, place, "")
    else:
        card = lookup.card_of(state, place.on)
        if owner in card.spaces:
            card.spaces[card.spaces.index(owner)] = ""
        else:
            card.picture.remove(owner)


def _stand(state: TroyesState, owner: str, place: Place) -> None:
    if place.on == places.SUPPLY:
        if owner in NEUTRALS:
            state.neutrals += 1
        else:
            lookup.house_of(state, owner).supply += 1
    elif place.on == places.POSSESSION:
        lookup.queued_event(state, places.POSSESSION).held.append(owner)
    elif place.spot == places.LYING:
        state.lying = {**state.lying, place.on: [*state.lying[place.on], owner]}
    elif place.building:
        if state.owner_at(place):
            raise PositionError(f"{state.owner_at(place)} stands there already", str(place))
        _set(state, place, owner)
    elif place.spot == places.PICTURE:
        lookup.card_of(state, place.on).picture.append(owner)
    else:
        lookup.card_of(state, place.on).spaces[int(place.spot) - 1] = owner


def _set(state: TroyesState, place: Place, owner: str) -> None:
    if place.on == places.PALACE:
        state.palace = state.palace.copy()
        state.palace[place.space] = owner
    else:
        rows = [row.copy() for row in state.rows[place.on]]
        rows[place.row][place.space] = owner
        state.rows = {**state.rows, place.on: rows}
