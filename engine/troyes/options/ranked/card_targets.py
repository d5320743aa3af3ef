"""Likely choices for the activations of a card, by what it asks."""

from __future__ import annotations

from engine.troyes.board import threats
from engine.troyes.board.card_choices import INFLUENCE, POINTS
from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.card_data.card_types import Activity
from engine.troyes.cards.ladies_red import richest
from engine.troyes.events.money_events import InfluenceChanges
from engine.troyes.options.ranked.item_values import Weights, event_cube_value
from engine.troyes.state import places
from engine.troyes.state.troyes_state import QueuedEvent, TroyesState

Choices = tuple[str, ...]


def likely_targets(state: TroyesState, seat: str, facts: Activity, times: int, w: Weights) -> tuple[Choices, ...]:
    """Some lists of what stands after the colon, without `use`; a shorter list is a beginning of a longer one."""
    asks = declaration_of(facts.id)
    match asks.chooses:
        case "building":
            return tuple((building,) * times for building in (places.PALACE, places.BISHOPRIC))
        case "gain":
            room = (state.box.board.influence_max - state.houses[seat].influence) // max(1, facts.numbers[INFLUENCE])
            first = min(times, room)
            return (POINTS,) * times, (INFLUENCE,) * first + (POINTS,) * (times - first)
        case "column":
            return (_columns(state)[:times],)
        case "seat":
            return (_victims(state, seat, facts, times),)
        case "event" | "events" if not asks.rolls:
            return (_events(state, seat, facts, times, w),)
    return ((),)


def _columns(state: TroyesState) -> Choices:
    """Columns with most influence first, each as often as there is room."""
    influence = state.box.board.cathedral_influence
    ranked = sorted(range(len(influence)), key=lambda column: -influence[column])
    return tuple(str(column + 1) for column in ranked for level in state.cathedral if not level[column])


def _victims(state: TroyesState, seat: str, facts: Activity, times: int) -> Choices:
    """The richest each time, the first of the tied."""
    copy, found = state.fork(), []
    for _ in range(times):
        victim = next(iter(richest(copy, seat) or copy.others(seat)))
        there = copy.houses[victim].influence
        InfluenceChanges(victim, -min(there, facts.numbers["influence"])).apply(copy)
        found.append(victim)
    return tuple(found)


def _events(state: TroyesState, seat: str, facts: Activity, times: int, w: Weights) -> Choices:
    """The events where a cube is worth most, each as often as it has room; beyond that the one that never goes."""
    asks = declaration_of(facts.id)
    open_ = [threat for threat in state.queue if threats.open_to(threat, facts)]
    ranked = sorted(open_, key=lambda threat: -event_cube_value(state, seat, threat, w))
    if asks.chooses == "events":
        able = state.houses[seat].deniers // max(1, facts.numbers[asks.priced])
        return tuple(threat.id for threat in ranked[: max(1, able - RESERVE)])
    slots = [threat.id for threat in ranked for _ in range(_room(state, threat, facts))]
    lasting = next((threat.id for threat in ranked if state.event(threat.id).permanent), ranked[0].id)
    return tuple((slots + [lasting] * times)[:times])


def _room(state: TroyesState, threat: QueuedEvent, facts: Activity) -> int:
    """How many choices fit on an event; one where it cannot be told how many cubes each brings."""
    if declaration_of(facts.id).several and "cubes" not in facts.numbers:
        return 1
    return -(-state.free_banners(threat) // facts.numbers.get("cubes", 1))


RESERVE = 8
"""Deniers that are kept for dice and hire when events are paid for one by one."""
