"""Sensible choices for the activations of a card."""

from __future__ import annotations

from engine.troyes.board import cathedral, threats
from engine.troyes.board.choices import INFLUENCE, POINTS
from engine.troyes.board.declared import of
from engine.troyes.cards.ladies_red import richest
from engine.troyes.moves.options.weights import Weights, cube_on
from engine.troyes.state import places
from engine.troyes.state.state import QueuedEvent, TroyesState


def chosen(state: TroyesState, seat: str, id: str, times: int, w: Weights) -> tuple[str, ...] | None:
    """What stands after the colon, without `use`; None when the card cannot be activated so often."""
    match of(id).chooses:
        case "":
            return ()
        case "building":
            best = max((places.PALACE, places.BISHOPRIC), key=lambda b: state.standing(b).count(seat))
            return (best,) * times
        case "gain":
            numbers = state.activity(id).numbers
            better = numbers["influence"] * w.influence > numbers["points"] * w.point
            room = state.box.board.influence_max - state.houses[seat].influence
            first = min(times, room // max(1, numbers["influence"])) if better else 0
            return (INFLUENCE,) * first + (POINTS,) * (times - first)
        case "column":
            return _columns(state, times)
        case "seat":
            return _victims(state, seat, times)
    if id == "archer":
        return ()
    return _events(state, seat, id, times, w)


def _columns(state: TroyesState, times: int) -> tuple[str, ...] | None:
    """Columns with most influence first, as far as there is room."""
    copy = state.copy()
    found: list[str] = []
    for column in sorted(
        range(1, state.box.board.columns + 1), key=lambda n: -state.box.board.cathedral_influence[n - 1]
    ):
        while len(found) < times and (level := cathedral.lowest(copy, column, len(copy.cathedral))):
            copy.cathedral[level - 1][column - 1] = "gray"
            found.append(str(column))
    return tuple(found) if len(found) == times else None


def _victims(state: TroyesState, seat: str, times: int) -> tuple[str, ...]:
    """The richest each time, the first of the tied."""
    copy = state.copy()
    found: list[str] = []
    for _ in range(times):
        tied = richest(copy, seat) or list(copy.others(seat))
        found.append(tied[0])
        copy.houses[tied[0]].influence = max(0, copy.houses[tied[0]].influence - 1)
    return tuple(found)


def _events(state: TroyesState, seat: str, id: str, times: int, w: Weights) -> tuple[str, ...]:
    open_ = [threat for threat in state.queue if threats.open_to(threat, state.activity(id))]
    ranked = sorted(open_, key=lambda threat: -cube_on(state, seat, threat, w))
    if id == "chivalry":
        return tuple(threat.id for threat in (ranked * times)[:times])
    if id == "scout":
        purse = state.houses[seat].deniers - 8
        return tuple(threat.id for threat in ranked[: max(1, min(len(ranked), purse))])
    each = state.activity(id).numbers.get("cubes", 1) if id == "catapult" else 1
    slots = [threat.id for threat in ranked for _ in range(_room(state, threat, each))]
    slots += [ranked[0].id if state.event(ranked[0].id).permanent else "marauding"] * times
    return tuple(slots[:times])


def _room(state: TroyesState, threat: QueuedEvent, each: int) -> int:
    return -(-state.free_banners(threat) // each)
