"""What a position promises a seat: the points it may expect at the end, as far as the seat can see.

An option is worth the difference of the estimate before and after it is tried, so that a new card ranks itself. Only
the weights are guessed (`weights.toml`); everything else is read off the position. Of what is hidden, only the seat's
own characters count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from engine.event_log import Data
from engine.kit.card_data.tables import read_tables
from engine.troyes.board import scoring
from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.troyes_box import TroyesBox
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import GRAY, LE_ROY, Card, Frame, House, QueuedEvent, Tile, TroyesState


class Weights:
    """The weights of a round, in points (`weights.toml`): one object a round, compared and hashed by identity."""

    left: float
    """How many rounds come after this one."""
    faces: Mapping[str, float]
    """What a die left to use is worth, by what it shows."""

    def __init__(self, **weights: Any) -> None:
        self.__dict__.update(weights)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float: ...


def weights_now(state: TroyesState) -> Weights:
    """The weights of this round."""
    return BY_ROUND[max(0, state.box.board.rounds[state.players] - max(1, state.round))]


def read_weights(table: Data, left: int) -> Weights:
    """The weights of a table for a round with `left` rounds after it."""
    now = {name: _now(row, left) for name, row in table.items()}
    shares = {colour: now[colour] for colour in dice.COLOURS}
    faces = {word: now["die"] + now["pip"] * dice.die_value(word) for word in dice.FACES}
    faces = {word: shares.get(dice.die_colour(word), 1.0) * worth for word, worth in faces.items()}
    return Weights(left=left, faces=faces, **now)


def _now(row: float | list[float], left: int) -> float:
    return row[min(left, len(row) - 1)] if isinstance(row, list) else row


BY_ROUND = [read_weights(read_tables(__package__, "weights"), left) for left in range(9)]


def dice_value(words: Iterable[str], w: Weights) -> float:
    """What unused dice are worth."""
    return sum([w.faces[word] for word in words])


def reroll_gain(word: str, w: Weights) -> float:
    """The average gain of rolling a die again."""
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
    """What a citizen is worth in a place, and what is lost when he leaves it."""
    if not place.building:
        return w.hand * w.left if place.on == places.SUPPLY else w.placed + w.tradesman * w.left
    return building_values(state.box, w)[place.on] if place.standing else w.hand * w.left


def expelled_value(seat: str, expelled: str, w: Weights) -> float:
    """What it is worth, besides one's own gain, that somebody is expelled."""
    return w.rival * w.left if expelled not in ("", seat, GRAY) else 0.0


def tradesman_value(facts: Activity, space: int, w: Weights) -> float:
    """What a tradesman on a card is worth, with the points of his space; space 0 is the illustration."""
    return w.tradesman * w.left + (facts.spaces[space - 1] if space else 0.0)


@lru_cache(4096)
def event_presence_value(box: TroyesBox, id: str, cubes: tuple[str, ...], seat: str, w: Weights) -> float:
    """What own cubes on an event are worth: a share of its reward, and the point for presence."""
    mine = cubes.count(seat)
    if not mine:
        return 0.0
    event = box.events[id]
    rivals = max((cubes.count(owner) for owner in {*cubes} - {seat}), default=0)
    share = (w.leads if mine >= rivals else w.follows) * mine / event.banners
    presence = box.board.presence_points / (1 + w.left)
    return share * (event.first + event.second * w.second) + (1 - share) * presence


