"""What single things promise a seat: dice, citizens, cubes. What is guessed are the weights alone (`weights.toml`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.chronicle import Data
from engine.kit.box.tables import read_tables
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.troyes_box import TroyesBox
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import GRAY, QueuedEvent, Tile, TroyesState


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights of a round, in points, as `weights.toml` explains them; `left` is how many rounds come after it.

    Compared by identity, as one is kept a round: so it can be looked up quickly."""

    left: float
    denier: float
    influence: float
    die: float
    pip: float
    yellow: float
    white: float
    red: float
    hand: float
    palace: float
    bishopric: float
    city_hall: float
    salary: float
    rival: float
    tradesman: float
    placed: float
    step: float
    walked: float
    cube: float
    enough: float
    spare: float
    own: float
    react: float
    events: float
    before: float
    leads: float
    follows: float
    second: float
    level: float
    prize: float
    lasting: float
    spent: float
    ahead: float
    faces: Mapping[str, float]
    """What a die left to use is worth, by what it shows."""


def weights_now(state: TroyesState) -> Weights:
    """The weights of this round."""
    return BY_ROUND[max(0, state.box.board.rounds[state.players] - max(1, state.round))]


def read_weights(table: Data, left: int) -> Weights:
    """The weights of a table with so many rounds to come."""
    now = {name: _now(row, left) for name, row in table.items()}
    shares = {colour: now[colour] for colour in dice.COLOURS}
    faces = {word: now["die"] + now["pip"] * dice.die_value(word) for word in dice.FACES}
    faces = {word: shares.get(dice.die_colour(word), 1.0) * worth for word, worth in faces.items()}
    return Weights(left=left, faces=faces, **now)


def _now(row: float | list[float], left: int) -> float:
    return row[min(left, len(row) - 1)] if isinstance(row, list) else row


BY_ROUND = [read_weights(read_tables(__package__, "weights"), left) for left in range(9)]


def dice_value(words: Iterable[str], w: Weights) -> float:
    """What dice may still do."""
    return sum([w.faces[word] for word in words])


def reroll_gain(word: str, w: Weights) -> float:
    """What is gained by rolling a die again, on average."""
    return sum(w.faces[f"{word[0]}{number}"] for number in range(1, 7)) / 6 - w.faces[word]


@lru_cache
def building_values(box: TroyesBox, w: Weights) -> Mapping[str, float]:
    """What a citizen standing in each building is worth: a die in every round to come, less his salary."""
    work = {places.PALACE: w.palace, places.BISHOPRIC: w.bishopric, places.CITY_HALL: w.city_hall}
    return {
        building: (work[building] - w.salary * w.denier * box.board.salary[building]) * w.left
        for building in places.BUILDINGS
    }


def place_value(state: TroyesState, place: Place, w: Weights) -> float:
    """What a citizen is worth where he is, and is not any more when he is taken from there."""
    if not place.building:
        return w.hand * w.left if place.on == places.SUPPLY else w.placed + w.tradesman * w.left
    return building_values(state.box, w)[place.on] if place.standing else w.hand * w.left


def expelled_value(seat: str, expelled: str, w: Weights) -> float:
    """What it is worth that somebody is expelled, beside oneself."""
    return w.rival * w.left if expelled not in ("", seat, GRAY) else 0.0


def tradesman_value(facts: Activity, space: int, w: Weights) -> float:
    """One who works on a card, with the points of his space; 0 is the illustration."""
    return w.tradesman * w.left + (facts.spaces[space - 1] if space else 0.0)


@lru_cache(4096)
def event_presence_value(box: TroyesBox, id: str, cubes: tuple[str, ...], seat: str, w: Weights) -> float:
    """What own cubes among those on an event promise of its reward, and of the point for being there at the end."""
    mine = cubes.count(seat)
    if not mine:
        return 0.0
    event = box.events[id]
    rivals = max((cubes.count(owner) for owner in {*cubes} - {seat}), default=0)
    share = (w.leads if mine >= rivals else w.follows) * mine / event.banners
    presence = box.board.presence_points / (1 + w.left)
    return share * (event.first + event.second * w.second) + (1 - share) * presence


def event_cube_value(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """One cube more on an event: its influence, and what it adds to the promise."""
    there = tuple(threat.cubes)
    more = event_presence_value(state.box, threat.id, (*there, seat), seat, w)
    return (
        w.influence * state.box.board.cube_influence + more - event_presence_value(state.box, threat.id, there, seat, w)
    )


def tile_cube_value(state: TroyesState, tile: Tile, w: Weights) -> float:
    """A cube on an outdoor tile that is used later; what it earns at the end is counted with the prizes."""
    by_use = {"own": w.own, "react": w.react, "events": w.events, "before": w.before}
    return by_use.get(state.outdoor(tile.id).when, 0.0)
