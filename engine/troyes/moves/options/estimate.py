"""What a position promises a seat: the points it may expect at the end, as far as the seat can see.

An option is worth the difference of the estimate before and after its walk, so that a new card ranks itself. What is
guessed are the weights alone (`weights.toml`); everything else is read off the position. Of what is hidden only the
seat's own characters are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.chronicle import Data
from engine.kit.box.tables import read_tables
from engine.troyes.board import prizes, scoring
from engine.troyes.board.declared import of
from engine.troyes.box.box import TroyesBox
from engine.troyes.box.faces import Activity
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.state import GRAY, LE_ROY, Card, Frame, QueuedEvent, Tile, TroyesState


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


def weights(state: TroyesState) -> Weights:
    """The weights of this round."""
    return BY_ROUND[max(0, state.box.board.rounds[state.players] - max(1, state.round))]


def read(table: Data, left: int) -> Weights:
    """The weights of a table with so many rounds to come."""
    now = {name: _now(row, left) for name, row in table.items()}
    shares = {colour: now[colour] for colour in dice.COLOURS}
    faces = {word: now["die"] + now["pip"] * dice.value(word) for word in dice.FACES}
    faces = {word: shares.get(dice.colour(word), 1.0) * worth for word, worth in faces.items()}
    return Weights(left=left, faces=faces, **now)


def _now(row: float | list[float], left: int) -> float:
    return row[min(left, len(row) - 1)] if isinstance(row, list) else row


BY_ROUND = [read(read_tables(__package__, "weights"), left) for left in range(9)]


def estimate(state: TroyesState, seat: str) -> float:
    """The points that the seat may expect at the end."""
    if seat in state.scores:
        return float(sum(state.scores[seat].values()))
    return with_dice(state, seat, (state.dice.get(seat, []),))[0]


def with_dice(state: TroyesState, seat: str, districts: Sequence[list[str]]) -> list[float]:
    """The same before the end, as it would be with each of these dice in the seat's district."""
    w, house = weights(state), state.houses[seat]
    found = w.denier * (house.deniers + house.coins) + w.influence * house.influence + house.vp
    found += w.hand * w.left * house.supply + w.ahead * w.left
    terms = _beside_dice(state, seat, w)
    return [sum(terms, found if house.passed else found + own_dice(words, w)) for words in districts]


def _beside_dice(state: TroyesState, seat: str, w: Weights) -> list[float]:
    """What everything promises but dice and what lies in the house."""
    house, found = state.houses[seat], list[float]()
    hand, rival, standing = w.hand * w.left, w.rival * w.left, in_buildings(state.box, w)
    for building in places.BUILDINGS:
        spaces, lying = state.spaces(building), state.lying[building]
        mine = spaces.count(seat)
        rivals = len(spaces) - spaces.count("") - mine - spaces.count(GRAY)
        found.append(standing[building] * mine - rival * rivals)
        if lying:
            found.append(hand * lying.count(seat))
    found.append(scoring.cathedral(state, seat) * w.level)
    for card in state.cards:
        if card.cubes or card.has(seat):
            found.append(_card(state, seat, card, w))
    for threat in state.queue:
        if seat in threat.cubes:
            found.append(_event(state, seat, threat, w))
    if state.agenda and state.agenda[-1]["step"] == "archery" and state.agenda[-1]["seat"] == seat:
        found.append(_rolls(state, seat, state.agenda[-1], w))
    if state.tiles:
        won = sum(prizes.on_tiles(state, seat).values())
        found.append(w.step * (w.left + w.walked) * house.guard + w.prize * won)
        found.append(sum(tile_cube(state, tile, w) * tile.cubes[seat] for tile in state.tiles if seat in tile.cubes))
    seen = (*state.pile, *state.open_characters, *state.characters.get(seat, ()))
    players = state.players
    dealt = 0 if state.solo else state.box.board.characters[players] * (len(state.names) - 1)
    counts = tuple(scoring.counted(state, seat).items())
    found.append(_judged(state.box, seen, dealt, counts, players, seat == LE_ROY, w))
    return found


def own_dice(words: Iterable[str], w: Weights) -> float:
    """What dice may still do."""
    return sum([w.faces[word] for word in words])


def again(word: str, w: Weights) -> float:
    """What is gained by rolling a die again, on average."""
    return sum(w.faces[f"{word[0]}{number}"] for number in range(1, 7)) / 6 - w.faces[word]


@lru_cache
def in_buildings(box: TroyesBox, w: Weights) -> Mapping[str, float]:
    """What a citizen standing in each building is worth: a die in every round to come, less his salary."""
    work = {places.PALACE: w.palace, places.BISHOPRIC: w.bishopric, places.CITY_HALL: w.city_hall}
    return {
        building: (work[building] - w.salary * w.denier * box.board.salary[building]) * w.left
        for building in places.BUILDINGS
    }


