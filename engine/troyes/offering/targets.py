"""Sensible choices for the activations of a card."""

from __future__ import annotations

from engine.troyes import cathedral
from engine.troyes import places
from engine.troyes import threats
from engine.troyes.choices import CHOOSES
from engine.troyes.choices import INFLUENCE
from engine.troyes.choices import POINTS
from engine.troyes.effects.ladies_red import richest
from engine.troyes.offering.weights import Weights
from engine.troyes.offering.weights import cube_on
from engine.troyes.state import Threat
from engine.troyes.state import Town


def chosen(town: Town, seat: str, id: str, times: int, w: Weights) -> tuple[str, ...] | None:
    """What stands after the colon, without `use`; None when the card cannot be activated so often."""
    match CHOOSES.get(id):
        case None:
            return ()
        case "building":
            best = max((places.PALACE, places.BISHOPRIC), key=lambda b: town.standing(b).count(seat))
            return (best,) * times
        case "gain":
            numbers = town.activity(id).numbers
            better = numbers["influence"] * w.influence > numbers["points"] * w.point
            room = town.box.board.influence_max - town.houses[seat].influence
            first = min(times, room // max(1, numbers["influence"])) if better else 0
            return (INFLUENCE,) * first + (POINTS,) * (times - first)
        case "column":
            return _columns(town, times)
        case "seat":
            return _victims(town, seat, times)
    if id == "archer":
        return ()
    return _events(town, seat, id, times, w)


def _columns(town: Town, times: int) -> tuple[str, ...] | None:
    """Columns with most influence first, as far as there is room."""
    copy = town.copy()
    found: list[str] = []
    for column in sorted(
        range(1, town.box.board.columns + 1), key=lambda n: -town.box.board.cathedral_influence[n - 1]
    ):
        while len(found) < times and (level := cathedral.lowest(copy, column, len(copy.cathedral))):
            copy.cathedral[level - 1][column - 1] = "gray"
            found.append(str(column))
    return tuple(found) if len(found) == times else None


def _victims(town: Town, seat: str, times: int) -> tuple[str, ...]:
    """The richest each time, the first of the tied."""
    copy = town.copy()
    found: list[str] = []
    for _ in range(times):
        tied = richest(copy, seat) or list(copy.others(seat))
        found.append(tied[0])
        copy.houses[tied[0]].influence = max(0, copy.houses[tied[0]].influence - 1)
    return tuple(found)


def _events(town: Town, seat: str, id: str, times: int, w: Weights) -> tuple[str, ...]:
    open_ = [threat for threat in town.queue if threats.open_to(threat, town.activity(id))]
    ranked = sorted(open_, key=lambda threat: -cube_on(town, seat, threat, w))
    if id == "chivalry":
        return tuple(threat.id for threat in (ranked * times)[:times])
    if id == "scout":
        purse = town.houses[seat].deniers - 8
        return tuple(threat.id for threat in ranked[: max(1, min(len(ranked), purse))])
    each = town.activity(id).numbers.get("cubes", 1) if id == "catapult" else 1
    slots = [threat.id for threat in ranked for _ in range(_room(town, threat, each))]
    slots += [ranked[0].id if town.event(ranked[0].id).permanent else "marauding"] * times
    return tuple(slots[:times])


def _room(town: Town, threat: Threat, each: int) -> int:
    return -(-town.free_banners(threat) // each)
