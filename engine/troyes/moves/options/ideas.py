"""Candidates for a turn: the likeliest order of each kind, walked, and worth what its walk changes in the estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from heapq import nlargest
from itertools import chain, combinations
from operator import itemgetter

from engine.chance import AllShow, Blind, Unknown
from engine.errors import NotAllowed, OrderRefused
from engine.troyes import box
from engine.troyes.actions.activating import capacity
from engine.troyes.board import buildings
from engine.troyes.board.choices import PLACE, USE
from engine.troyes.board.group import Group
from engine.troyes.box.faces import Activity
from engine.troyes.cards import Activation, perform
from engine.troyes.entries import Play
from engine.troyes.entries.citizens import CitizensRecruited
from engine.troyes.entries.money import InfluenceChanges
from engine.troyes.moves import legal
from engine.troyes.moves.options import guards, targets
from engine.troyes.moves.options.estimate import (
    again,
    at,
    cube_on,
    in_buildings,
    own_dice,
    rival,
    tradesman,
)
from engine.troyes.moves.options.pools import Paid, Pools, paid, pools
from engine.troyes.moves.options.prospect import Prospect
from engine.troyes.moves.options.targets import Choices
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import NOTHING_USED, Pick
from engine.troyes.state.places import Place
from engine.troyes.state.state import Card, QueuedEvent, TroyesState
from engine.values import fixed

SOURCES = 3
"""Places that a citizen to be placed is looked for in."""

WALKED, WITH_CUBES = 9, 2
"""Candidates that are walked, and those of them that are tried with the cube of a tile too."""

Guess = tuple[float, Order]
"""A candidate of one kind, and what tells it from others of that kind."""
Way = tuple[float, Callable[[], Order]]
"""The same before the order is made: of many ways few are ever looked at."""


@fixed
class Idea:
    """An order, its worth, and its walk; none where that ends at a roll. `then` is what a citizen is recruited for."""

    worth: float
    order: Order
    play: Play | None = None
    then: Order | None = None


class Thinker:
    """The candidates of one seat in one position; groups are put together once and shared by all kinds."""

    def __init__(self, state: TroyesState, seat: str, like: Thinker | None = None) -> None:
        """`like` has thought about the same dice and cards already."""
        self.state, self.seat, self.prospect = state, seat, Prospect(state, seat)
        self.w = self.prospect.w
        self.pools: Pools = like.pools if like else pools(state, seat, self.w)
        self.gains: dict[tuple[str, int, Choices], float | None] = like.gains if like else {}

    def ideas(self) -> list[Idea]:
        """The likeliest of all kinds, walked, the best first."""
        guesses = sorted(_best(*self._dice(), *self._citizens()), key=lambda way: -way[0])
        orders = [made() for _, made in guesses[:WALKED]]
        if self.state.tiles:
            orders += guards.likely(self.state, self.seat, self.w)
            orders += [more for order in orders[:WITH_CUBES] for more in guards.with_cube(self.state, self.seat, order)]
        return sorted(filter(None, map(self._walked, orders)), key=lambda idea: -idea.worth)

    def guesses(self, most: int) -> list[list[Guess]]:
        """So many of each kind as they are guessed, the likeliest first."""
        likeliest = (nlargest(most, kind, key=itemgetter(0)) for kind in (*self._dice(), *self._citizens()))
        kinds = [[(guess, made()) for guess, made in kind] for kind in likeliest if kind]
        return [*kinds, *([guess] for guess in self.for_tiles())]

    def ways(self) -> Iterator[Way]:
        """All of these kinds, as they are guessed."""
        return chain.from_iterable((*self._dice(), *self._citizens()))

    def for_tiles(self) -> Iterable[Guess]:
        """The likeliest uses of the guard, where there are ramparts."""
        return guards.guessed(self.state, self.seat, self.w) if self.state.tiles else ()

    def for_citizens(self) -> Iterator[Way]:
        """The likeliest of each kind that a citizen in hand may open."""
        return _best(*self._citizens())

    def _dice(self) -> Iterator[Iterator[Way]]:
        """The kinds that need dice alone."""
        yield from (self._farms(), self._builds(), *map(self._fights, self.state.queue))

    def _citizens(self) -> Iterator[Iterator[Way]]:
        """Placing a citizen, and each card."""
        yield self._places()
        for card in self.state.cards:
            yield from self._activations(card)

    def _walked(self, order: Order) -> Idea | None:
        return walked(self.prospect, self.state, order)

    def _farms(self) -> Iterator[Way]:
        for group, cost in self.pools[dice.YELLOW].best:
            gain = group.total // self.state.box.board.agriculture_divisor * self.w.denier
            if gain:
                yield gain - cost, partial(orders.Farm, group.picks, group.using)

    def _builds(self) -> Iterator[Way]:
        board, state = self.state.box.board, self.state
        levels = state.cathedral[: board.levels]
        built = [sum(bool(level[column]) for level in levels) for column in range(board.columns)]
        mine = {level for level, row in enumerate(levels) if self.seat in row}
        rules = box.read_rules(state.options)
        for group, cost in self.pools[dice.WHITE].all:
            if group.using.card and "cathedral" in rules.forbids(state.activity(group.using.card)):
                continue
            heights, gain, new = built[:], 0.0, set(mine)
            for column in group.values:
                height = heights[column - 1]
                if height >= board.levels:
                    break
                heights[column - 1] += 1
                gain += board.cathedral_influence[column - 1] * self.w.influence
                if height not in new:
                    gain += board.missing_level_loss * self.w.level
                    new.add(height)
            else:
                yield gain - cost, partial(orders.Build, group.picks, group.using)

    def _fights(self, threat: QueuedEvent) -> Iterator[Way]:
        event, free = self.state.event(threat.id), self.state.free_banners(threat)
        each = cube_on(self.state, self.seat, threat, self.w)
        for group, cost in self._best(event.dice):
            cubes = min(group.total // event.divisor, free)
            if cubes:
                yield cubes * each - cost, partial(_fight, self.state, threat, group, cubes)

    def _best(self, colours: Iterable[str]) -> Iterator[Paid]:
        """The groups that count as one of these colours and that no other equals for less."""
        return (paid for colour in colours for paid in self.pools[colour].best)

    def _places(self) -> Iterator[Way]:
        """Each way into a building, for the citizen who gives up least of those that can go it."""
        for colour in dice.COLOURS:
            building = places.BUILDING_OF[colour]
            worth = in_buildings(self.state.box, self.w)[building]
            for group, cost in self.pools[colour].single:
                for source, left in self._sources[:SOURCES]:
                    expels = self._entering(building, group.total, source)
                    if expels is not None:
                        gain = worth - left + rival(self.seat, expels, self.w)
                        yield gain - cost, partial(_station, group, colour, source)
                        break

    def _entering(self, building: str, number: int, source: Place) -> str | None:
        """Whom a citizen expels on his way in, if anybody; None where he cannot go, or is there already."""
        try:
            way = buildings.entering(self.state, self.seat, building, number, source)
        except NotAllowed:
            return None
        return way.expels if way.to != source else None

    @cached_property
    def _sources(self) -> list[tuple[Place, float]]:
        """Where a citizen can be taken from, each with what it gives up; the place that gives up least first."""
        supply = [Place(places.SUPPLY)] if self.state.houses[self.seat].supply else []
        there = dict.fromkeys((*supply, *self.state.whereabouts(self.seat)))
        found = [(place, at(self.state, place, self.w)) for place in there]
        return sorted(found, key=lambda source: source[1])

    def _activations(self, card: Card) -> Iterator[Iterator[Way]]:
        """The ways to activate a card; those that put cubes on a mixed one and those that use them are two kinds."""
        facts, house = self.state.activity(card.id), self.state.houses[self.seat]
        hiring, space, purse, bonus = "", 0, house.deniers, 0.0
        if not card.has(self.seat):
            in_deniers = facts.currency == "deniers"
            if not self._sources or facts.hire > (house.deniers if in_deniers else house.influence):
                return
            source, left = self._sources[0]
            hiring = str(source)
            purse -= facts.hire if in_deniers else 0
            space = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
            bonus = tradesman(facts, space, self.w) - left
            bonus -= facts.hire * (self.w.denier if in_deniers else self.w.influence)
        pools = [self.pools[colour].best if facts.divisor else self.pools[colour].all for colour in facts.dice]
        groups = [found for pool in pools for found in pool if found[0].cost <= purse]
        if len(facts.dice) > 1:
            groups += self._many_colours()
        for word in (PLACE, USE) if facts.kind == "mixed" else ("",):
            found = self._activated(facts, groups, purse, word, (hiring, space))
            yield ((guess + bonus, made) for guess, made in found)

    def _activated(
        self, facts: Activity, groups: list[Paid], purse: int, word: str, hired: tuple[str, int]
    ) -> Iterator[Way]:
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
            order = partial(orders.Activate, facts.id, group.picks, times, *hired, words, group.using)
            yield gain * times / top - cost, order

    def _gain(self, facts: Activity, times: int, chosen: Choices, values: tuple[int, ...]) -> float | None:
        """What the effect alone changes; None where it is not allowed."""
        key = (facts.id, times, chosen)
        if key not in self.gains:
            play = Play(self.state.fork(), Blind())
            try:
                perform(play, Activation(self.seat, facts, times, chosen, values))
                self.gains[key] = self.prospect.of(play.state) - self.prospect.base
            except OrderRefused:
                self.gains[key] = None
        return self.gains[key]

    def _many_colours(self) -> Iterator[Paid]:
        """Own dice of several colours (Pilgrimage)."""
        own = [Pick(self.seat, word) for word in self.state.dice[self.seat]]
        chosen = [chosen for size in (2, 3) for chosen in dict.fromkeys(combinations(own, size))]
        mixed = [picks for picks in chosen if len({dice.colour(pick.die) for pick in picks}) > 1]
        found = (legal.formed(self.state, self.seat, picks, NOTHING_USED, (dice.WHITE,), mixed=True) for picks in mixed)
        return paid(self.state, self.seat, filter(None, found), self.w)


def _fight(state: TroyesState, threat: QueuedEvent, group: Group, cubes: int) -> Order:
    freed = next(legal.freeings(state, threat, cubes))
    return orders.Fight(threat.id, group.picks, cubes, group.using, freed)


def _station(group: Group, colour: str, source: Place) -> Order:
    return orders.Station(legal.coloured(group, colour), str(source))


def _best(*kinds: Iterator[Way]) -> Iterator[Way]:
    """The likeliest candidate of each kind that has any."""
    for kind in kinds:
        best = max(kind, key=itemgetter(0), default=None)
        if best is not None:
            yield best


def walked(prospect: Prospect, state: TroyesState, order: Order) -> Idea | None:
    """An order with what its walk adds to what the seat of `prospect` may expect; None where the rules do not allow it.

    Where it ends at a roll, all dice show each number once, and the mean counts.
    """
    try:
        play = legal.walk(state, prospect.seat, order)
    except Unknown:
        ends = _ends(prospect, state, order)
        return Idea(sum(ends) / len(ends) - prospect.base, order)
    except OrderRefused:
        return None
    return Idea(prospect.of(play.state) - prospect.base, order, play)


def _ends(prospect: Prospect, state: TroyesState, order: Order) -> list[float]:
    """What an order that ends at a roll leads to, by what all dice show. A die rolled again changes nothing else."""
    seat = prospect.seat
    if not isinstance(order, orders.Reroll) or order.until:
        return [prospect.of(legal.walk(state, seat, order, AllShow(number)).state) for number in range(1, 7)]
    end, kept = legal.walk(state, seat, order, AllShow(1)).state, state.dice[seat][:]
    kept.remove(order.die)
    return prospect.with_dice(end, [dice.tidy([*kept, f"{order.die[0]}{number}"]) for number in range(1, 7)])


def _recruiting(thinker: Thinker) -> Idea | None:
    """To recruit for the best action that a citizen opens, less his price; None when none can be recruited."""
    board, house = thinker.state.box.board, thinker.state.houses[thinker.seat]
    if house.supply or not house.reserve or house.influence < board.recruit:
        return None
    hired = thinker.state.fork()
    CitizensRecruited(thinker.seat, 1).apply(hired)
    InfluenceChanges(thinker.seat, -board.recruit).apply(hired)
    found = Thinker(hired, thinker.seat, thinker).for_citizens()
    worth, made = max(found, key=itemgetter(0), default=(0.0, orders.Pass))
    order = made()
    if places.SUPPLY not in (getattr(order, "hiring", ""), getattr(order, "source", "")):
        return None
    supply = at(thinker.state, Place(places.SUPPLY), thinker.w)
    return Idea(worth + supply - board.recruit * thinker.w.influence, orders.Recruit(1), then=order)


def turn(state: TroyesState, seat: str) -> list[Idea]:
    """What makes sense in a turn, the best first: actions, passing, what influence and tiles do before an action."""
    thinker = Thinker(state, seat)
    found = thinker.ideas()[:WALKED]
    recruit = _recruiting(thinker)
    if recruit is not None and recruit.worth > max([0.0, *(idea.worth for idea in found)]):
        found.append(recruit)
    others = [orders.Pass(), *influence_ideas(state, seat, recruits=recruit not in found)]
    found += filter(None, (walked(thinker.prospect, state, order) for order in others))
    return sorted(found, key=lambda idea: -idea.worth)


def guessed(state: TroyesState, seat: str, most: int) -> list[list[Guess]]:
    """What makes sense in a turn, by kinds: so many of each as they are guessed, the kind of the likeliest first."""
    thinker = Thinker(state, seat)
    found = [*thinker.guesses(most), *([guess] for guess in _beside(thinker))]
    return sorted(found, key=lambda kind: -kind[0][0])


def likeliest(state: TroyesState, seat: str) -> Order:
    """The first of these alone."""
    thinker = Thinker(state, seat)
    others: list[Way] = [(worth, partial(_given, order)) for worth, order in (*thinker.for_tiles(), *_beside(thinker))]
    return max(chain(thinker.ways(), others), key=itemgetter(0))[1]()


def _given(order: Order) -> Order:
    return order


def _beside(thinker: Thinker) -> Iterator[Guess]:
    """Passing, and what influence and tiles do before an action."""
    state, seat, w, board = thinker.state, thinker.seat, thinker.w, thinker.state.box.board
    yield board.pass_first * w.denier - own_dice(state.dice[seat], w), orders.Pass()
    for order in influence_ideas(state, seat, recruits=True):
        match order:
            case orders.Reroll(word):
                yield again(word, w) - board.reroll * w.influence, order
            case orders.Flip(words):
                turned = own_dice(map(dice.flipped, words), w) - own_dice(words, w)
                yield turned - board.flip * w.influence, order
            case orders.Recruit():
                yield at(state, Place(places.SUPPLY), w) - board.recruit * w.influence, order
            case _:
                idea = walked(thinker.prospect, state, order)
                if idea is not None:
                    yield idea.worth, order


def influence_ideas(state: TroyesState, seat: str, *, recruits: bool = False) -> list[Order]:
    """One use of each kind of influence that makes some sense: the lowest die again, the lowest turned, a citizen."""
    board, house = state.box.board, state.houses[seat]
    low = sorted(state.dice[seat], key=dice.value)
    found: list[Order] = []
    if low and house.influence >= board.reroll and dice.value(low[0]) <= 3:
        found.append(orders.Reroll(low[0]))
    turned = [word for word in low if dice.value(word) <= 2][: board.flip_dice]
    if turned and house.influence >= board.flip:
        found.append(orders.Flip(tuple(turned)))
    if recruits and not house.supply and house.reserve and house.influence >= board.recruit:
        found.append(orders.Recruit(1))
    return [*found, *legal.tiles_before(state, seat)]
