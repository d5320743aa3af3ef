"""Candidates for a turn, by kinds: what dice and citizens can be used for, each with an estimate of its worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import chain, combinations
from operator import itemgetter
from typing import Any

from engine.chance import BlindChance
from engine.errors import OrderRefused
from engine.troyes.actions.activation import capacity
from engine.troyes.board import buildings, threats
from engine.troyes.board.card_choices import INFLUENCE, PLACE, POINTS, USE
from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.board.dice_group import Group, group_of
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.cards import Activation, perform_activation
from engine.troyes.cards.ladies_red import richest
from engine.troyes.events.money_events import InfluenceChanges
from engine.troyes.events.play import Play
from engine.troyes.options import estimate
from engine.troyes.options.action_orders import freeings, payable_times, with_colour
from engine.troyes.options.dice_pools import Paid, Pools, dice_pools, payable_with_cost
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import NOTHING_USED, Order, Pick
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import Card, QueuedEvent, TroyesState
from engine.values import fixed

Choices = tuple[str, ...]


def likely_targets(
    state: TroyesState, seat: str, facts: Activity, times: int, w: estimate.Weights
) -> tuple[Choices, ...]:
    """Some sensible lists of choices, without the word `use`. A shorter list is the beginning of a longer one."""
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
    """The richest opponent each time, the first of the tied."""
    copy, found = state.fork(), []
    for _ in range(times):
        victim = next(iter(richest(copy, seat) or copy.others(seat)))
        there = copy.houses[victim].influence
        InfluenceChanges(victim, -min(there, facts.numbers["influence"])).apply(copy)
        found.append(victim)
    return tuple(found)


def _events(state: TroyesState, seat: str, facts: Activity, times: int, w: estimate.Weights) -> Choices:
    """The events where a cube is worth most, each as often as it has room; then the one that never leaves."""
    asks = declaration_of(facts.id)
    open_ = [threat for threat in state.queue if threats.open_to(threat, facts)]
    ranked = sorted(open_, key=lambda threat: -estimate.event_cube_value(state, seat, threat, w))
    if asks.chooses == "events":
        able = state.houses[seat].deniers // max(1, facts.numbers[asks.priced])
        return tuple(threat.id for threat in ranked[: max(1, able - RESERVE)])
    slots = [threat.id for threat in ranked for _ in range(_room(state, threat, facts))]
    lasting = next((threat.id for threat in ranked if state.event(threat.id).permanent), ranked[0].id)
    return tuple((slots + [lasting] * times)[:times])


def _room(state: TroyesState, threat: QueuedEvent, facts: Activity) -> int:
    """How many choices fit on an event; one where the number of cubes is not known."""
    if declaration_of(facts.id).several and "cubes" not in facts.numbers:
        return 1
    return -(-state.free_banners(threat) // facts.numbers.get("cubes", 1))


RESERVE = 8
"""Deniers that are kept for dice and hire when events are paid for one by one."""


SOURCES = 3
"""How many places to take a citizen from are considered."""


@fixed(eq=False)
class OneKind:
    """Candidates of one kind, each with its estimate and what `order` makes it of when needed."""

    ways: list[tuple[float, Any]]
    order: Callable[[Any], Order]

    def best(self) -> tuple[float, Any]:
        """The candidate with the best estimate."""
        return max(self.ways, key=itemgetter(0))


class Thinker:
    """The candidates of one seat in one position. All kinds share the groups of dice."""

    def __init__(self, state: TroyesState, seat: str) -> None:
        self.state, self.seat = state, seat
        self.prospect = estimate.Prospect(state, seat)
        self.w = self.prospect.w
        self.pools: Pools = dice_pools(state, seat, self.w)
        self.gains: dict[tuple[str, int, Choices], float | None] = {}

    def kinds(self) -> list[OneKind]:
        """All kinds that have a candidate."""
        of_dice = (self._farms(), self._builds(), *map(self._fights, self.state.queue))
        return [*(kind for kind in of_dice if kind.ways), *self.for_citizens()]

    def for_citizens(self) -> list[OneKind]:
        """The kinds that a citizen in hand allows: placing him, and activating each card."""
        placing = self._places()
        return [*([placing] if placing.ways else ()), *chain.from_iterable(map(self._activations, self.state.cards))]

    def _farms(self) -> OneKind:
        each, divisor = self.w.denier, self.state.box.board.agriculture_divisor
        groups = self.pools[dice.YELLOW].best
        ways = [(group.total // divisor * each - cost, group) for group, cost in groups if group.total >= divisor]
        return OneKind(ways, lambda group: orders.Farm(group.picks, group.using))

    def _builds(self) -> OneKind:
        board, state, w = self.state.box.board, self.state, self.w
        levels, ways = state.cathedral[: board.levels], list[tuple[float, Any]]()
        built = [len(levels) - column.count("") for column in zip(*levels, strict=True)]
        mine = {level for level, row in enumerate(levels) if self.seat in row}
        rules = read_rules(state.options)
        for group, cost in self.pools[dice.WHITE].all:
            if group.using.card and "cathedral" in rules.forbids(state.activity(group.using.card)):
                continue
            heights, gain, new = built[:], 0.0, set(mine)
            for column in group.values:
                height = heights[column - 1]
                if height >= board.levels:
                    break
                heights[column - 1] += 1
                gain += board.cathedral_influence[column - 1] * w.influence
                if height not in new:
                    gain += board.missing_level_loss * w.level
                    new.add(height)
            else:
                ways.append((gain - cost, group))
        return OneKind(ways, lambda group: orders.Build(group.picks, group.using))

    def _fights(self, threat: QueuedEvent) -> OneKind:
        event, free = self.state.event(threat.id), self.state.free_banners(threat)
        each = estimate.event_cube_value(self.state, self.seat, threat, self.w)
        ways = [
            (min(group.total // event.divisor, free) * each - cost, group)
            for colour in event.dice
            for group, cost in self.pools[colour].best
            if group.total >= event.divisor and free
        ]
        return OneKind(ways, partial(self._fight, threat, event.divisor))

    def _fight(self, threat: QueuedEvent, divisor: int, group: Group) -> Order:
        cubes = min(group.total // divisor, self.state.free_banners(threat))
        freed = next(freeings(self.state, threat, cubes))
        return orders.Fight(threat.id, group.picks, cubes, group.using, freed)

    def _places(self) -> OneKind:
        """Each way into a building, for the citizen whose place is worth least among those that can go there."""
        ways = list[tuple[float, Any]]()
        for colour in dice.COLOURS:
            building = places.BUILDING_OF[colour]
            worth = estimate.building_values(self.state.box, self.w)[building]
            for group, cost in self.pools[colour].single:
                for source, left in self._sources[:SOURCES]:
                    expels = self._entering(building, group.total, source)
                    if expels is not None:
                        gain = worth - left + estimate.expelled_value(self.seat, expels, self.w)
                        ways.append((gain - cost, (group, colour, source)))
                        break
        return OneKind(ways, lambda way: orders.Station(with_colour(way[0], way[1]), str(way[2])))

    def _entering(self, building: str, number: int, source: Place) -> str | None:
        """Whom a citizen expels on his way in, if anybody. None where he cannot enter or is there already."""
        way = buildings.entry_path(self.state, self.seat, building, number, source)
        return None if way.to == source or buildings.is_barred(self.state, way) else way.expels

    @cached_property
    def _sources(self) -> list[tuple[Place, float]]:
        """Where a citizen can be taken from, each with what is given up, the least first."""
        supply = [Place(places.SUPPLY)] if self.state.houses[self.seat].supply else []
        there = dict.fromkeys((*supply, *self.state.whereabouts(self.seat)))
        found = [(place, estimate.place_value(self.state, place, self.w)) for place in there]
        return sorted(found, key=itemgetter(1))

    def _activations(self, card: Card) -> Iterator[OneKind]:
        """The ways to activate a card. Placing cubes on a mixed card and using them are two kinds."""
        facts, house = self.state.activity(card.id), self.state.houses[self.seat]
        hiring, space, purse, bonus = "", 0, house.deniers, 0.0
        if not card.has(self.seat):
            in_deniers = facts.currency == "deniers"
            if not self._sources or facts.hire > (house.deniers if in_deniers else house.influence):
                return
            source, left = self._sources[0]
            hiring = str(source)
            purse -= facts.hire if in_deniers else 0
            space = self.state.best_space(card.id)
            bonus = estimate.tradesman_value(facts, space, self.w) - left
            bonus -= facts.hire * (self.w.denier if in_deniers else self.w.influence)
        pools = [self.pools[colour] for colour in facts.dice]
        groups = [found for pool in pools for found in (pool.best if facts.divisor else pool.all)]
        if purse < house.deniers:
            groups = [found for found in groups if found[0].cost <= purse]
        if len(facts.dice) > 1:
            groups += self._many_colours()
        for word in (PLACE, USE) if facts.kind == "mixed" else ("",):
            kind = self._activated(facts, groups, purse, bonus, word, (hiring, space))
            if kind is not None:
                yield kind

    def _activated(
        self, facts: Activity, groups: list[Paid], purse: int, bonus: float, word: str, hired: tuple[str, int]
    ) -> OneKind | None:
        counted = self._counted(facts, groups, purse, word)
        if not counted:
            return None
        top, _, group = max(counted, key=itemgetter(0))
        likely = ((),) if word == PLACE else likely_targets(self.state, self.seat, facts, top, self.w)
        lists, first = [(word, *choices) if word else choices for choices in likely], bool(word)
        found = [
            (gain, chosen) for chosen in lists if (gain := self._gain(facts, top, chosen, group.values)) is not None
        ]
        if not found:
            return None
        gain, chosen = max(found)
        whole = len(chosen) > first + top

        def order(way: tuple[int, Group]) -> Order:
            times, group = way
            words = chosen if whole else chosen[: first + times]
            return orders.Activate(facts.id, group.picks, times, *hired, words, group.using)

        ways = [(gain * times / top - cost + bonus, (times, group)) for times, cost, group in counted]
        return OneKind(ways, order)

    def _counted(self, facts: Activity, groups: list[Paid], purse: int, word: str) -> list[tuple[int, float, Group]]:
        """How often each group activates a card, as far as that can be paid, with its cost."""
        state, seat, found = self.state, self.seat, list[tuple[int, float, Group]]()
        card, in_deniers = state.card(facts.id), declaration_of(facts.id).priced == "cost"
        if word == USE:
            able, in_deniers = card.cubes.get(seat, 0) if card is not None else 0, False
        else:
            able = payable_times(state, seat, facts, purse)
        for group, cost in groups:
            times = most = capacity(group, facts)
            paid = payable_times(state, seat, facts, purse - group.cost) if in_deniers and group.cost else able
            if paid < most:
                times = paid if facts.divisor else 0
            if times > 0:
                found.append((times, cost, group))
        return found

    def _gain(self, facts: Activity, times: int, chosen: Choices, values: tuple[int, ...]) -> float | None:
        """What the effect alone changes, or None where it is not allowed."""
        key = (facts.id, times, chosen)
        if key not in self.gains:
            play = Play(self.state.fork(), BlindChance())
            try:
                perform_activation(play, Activation(self.seat, facts, times, chosen, values))
                self.gains[key] = self.prospect.of(play.state) - self.prospect.base
            except OrderRefused:
                self.gains[key] = None
        return self.gains[key]

    def _many_colours(self) -> Iterator[Paid]:
        """Own dice of several colours (Pilgrimage)."""
        own = [Pick(self.seat, word) for word in self.state.dice[self.seat]]
        chosen = [chosen for size in (2, 3) for chosen in dict.fromkeys(combinations(own, size))]
        mixed = [picks for picks in chosen if len({dice.die_colour(pick.die) for pick in picks}) > 1]
        found = (group_of(self.state.box, self.seat, picks, NOTHING_USED, (dice.WHITE,), True) for picks in mixed)
        return payable_with_cost(self.state, self.seat, filter(None, found), self.w)
