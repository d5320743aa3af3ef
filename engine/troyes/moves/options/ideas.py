"""Candidates for a turn: the likeliest order of each kind, walked, and worth what its walk changes in the estimate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from engine.chance import Blind, Unknown
from engine.errors import NotAllowed, OrderRefused, Unclear
from engine.troyes import box
from engine.troyes.actions.activating import capacity
from engine.troyes.board import buildings
from engine.troyes.board.choices import PLACE, USE
from engine.troyes.board.group import Group, form
from engine.troyes.box.faces import Activity
from engine.troyes.cards import Activation, perform
from engine.troyes.entries import Play
from engine.troyes.moves import legal
from engine.troyes.moves.options import guards, targets
from engine.troyes.moves.options.estimate import at, cube_on, estimate, own_dice, rival, weights
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.places import Place
from engine.troyes.state.state import Card, QueuedEvent, TroyesState

FOREIGN = 3
"""Dice of other districts that are looked at, per colour: the highest."""
SOURCES = 6
"""Places that a citizen to be placed is looked for in."""

Guess = tuple[float, Order]
"""A candidate of one kind, and what tells it from others of that kind."""
Groups = dict[str, list[tuple[Group, float]]]
"""Groups by colour, each with what using it gives up."""


@dataclass(frozen=True, slots=True)
class Idea:
    """An order, its worth, and its walk; none where that ends at a roll."""

    worth: float
    order: Order
    play: Play | None = None


class Thinker:
    """The candidates of one seat in one position; groups are put together once and shared by all kinds."""

    def __init__(self, state: TroyesState, seat: str, groups: Groups | None = None, base: float | None = None) -> None:
        self.state, self.seat, self.w = state, seat, weights(state)
        self.base = estimate(state, seat) if base is None else base
        self.groups = self._all_groups() if groups is None else groups

    def _all_groups(self) -> Groups:
        found: Groups = {colour: [] for colour in dice.COLOURS}
        cubes = ("", *legal.cubes_of(self.state, self.seat))
        for colour in dice.COLOURS:
            pool = legal.picks(self.state, self.seat, (colour,))
            own = [pick for pick in pool if pick.owner == self.seat]
            foreign = sorted((pick for pick in pool if pick.owner != self.seat), key=lambda pick: -dice.value(pick.die))
            pool = own + foreign[:FOREIGN]
            for using in cubes:
                for size in range(1, self.state.box.board.group_max + 1):
                    for chosen in dict.fromkeys(combinations(pool, size)):
                        for way in legal.usings(self.seat, using, chosen):
                            for group, cost in self._formed(chosen, way, colour):
                                found[group.colour].append((group, cost))
        return found

    def _formed(
        self, chosen: tuple[Pick, ...], using: Using, colour: str, *, mixed: bool = False
    ) -> Iterator[tuple[Group, float]]:
        try:
            group = form(self.state, self.seat, chosen, using, wanted=(colour,), mixed=mixed)
        except (NotAllowed, Unclear):
            return
        if group.cost <= self.state.houses[self.seat].deniers:
            own = [pick.die for pick in chosen if pick.owner == self.seat]
            yield group, group.cost * self.w.denier + own_dice(own) + (1.5 if using.card else 0.0)

    def _of(self, *colours: str) -> Iterator[tuple[Group, float]]:
        """The groups that count as one of these colours, each with what using it gives up."""
        return (found for colour in colours for found in self.groups[colour])

    def ideas(self) -> Iterator[Idea]:
        """The likeliest of every kind, walked."""
        kinds = (self._farms(), self._builds(), *map(self._fights, self.state.queue))
        found = [*self._walked(_best(*kinds)), *self.for_citizens()]
        yield from found
        if self.state.tiles:
            yield from self._walked(guards.likely(self.state, self.seat, self.w))
            yield from self._walked(
                order for idea in found for order in guards.with_cube(self.state, self.seat, idea.order)
            )

    def for_citizens(self) -> Iterator[Idea]:
        """The likeliest of what a citizen in hand may open: placing him, and each card."""
        return self._walked(
            _best(self._places(), *(way for card in self.state.cards for way in self._activations(card)))
        )

    def _walked(self, found: Iterator[Order]) -> Iterator[Idea]:
        for order in found:
            try:
                play = legal.walk(self.state, self.seat, order)
            except Unknown:
                yield Idea(0.0, order)
            except OrderRefused:
                continue
            else:
                yield Idea(estimate(play.state, self.seat) - self.base, order, play)

    def _farms(self) -> Iterator[Guess]:
        for group, cost in self._of(dice.YELLOW):
            gain = group.total // self.state.box.board.agriculture_divisor * self.w.denier
            yield gain - cost, orders.Farm(group.picks, group.using)

    def _builds(self) -> Iterator[Guess]:
        board, state = self.state.box.board, self.state
        levels = state.cathedral[: board.levels]
        built = [sum(bool(level[column]) for level in levels) for column in range(board.columns)]
        mine = {level for level, row in enumerate(levels) if self.seat in row}
        rules = box.read_rules(state.options)
        for group, cost in self._of(dice.WHITE):
            if group.using.card and "cathedral" in rules.forbids(state.activity(group.using.card)):
                continue
            heights, gain, new = built[:], 0.0, set(mine)
            for column in group.values:
                height = heights[column - 1]
                if height >= board.levels:
                    break
                heights[column - 1] += 1
                gain += self.w.point + board.cathedral_influence[column - 1] * self.w.influence
                if height not in new:
                    gain += board.missing_level_loss * self.w.point
                    new.add(height)
            else:
                yield gain - cost, orders.Build(group.picks, group.using)

    def _fights(self, threat: QueuedEvent) -> Iterator[Guess]:
        event, free = self.state.event(threat.id), self.state.free_banners(threat)
        each = cube_on(self.state, self.seat, threat, self.w)
        for group, cost in self._of(*event.dice):
            cubes = min(group.total // event.divisor, free)
            if cubes:
                freed = next(legal.freeings(self.state, threat, cubes))
                yield cubes * each - cost, orders.Fight(threat.id, group.picks, cubes, group.using, freed)

    def _places(self) -> Iterator[Guess]:
        for group, cost in self._of(*dice.COLOURS):
            if len(group.picks) != 1 or group.using.card:
                continue
            building = places.BUILDING_OF[group.colour]
            for source in self._sources[:SOURCES]:
                place = Place.parse(source)
                try:
                    way = buildings.entering(self.state, self.seat, building, group.total, place)
                except NotAllowed:
                    continue
                if way.to != way.source:
                    gain = at(self.state, way.to, self.w) - at(self.state, place, self.w)
                    gain += rival(self.seat, way.expels, self.w)
                    yield gain - cost, orders.Station(legal.coloured(group, group.colour), source)

    @cached_property
    def _sources(self) -> list[str]:
        return legal.sources(self.state, self.seat)

    @cached_property
    def _hand(self) -> str:
        """Where a tradesman is best taken from."""
        return min(self._sources, key=lambda source: at(self.state, Place.parse(source), self.w), default="")

    def _activations(self, card: Card) -> Iterator[Iterator[Guess]]:
        """The ways to activate a card; those that put cubes on a mixed one and those that use them are two kinds."""
        facts, house = self.state.activity(card.id), self.state.houses[self.seat]
        hiring, space, purse = "", 0, house.deniers
        if not card.has(self.seat):
            hiring, in_deniers = self._hand, facts.currency == "deniers"
            if not hiring or facts.hire > (house.deniers if in_deniers else house.influence):
                return
            purse -= facts.hire if in_deniers else 0
            space = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
        groups = [found for found in self._of(*facts.dice) if found[0].cost <= purse]
        if len(facts.dice) > 1:
            groups += self._many_colours()
        for word in (PLACE, USE) if facts.kind == "mixed" else ("",):
            yield self._activated(facts, groups, purse, word, (hiring, space))

    def _activated(
        self, facts: Activity, groups: list[tuple[Group, float]], purse: int, word: str, hired: tuple[str, int]
    ) -> Iterator[Guess]:
        state, card = self.state, self.state.card(facts.id)
        there = card.cubes.get(self.seat, 0) if card is not None else 0
        ways = []
        for group, cost in groups:
            most = capacity(group, facts)
            paid = there if word == USE else legal.affordable(state, self.seat, facts, purse - group.cost)
            times = min(most, paid)
            if times > 0 and (facts.divisor or times == most):
                ways.append((times, cost, group))
        if not ways:
            return
        top, _, group = max(ways, key=lambda way: way[0])
        likely = ((),) if word == PLACE else targets.likely(state, self.seat, facts, top, self.w)
        lists, first = [(word, *choices) if word else choices for choices in likely], bool(word)
        found = [
            (gain, chosen) for chosen in lists if (gain := self._gain(facts, top, chosen, group.values)) is not None
        ]
        if not found:
            return
        gain, chosen = max(found)
        for times, cost, group in ways:
            words = chosen if len(chosen) > first + top else chosen[: first + times]
            yield gain * times / top - cost, orders.Activate(facts.id, group.picks, times, *hired, words, group.using)

    def _gain(self, facts: Activity, times: int, chosen: tuple[str, ...], values: tuple[int, ...]) -> float | None:
        """What the effect alone changes; None where it is not allowed."""
        play = Play(self.state.copy(), Blind())
        try:
            perform(play, Activation(self.seat, facts, times, chosen, values))
        except OrderRefused:
            return None
        return estimate(play.state, self.seat) - self.base

    def _many_colours(self) -> Iterator[tuple[Group, float]]:
        """Own dice of several colours (Pilgrimage)."""
        own = [Pick(self.seat, word) for word in self.state.dice[self.seat]]
        for size in (2, 3):
            for chosen in dict.fromkeys(combinations(own, size)):
                if len({dice.colour(pick.die) for pick in chosen}) > 1:
                    yield from self._formed(chosen, Using(), dice.WHITE, mixed=True)


def _best(*kinds: Iterator[Guess]) -> Iterator[Order]:
    """The likeliest candidate of each kind that has any."""
    for kind in kinds:
        best = max(kind, key=lambda guess: guess[0], default=None)
        if best is not None:
            yield best[1]


def turn_ideas(thinker: Thinker) -> list[Idea]:
    """Candidates for a turn, the best first."""
    return sorted(thinker.ideas(), key=lambda idea: -idea.worth)


def recruiting(thinker: Thinker) -> Idea | None:
    """The best action that a citizen recruited now would open, less his price; None when none can be recruited."""
    board, house = thinker.state.box.board, thinker.state.houses[thinker.seat]
    if house.supply or not house.reserve or house.influence < board.recruit:
        return None
    hired = thinker.state.copy()
    hired.houses[thinker.seat].supply += 1
    hired.houses[thinker.seat].influence -= board.recruit
    found = Thinker(hired, thinker.seat, thinker.groups, thinker.base).for_citizens()
    best = max(found, key=lambda idea: idea.worth, default=None)
    if best is None or places.SUPPLY not in (getattr(best.order, "hiring", ""), getattr(best.order, "source", "")):
        return None
    return best


def influence_ideas(state: TroyesState, seat: str) -> list[Order]:
    """One use of each kind of influence that makes some sense: the lowest die again, the lowest turned, a citizen."""
    board, house = state.box.board, state.houses[seat]
    low = sorted(state.dice[seat], key=dice.value)
    found: list[Order] = []
    if low and house.influence >= board.reroll and dice.value(low[0]) <= 3:
        found.append(orders.Reroll(low[0]))
    turned = [word for word in low if dice.value(word) <= 2][: board.flip_dice]
    if turned and house.influence >= board.flip:
        found.append(orders.Flip(tuple(turned)))
    if not house.supply and house.reserve and house.influence >= board.recruit:
        found.append(orders.Recruit(1))
    return [*found, *legal.tiles_before(state, seat)]
