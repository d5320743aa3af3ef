"""What events take from everybody, one seat after another, and the Protection tile that saves it (A15, D16).

Drought, Civil War and Heresy take deniers or influence, Interrupted Work a cube of the cathedral. A seat with a cube on
the Protection tile may use it for each of them. Harsh Winter needs no protection, as it can take that very cube.
"""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.troyes.board import purse
from engine.troyes.events.card_events import CubeFalls, EventResolves, TileCubes
from engine.troyes.events.money_events import InfluenceChanges
from engine.troyes.events.play import Play
from engine.troyes.state import places
from engine.troyes.state.troyes_state import BANK, Frame, TroyesState
from engine.values import fixed

PROTECTION = "protection"


@fixed
class Loss:
    """What a seat owes to an event: how much of a `kind` (deniers, influence, cube), and how much is `there`."""

    kind: str
    owed: int
    there: int = 0

    @property
    def says(self) -> Msg:
        """The loss in words."""
        match self.kind:
            case "deniers":
                return T("{n} denier", "{n} deniers", n=self.owed)
            case "influence":
                return T("{n} influence", "{n} influence", n=self.owed)
        return T("your cube on the cathedral")


def loss_from(state: TroyesState, event: str, seat: str) -> Loss:
    """What the event would take from the seat now."""
    numbers, house = state.event(event).numbers, state.houses[seat]
    match event:
        case "drought":
            standing = state.standing(places.CITY_HALL).count(seat)
            return Loss("deniers", standing * numbers["deniers"], house.deniers)
        case "civil_war":
            return Loss("deniers", numbers["deniers"], house.deniers)
        case "heresy":
            return Loss("influence", numbers["influence"], house.influence)
    found = falling_cube(state)
    return Loss("cube", int(found is not None and found[0] == seat))


def falling_cube(state: TroyesState) -> tuple[str, int, int] | None:
    """The cube that Interrupted Work takes, with level and column: highest level, then highest number (A22)."""
    for level in range(len(state.cathedral), 0, -1):
        row = state.cathedral[level - 1]
        for column in range(len(row), 0, -1):
            if row[column - 1]:
                return row[column - 1], level, column
    return None


def ask_next_loser(play: Play, frame: Frame) -> bool:
    """Take the loss of the next seat, or ask whether it uses its cube."""
    state, event = play.state, frame["event"]
    if not frame["left"]:
        state.agenda.pop()
        return False
    seat = frame["left"][0]
    if state.tiles and state.cubes_on(PROTECTION, seat) and loss_from(state, event, seat).owed:
        play.ask(seat, "react")
        return True
    if frame.pop("answered", False) and loss_from(state, event, seat).owed:
        # The news after this belong to the event again, not to the answer before it.
        play.record(EventResolves(event))
    bear_loss(play, frame)
    return False


def bear_loss(play: Play, frame: Frame) -> None:
    """The next seat loses what it has, then points for what is missing (A15)."""
    event = frame["event"]
    seat, *frame["left"] = frame["left"]
    due = loss_from(play.state, event, seat)
    if due.kind == "cube":
        owner, level, column = falling_cube(play.state) or ("", 0, 0)
        play.record(CubeFalls(owner, level, column))
        return
    lost = min(due.owed, due.there)
    if due.kind == "deniers":
        purse.pay_deniers(play, seat, BANK, lost, "event")
    elif lost:
        play.record(InfluenceChanges(seat, -lost))
    if lost < due.owed:
        purse.change_points(play, seat, -play.state.box.board.unresolved_loss)


def use_protection(play: Play, frame: Frame) -> None:
    """The next seat uses its cube and loses nothing."""
    seat, *frame["left"] = frame["left"]
    play.record(TileCubes(PROTECTION, seat, -1))