def event_cube_value(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """What one more cube on an event is worth, with its influence."""
    there = tuple(threat.cubes)
    more = event_presence_value(state.box, threat.id, (*there, seat), seat, w)
    return (
        w.influence * state.box.board.cube_influence + more - event_presence_value(state.box, threat.id, there, seat, w)
    )


def tile_cube_value(state: TroyesState, tile: Tile, w: Weights) -> float:
    """What a cube on an outdoor tile is worth for its use. Points at the end are counted elsewhere."""
    by_use = {"own": w.own, "react": w.react, "events": w.events, "before": w.before}
    return by_use.get(state.outdoor(tile.id).when, 0.0)


def expected_points(state: TroyesState, seat: str) -> float:
    """The points that the seat may expect at the end."""
    return Prospect(state, seat).base


class Prospect:
    """What a position promises a seat, and what positions one order later promise.

    Events replace what they change (`TroyesState.fork`), so an object that is still the same is not looked at again.
    The terms of the sum stand in one list, each at a fixed place.
    """

    def __init__(self, state: TroyesState, seat: str) -> None:
        self.seat, self.w, self._was = seat, weights_now(state), state
        seen = (*state.pile, *state.open_characters, *state.characters.get(seat, ()))
        self._hand, self._ahead = self.w.hand * self.w.left, self.w.ahead * self.w.left
        self._judges, self._looking_in = _judges(state.box, seen, _dealt(state), state.players, seat == LE_ROY, self.w)
        self._stand, self._work = scoring.citizens_by_colour(state, seat), scoring.cards_by_colour(state, seat)
        self._cubes = state.cubes_on_cathedral(seat)
        self._board = self._promised(scoring.counts_of(state.houses[seat], self._cubes, self._stand, self._work))
        self._terms = [term for building in places.BUILDINGS for term in self._building(state, building)]
        self._terms.append(self._built(state))
        self._terms += [self._card(state, card) for card in state.cards]
        self._terms += [self._event(state, threat) for threat in state.queue]
        self._terms += [0.0, *self._ramparts(state)]
        self.base = self.of(state)
        """The points that the seat may expect in this position."""

    def of(self, state: TroyesState) -> float:
        """The points that the seat may expect."""
        if self.seat in state.scores:
            return float(sum(state.scores[self.seat].values()))
        house = state.houses[self.seat]
        return sum(self._beside_dice(state, house), self._own(house, state.dice.get(self.seat, [])))

    def _own(self, house: House, words: list[str]) -> float:
        """What lies in the house, and unused dice."""
        w = self.w
        found = w.denier * (house.deniers + house.coins) + w.influence * house.influence + house.vp
        found += self._hand * house.supply + self._ahead
        return found if house.passed else found + dice_value(words, w)

    def _beside_dice(self, state: TroyesState, house: House) -> list[float]:
        """All terms but dice and what lies in the house."""
        was, seat, terms, at = self._was, self.seat, self._terms.copy(), _BUILT + 1
        stand, work, cubes = self._stand, self._work, self._cubes
        if state.rows is not was.rows or state.palace is not was.palace or state.lying is not was.lying:
            terms[:_BUILT] = [term for building in places.BUILDINGS for term in self._building(state, building)]
            stand = scoring.citizens_by_colour(state, seat)
        if state.cathedral is not was.cathedral:
            terms[_BUILT], cubes = self._built(state), state.cubes_on_cathedral(seat)
        if state.cards is not was.cards:
            for nth, (card, before) in enumerate(zip(state.cards, was.cards, strict=True), at):
                if card is not before:
                    terms[nth] = self._card(state, card)
                    if card.has(seat) != before.has(seat):
                        work = scoring.cards_by_colour(state, seat)
        at += len(was.cards)
        if state.queue is not was.queue:
            there = {threat.id: threat for threat in state.queue}
            for nth, threat in enumerate(was.queue, at):
                if (now := there.get(threat.id)) is not threat:
                    terms[nth] = self._event(state, now) if now is not None else 0.0
        at += len(was.queue)
        if state.agenda and state.agenda[-1]["step"] == "archery":
            terms[at] = self._rolls(state, state.agenda[-1])
        if state.tiles:
            terms[at + 1 :] = self._ramparts(state)
        if stand is self._stand and work is self._work and cubes == self._cubes:
            terms.append(self._judged(house))
        else:
            terms.append(sum(self._promised(scoring.counts_of(house, cubes, stand, work)), 0.0))
        return terms

    def _promised(self, counts: Mapping[str, int]) -> list[float]:
        """What each character that may count promises."""
        return [curve[min(counts[id], last)] for id, curve, last in self._judges]

    def _judged(self, house: House) -> float:
        """What all characters promise where only the house has changed."""
        found, there = self._board.copy(), scoring.in_house(house)
        for nth, (which, curve, last) in self._looking_in:
            count = there[which]
            found[nth] = curve[count if count < last else last]
        return sum(found, 0.0)

    def _building(self, state: TroyesState, building: str) -> tuple[float, float]:
        """Citizens who stand in a building, and those who lie there."""
        w, there = self.w, state.spaces(building)
        mine = there.count(self.seat)
        rivals = len(there) - there.count("") - mine - there.count(GRAY)
        standing = building_values(state.box, w)[building] * mine - w.rival * w.left * rivals
        return standing, w.hand * w.left * state.lying[building].count(self.seat)

    def _built(self, state: TroyesState) -> float:
        """The cathedral."""
        return scoring.cathedral_points(state, self.seat) * self.w.level

    def _card(self, state: TroyesState, card: Card) -> float:
        """A tradesman with the points of his space, and cubes for later."""
        works = card.has(self.seat)
        if not card.cubes and not works:
            return 0.0
        w, cubes, facts, found = self.w, card.cubes.get(self.seat, 0), state.activity(card.id), 0.0
        if works:
            space = card.spaces.index(self.seat) + 1 if self.seat in card.spaces else 0
            found = tradesman_value(facts, space, w)
        end = declaration_of(card.id).end
        if end is not None:
            found += w.prize * end(card.cubes, facts.numbers).get(self.seat, 0)
        elif cubes:
            found += w.cube * (min(cubes, w.enough) + w.spare * max(0, cubes - w.enough))
        return found

    def _event(self, state: TroyesState, threat: QueuedEvent) -> float:
        """Own cubes on an event."""
        if self.seat not in threat.cubes:
            return 0.0
        return event_presence_value(state.box, threat.id, tuple(threat.cubes), self.seat, self.w)

    def _rolls(self, state: TroyesState, frame: Frame) -> float:
        """The rolls of an Archer that are still to come."""
        if frame["seat"] != self.seat:
            return 0.0
        chance = (7 - state.activity(frame["card"]).numbers["hits"]) / 6
        best = max(event_cube_value(state, self.seat, threat, self.w) for threat in state.queue)
        return int(frame["left"]) * chance * best

    def _ramparts(self, state: TroyesState) -> tuple[float, float]:
        """The guard with points at the end, and cubes that are used before."""
        if not state.tiles:
            return 0.0, 0.0
        seat, w, won = self.seat, self.w, sum(scoring.tile_points(state, self.seat).values())
        cubes = sum(tile_cube_value(state, tile, w) * tile.cubes[seat] for tile in state.tiles if seat in tile.cubes)
        return w.step * (w.left + w.walked) * state.houses[seat].guard + w.prize * won, cubes


_BUILT = 2 * len(places.BUILDINGS)
"""The place of the cathedral in the list of terms: after the buildings."""


def _dealt(state: TroyesState) -> int:
    """How many characters others were dealt."""
    return 0 if state.solo else state.box.board.characters[state.players] * (len(state.names) - 1)


@lru_cache
def _judges(
    box: TroyesBox, seen: tuple[str, ...], dealt: int, players: int, king: bool, w: Weights
) -> tuple[list[tuple[str, list[float], int]], list[tuple[int, tuple[int, list[float], int]]]]:
    """The characters that may count at the end, and the places of those that look into the house.

    Each has an id, what it promises by what it counts, and the highest count that matters. A promise is weighed by how
    likely the character is in play and by how long its count lasts. One's own and open characters are in play; `dealt`
    is how many others hold.
    """
    rest = [id for id in box.characters if id not in seen]
    likely = [(id, 1.0) for id in seen if id in box.characters] + [(id, dealt / len(rest)) for id in rest if dealt]
    found = list[tuple[str, list[float], int]]()
    for id, share in likely:
        kept = w.spent if id in scoring.OTHERS_HIDDEN else w.lasting
        if kept and not (king and id in scoring.OTHERS_HIDDEN):
            curve = [share * (kept * points) for points in _curve(box, id, players)]
            found.append((id, curve, len(curve) - 1))
    looking_in = [
        (nth, (scoring.IN_HOUSE.index(id), curve, last))
        for nth, (id, curve, last) in enumerate(found)
        if id in scoring.IN_HOUSE
    ]
    return found, looking_in


@lru_cache
def _curve(box: TroyesBox, id: str, players: int) -> Sequence[float]:
    """What a character promises for 0, 1, 2, …, rising evenly between its steps; the last is for more."""
    facts, found = box.characters[id], list[float]()
    steps = facts.two_player_thresholds if players == 2 else facts.thresholds
    for (low, least), (high, most) in pairwise(((0, 0), *zip(steps, facts.points, strict=True))):
        found += (least + (most - least) * (count - low) / (high - low) for count in range(len(found), high))
    return (*found, float(facts.points[-1]))
