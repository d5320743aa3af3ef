"""The three principal buildings and the cathedral: who enters where, and who is pushed or may not be expelled.

Rulebook, Place a citizen on a principal building, Build the cathedral; rulings A42 to A46, A67. An `Entering` says what
would happen, and the event `CitizenMoves` makes it happen.
"""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.errors import Gone, NotAllowed
from engine.troyes.board import purse
from engine.troyes.board.phrases import owner_name, typed_place
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import CubeBuilt
from engine.troyes.events.citizen_events import CitizenMoves, Push
from engine.troyes.events.lookup import list_without
from engine.troyes.events.play import Play
from engine.troyes.state import places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import TroyesState
from engine.values import fixed


@fixed
class Entering:
    """A citizen's way into a building: from where, to which space, and who is pushed on the way."""

    owner: str
    source: Place
    to: Place
    pushed: tuple[tuple[str, Place, Place], ...]

    @property
    def expels(self) -> str:
        """The owner of the citizen who is expelled, or `""`: only the first who is pushed can be."""
        return self.pushed[0][0] if self.pushed and self.pushed[0][2].spot == places.LYING else ""


def checked_entry(state: TroyesState, owner: str, building: str, number: int, source: Place) -> Entering:
    """How a citizen gets from `source` into a building on a die. Raises NotAllowed where he may expel nobody (A43)."""
    way = entry_path(state, owner, building, number, source)
    if is_barred(state, way):
        raise NotAllowed(
            T(
                "{victim} cannot be expelled from {building} again this round: a citizen of that colour lies there.",
                victim=owner_name(state, way.expels),
                building=item_name(building),
            ),
            rule="A43",
        )
    return way


def entry_path(state: TroyesState, owner: str, building: str, number: int, source: Place) -> Entering:
    """The same way, without the check of who may be expelled."""
    lying = Place(building, places.LYING)
    if building == places.PALACE:
        to, there = places.space(building, number - 1), state.palace[number - 1]
        return Entering(owner, source, to, () if not there or to == source else ((there, to, lying),))
    row = state.box.board.row(number) - 1
    first, last = places.space(building, row, 0), places.space(building, row, 1)
    at_first, at_last = state.rows[building][row]
    if not at_first or first == source:
        return Entering(owner, source, first, ())
    moves = ((at_first, first, last),)
    return Entering(owner, source, first, moves if not at_last or last == source else ((at_last, last, lying), *moves))


def is_barred(state: TroyesState, way: Entering) -> bool:
    """Whether a citizen of the expelled colour lies there already, and is not the one who moves."""
    expelled = way.expels
    if not expelled:
        return False
    lying = state.lying[way.to.on]
    if way.owner == expelled and way.source == Place(way.to.on, places.LYING):
        lying = list_without(lying, expelled)
    return expelled in lying


def enter_building(play: Play, way: Entering) -> None:
    """Record that the citizen enters."""
    play.record(CitizenMoves(way.owner, way.source, way.to, tuple(Push(*push) for push in way.pushed)))


def check_source(state: TroyesState, seat: str, source: Place) -> None:
    """Raises Gone unless the seat has a citizen at `source`: the supply, a building, a card (A5)."""
    if source.on == places.SUPPLY:
        if not state.houses[seat].supply:
            says = T(
                "You have no citizen in hand: take one from the board, or recruit for {price} influence first.",
                price=state.box.board.recruit,
            )
            raise Gone(says, possible=_from(state, seat))
        return
    if source.spot == places.LYING:
        here = seat in state.lying[source.on]
    elif source.building:
        here = state.owner_at(source) == seat
    else:
        card = state.card(source.on)
        here = card is not None and card.has(seat)
    if not here:
        raise Gone(T("You have no citizen at {place}.", place=typed_place(str(source))), possible=_from(state, seat))


def _from(state: TroyesState, seat: str) -> tuple[Msg, ...]:
    """A few places where the seat has a citizen."""
    there = list(dict.fromkeys(state.whereabouts(seat)))[:4]
    return tuple(T("from {place}", place=typed_place(str(place))) for place in there)


def lowest_free_level(state: TroyesState, column: int, levels: int) -> int:
    """The lowest free level of a column, counted from 1; 0 when its `levels` are full."""
    return next((n for n in range(1, levels + 1) if not state.cathedral[n - 1][column - 1]), 0)


def raise_cube(play: Play, seat: str, level: int, column: int) -> None:
    """Build a player's cube, with its points and influence (rulebook, Build the cathedral)."""
    board = play.state.box.board
    play.record(CubeBuilt(seat, level, column))
    purse.change_points(play, seat, board.cathedral_points)
    purse.gain_influence(play, seat, board.cathedral_influence[column - 1])
