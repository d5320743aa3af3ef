"""What a position promises a seat: the points it may expect at the end, as far as the seat can see.

An option is worth the difference of the estimate before and after its walk, so that a new card ranks itself. What is
guessed are the weights alone (`estimate`); everything else is read off the position. Of what is hidden only the seat's
own characters are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from engine.troyes.board import prizes, scoring
from engine.troyes.board.declared import of
from engine.troyes.box.box import TroyesBox
from engine.troyes.moves.options.estimate import (
    Weights,
    cube_on,
    in_buildings,
    own_dice,
    presence,
    tile_cube,
    tradesman,
    weights,
)
from engine.troyes.state import dice, places
from engine.troyes.state.state import GRAY, LE_ROY, Card, Frame, QueuedEvent, TroyesState
from engine.values import fixed


def estimate(state: TroyesState, seat: str) -> float:
    """The points that the seat may expect at the end."""
    return Prospect(state, seat).base


@fixed(eq=False)
class _Building:
    """What lies in a building, with what it promises and how many citizens of one's own stand there."""

    spaces: Sequence[object]
    lying: list[str]
    standing: float
    hand: float
    mine: int


@fixed(eq=False)
class _Worker:
    """An Activity card, with what it promises and whether a tradesman of one's own is there."""

    card: Card
    worth: float
    colour: str
    works: bool


@fixed(eq=False)
class _Cathedral:
    """The levels, with what they promise and how many cubes there are one's own."""

    levels: list[list[str]]
    worth: float
    cubes: int


class Prospect:
    """What a position promises a seat, and what others promise that were walked to from there.

    Facts put anew whatever they change (`TroyesState.fork`): what is still the same object is not looked at again. No
    order changes which characters there are.
    """

    def __init__(self, state: TroyesState, seat: str) -> None:
        self.seat, self.w = seat, weights(state)
        self._buildings = {building: self._building(state, building) for building in places.BUILDINGS}
        self._cards = {card.id: self._worker(state, card) for card in state.cards}
        self._events = {threat.id: (threat, self._event(state, threat)) for threat in state.queue}
        self._cathedral = self._built(state)
        seen = (*state.pile, *state.open_characters, *state.characters.get(seat, ()))
        self._judges = state.box, seen, _dealt(state), state.players, seat == LE_ROY
        self.base = self.of(state)
        """The points that the seat may expect in that position itself."""

    def of(self, state: TroyesState) -> float:
        """The points that the seat may expect."""
        if self.seat in state.scores:
            return float(sum(state.scores[self.seat].values()))
        return self.with_dice(state, (state.dice.get(self.seat, []),))[0]

    def with_dice(self, state: TroyesState, districts: Sequence[list[str]]) -> list[float]:
        """The same before the end, as it would be with each of these dice in the seat's district."""
        w, house = self.w, state.houses[self.seat]
        found = w.denier * (house.deniers + house.coins) + w.influence * house.influence + house.vp
        found += w.hand * w.left * house.supply + w.ahead * w.left
        terms = self._beside_dice(state)
        return [sum(terms, found if house.passed else found + own_dice(words, w)) for words in districts]

    def _beside_dice(self, state: TroyesState) -> list[float]:
        """What everything promises but dice and what lies in the house."""
        seat, w, house, found = self.seat, self.w, state.houses[self.seat], list[float]()
        standing, men = dict[str, int](), {dice.YELLOW: 0, dice.WHITE: 0, dice.RED: 0}
        for building, there in self._buildings.items():
            spaces = state.palace if building == places.PALACE else state.rows[building]
            if spaces is not there.spaces or state.lying[building] is not there.lying:
                there = self._building(state, building)
            found += there.standing, there.hand
            standing[places.COLOUR_OF_BUILDING[building]] = there.mine
        built = self._cathedral if state.cathedral is self._cathedral.levels else self._built(state)
        found.append(built.worth)
        for card in state.cards:
            worker = self._cards.get(card.id)
            if worker is None or worker.card is not card:
                worker = self._worker(state, card)
            found.append(worker.worth)
            men[worker.colour] += worker.works
        for threat in state.queue:
            there_, worth = self._events.get(threat.id, (None, 0.0))
            found.append(worth if there_ is threat else self._event(state, threat))
        if state.agenda and state.agenda[-1]["step"] == "archery" and state.agenda[-1]["seat"] == seat:
            found.append(_rolls(state, seat, state.agenda[-1], w))
        if state.tiles:
            found += _on_ramparts(state, seat, w)
        found.append(_judged(*self._judges, tuple(scoring.counts(house, built.cubes, standing, men).items()), w))
        return found

    def _building(self, state: TroyesState, building: str) -> _Building:
        w, there, lying = self.w, state.spaces(building), state.lying[building]
        mine = there.count(self.seat)
        rivals = len(there) - there.count("") - mine - there.count(GRAY)
        standing = in_buildings(state.box, w)[building] * mine - w.rival * w.left * rivals
        spaces = state.palace if building == places.PALACE else state.rows[building]
        return _Building(spaces, lying, standing, w.hand * w.left * lying.count(self.seat), mine)

    def _built(self, state: TroyesState) -> _Cathedral:
        worth = scoring.cathedral(state, self.seat) * self.w.level
        return _Cathedral(state.cathedral, worth, state.cubes_on_cathedral(self.seat))

    def _worker(self, state: TroyesState, card: Card) -> _Worker:
        works = card.has(self.seat)
        worth = _card(state, self.seat, card, self.w) if card.cubes or works else 0.0
        return _Worker(card, worth, state.activity(card.id).color, works)

    def _event(self, state: TroyesState, threat: QueuedEvent) -> float:
        """What own cubes on an event promise."""
        if self.seat not in threat.cubes:
            return 0.0
        return presence(state.box, threat.id, tuple(threat.cubes), self.seat, self.w)


def _on_ramparts(state: TroyesState, seat: str, w: Weights) -> tuple[float, float]:
    """The guard with what is won at the end, and cubes that are used before."""
    won = sum(prizes.on_tiles(state, seat).values())
    cubes = sum(tile_cube(state, tile, w) * tile.cubes[seat] for tile in state.tiles if seat in tile.cubes)
    return w.step * (w.left + w.walked) * state.houses[seat].guard + w.prize * won, cubes


def _dealt(state: TroyesState) -> int:
    """How many characters others were dealt."""
    return 0 if state.solo else state.box.board.characters[state.players] * (len(state.names) - 1)


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


def _rolls(state: TroyesState, seat: str, frame: Frame, w: Weights) -> float:
    """What rolls that are still to be made may bring."""
    chance = (7 - state.activity(frame["card"]).numbers["hits"]) / 6
    return int(frame["left"]) * chance * max(cube_on(state, seat, threat, w) for threat in state.queue)


@lru_cache(8192)
def _judged(
    box: TroyesBox,
    seen: tuple[str, ...],
    dealt: int,
    players: int,
    king: bool,
    counts: tuple[tuple[str, int], ...],
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