def at(state: TroyesState, place: Place, w: Weights) -> float:
    """What a citizen is worth where he is, and is not any more when he is taken from there."""
    if not place.building:
        return w.hand * w.left if place.on == places.SUPPLY else w.placed + w.tradesman * w.left
    return in_buildings(state.box, w)[place.on] if place.standing else w.hand * w.left


def rival(seat: str, expelled: str, w: Weights) -> float:
    """What it is worth that somebody is expelled, beside oneself."""
    return w.rival * w.left if expelled not in ("", seat, GRAY) else 0.0


def tradesman(facts: Activity, space: int, w: Weights) -> float:
    """One who works on a card, with the points of his space; 0 is the illustration."""
    return w.tradesman * w.left + (facts.spaces[space - 1] if space else 0.0)


def _card(state: TroyesState, seat: str, card: Card, w: Weights) -> float:
    """A tradesman with the points of his space, and cubes for later."""
    cubes, facts, found = card.cubes.get(seat, 0), state.activity(card.id), 0.0
    if card.has(seat):
        space = card.spaces.index(seat) + 1 if seat in card.spaces else 0
        found = tradesman(facts, space, w)
    end = of(card.id).end
    if end is not None:
        found += w.prize * end(card.cubes, facts.numbers).get(seat, 0)
    elif cubes:
        found += w.cube * (min(cubes, w.enough) + w.spare * max(0, cubes - w.enough))
    return found


def _event(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """What own cubes on an event promise of its reward, and of the point for being there at the end."""
    return _presence(state.box, threat.id, tuple(threat.cubes), seat, w)


@lru_cache(4096)
def _presence(box: TroyesBox, id: str, cubes: tuple[str, ...], seat: str, w: Weights) -> float:
    mine = cubes.count(seat)
    if not mine:
        return 0.0
    event = box.events[id]
    rivals = max((cubes.count(owner) for owner in {*cubes} - {seat}), default=0)
    share = (w.leads if mine >= rivals else w.follows) * mine / event.banners
    presence = box.board.presence_points / (1 + w.left)
    return share * (event.first + event.second * w.second) + (1 - share) * presence


def cube_on(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """One cube more on an event: its influence, and what it adds to the promise."""
    there = tuple(threat.cubes)
    more = _presence(state.box, threat.id, (*there, seat), seat, w)
    return w.influence * state.box.board.cube_influence + more - _presence(state.box, threat.id, there, seat, w)


def _rolls(state: TroyesState, seat: str, frame: Frame, w: Weights) -> float:
    """What rolls that are still to be made may bring."""
    chance = (7 - state.activity(frame["card"]).numbers["hits"]) / 6
    return int(frame["left"]) * chance * max(cube_on(state, seat, threat, w) for threat in state.queue)


def tile_cube(state: TroyesState, tile: Tile, w: Weights) -> float:
    """A cube on an outdoor tile that is used later; what it earns at the end is counted with the prizes."""
    by_use = {"own": w.own, "react": w.react, "events": w.events, "before": w.before}
    return by_use.get(state.outdoor(tile.id).when, 0.0)


@lru_cache(8192)
def _judged(
    box: TroyesBox,
    seen: tuple[str, ...],
    dealt: int,
    counts: tuple[tuple[str, int], ...],
    players: int,
    king: bool,
    w: Weights,
) -> float:
    """What the characters that may count at the end promise for what they count."""
    found, counted = 0.0, dict(counts)
    for id, share in _judges(box, seen, dealt):
        blind = id in scoring.BLIND
        kept = w.spent if blind else w.lasting
        if kept and not (blind and king):
            found += share * (kept * _between(box, id, counted[id], players))
    return found


@lru_cache
def _judges(box: TroyesBox, seen: tuple[str, ...], dealt: int) -> tuple[tuple[str, float], ...]:
    """The characters that may count at the end, each with how likely it is in play: one's own and the open ones are,
    and so many are dealt to others."""
    rest = [id for id in box.characters if id not in seen]
    known = ((id, 1.0) for id in seen if id in box.characters)
    return (*known, *((id, dealt / len(rest)) for id in rest if dealt))


@lru_cache(1024)
def _between(box: TroyesBox, id: str, count: int, players: int) -> float:
    """What a character promises, rising evenly from each of its steps to the next."""
    facts = box.characters[id]
    steps = facts.two_player_thresholds if players == 2 else facts.thresholds
    for (low, least), (high, most) in pairwise(((0, 0), *zip(steps, facts.points, strict=True))):
        if count < high:
            return least + (most - least) * (count - low) / (high - low)
    return float(facts.points[-1])
