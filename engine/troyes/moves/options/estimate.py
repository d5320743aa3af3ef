"""What a position promises a seat, in deniers: a rule of thumb for ranking, not a rule of the game.

An option is worth the difference of the estimate before and after its walk, so that a new card ranks itself. The
weights below are all that is guessed; everything else is read off the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.troyes.board import prizes
from engine.troyes.board.declared import of
from engine.troyes.box.faces import Activity
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.state import GRAY, Card, Frame, QueuedEvent, Tile, TroyesState

DIE, PIP = 0.3, 0.42
"""A die that is left to use, and each of its pips."""
CITIZEN, WORK, SALARY, RIVAL = 0.3, 2.0, 0.5, 0.25
"""For each round to come: a citizen in hand or lying, the die of one in a building, his denier, and a rival's one."""
TRADESMAN = 0.1
"""For each round to come: a tradesman, beside the points of his space."""
CUBE, CUBE_LATE, ENOUGH, SPARE = 2.0, 0.4, 3, 0.3
"""A cube on a card for later, in the last round, how many are easily used, and the share that another is worth."""
SHOWN, HIDDEN = 0.8, 0.45
"""The share of an event's reward that its cubes promise whoever leads there, and the others."""
LEVEL, PRIZE = 0.8, 0.7
"""Shares of what a missing cathedral level will cost, and of what cubes will earn at the end."""
STEP, TILE, TILE_LATE = 0.3, {"own": 2.8, "react": 2.4, "events": 1.7, "before": 1.7}, 0.4
"""For each round to come a space on the ramparts; a cube on a tile by when it is used; the last round's share."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Deniers are worth less and points more the nearer the end is; `left` is how many rounds come after this."""

    denier: float
    influence: float
    point: float
    left: int


def weights(state: TroyesState) -> Weights:
    """The weights of this round."""
    return _weights(max(0, state.box.board.rounds[state.players] - state.round))


@lru_cache
def _weights(left: int) -> Weights:
    return Weights(1.0 if left else 0.3, 0.9 if left else 0.35, 2.2 if left > 1 else 2.8, left)


def estimate(state: TroyesState, seat: str) -> float:
    """What the position promises the seat."""
    w, house = weights(state), state.houses[seat]
    found = w.denier * house.deniers + w.influence * house.influence + w.point * house.vp
    found += own_dice(state.dice[seat]) + CITIZEN * w.left * house.supply
    for building in places.BUILDINGS:
        standing = state.standing(building)
        mine = standing.count(seat)
        found += citizen(state, building, w) * mine - RIVAL * w.left * (len(standing) - mine - standing.count(GRAY))
        found += CITIZEN * w.left * state.lying[building].count(seat)
    missing = sum(seat not in level for level in state.cathedral)
    found -= missing * state.box.board.missing_level_loss * w.point * LEVEL
    for card in state.cards:
        if card.cubes or card.has(seat):
            found += _card(state, seat, card, w)
    for threat in state.queue:
        if seat in threat.cubes:
            found += _event(state, seat, threat, w)
    if state.agenda and state.agenda[-1]["step"] == "archery":
        found += _rolls(state, seat, state.agenda[-1], w)
    if state.tiles:
        found += STEP * (w.left + 0.2) * house.guard + PRIZE * w.point * sum(prizes.on_tiles(state, seat).values())
        found += sum(tile_cube(state, tile, w) * tile.cubes.get(seat, 0) for tile in state.tiles)
    return found


def own_dice(words: list[str]) -> float:
    """What dice may still do."""
    return sum(DIE + PIP * dice.value(word) for word in words)


def citizen(state: TroyesState, building: str, w: Weights) -> float:
    """A citizen standing in a building: a die in every round to come, less his salary."""
    return (WORK - SALARY * state.box.board.salary[building]) * w.left


def at(state: TroyesState, place: Place, w: Weights) -> float:
    """What a citizen is worth where he is, and is not any more when he is taken from there."""
    if not place.building:
        return CITIZEN * w.left if place.on == places.SUPPLY else 4.0 + TRADESMAN * w.left
    return citizen(state, place.on, w) if place.standing else CITIZEN * w.left


def rival(seat: str, expelled: str, w: Weights) -> float:
    """What it is worth that somebody is expelled, beside oneself."""
    return RIVAL * w.left if expelled not in ("", seat, GRAY) else 0.0


def tradesman(facts: Activity, space: int, w: Weights) -> float:
    """One who works on a card, with the points of his space; 0 is the illustration."""
    return TRADESMAN * w.left + (w.point * facts.spaces[space - 1] if space else 0.0)


def _card(state: TroyesState, seat: str, card: Card, w: Weights) -> float:
    """A tradesman with the points of his space, and cubes for later."""
    cubes, facts, found = card.cubes.get(seat, 0), state.activity(card.id), 0.0
    if card.has(seat):
        space = card.spaces.index(seat) + 1 if seat in card.spaces else 0
        found = tradesman(facts, space, w)
    end = of(card.id).end
    if end is not None:
        found += PRIZE * w.point * end(card.cubes, facts.numbers).get(seat, 0)
    elif cubes:
        found += (CUBE if w.left else CUBE_LATE) * (min(cubes, ENOUGH) + SPARE * max(0, cubes - ENOUGH))
    return found


def _event(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """What own cubes on an event promise of its reward."""
    mine = threat.cubes.count(seat)
    if not mine:
        return 0.0
    event = state.event(threat.id)
    rivals = max((threat.cubes.count(owner) for owner in {*threat.cubes} - {seat}), default=0)
    return w.point * (SHOWN if mine >= rivals else HIDDEN) * mine * (event.first + event.second / 2) / event.banners


def cube_on(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """One cube more on an event: its influence, and what it adds to the promise."""
    more = QueuedEvent(threat.id, [*threat.cubes, seat])
    gain = _event(state, seat, more, w) - _event(state, seat, threat, w)
    return w.influence * state.box.board.cube_influence + gain


def _rolls(state: TroyesState, seat: str, frame: Frame, w: Weights) -> float:
    """What rolls that are still to be made may bring."""
    chance = (7 - state.activity(frame["card"]).numbers["hits"]) / 6
    return int(frame["left"]) * chance * max(cube_on(state, seat, threat, w) for threat in state.queue)


def tile_cube(state: TroyesState, tile: Tile, w: Weights) -> float:
    """A cube on an outdoor tile that is used later; what it earns at the end is counted with the prizes."""
    return TILE.get(state.outdoor(tile.id).when, 0.0) * (1.0 if w.left else TILE_LATE)
