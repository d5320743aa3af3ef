"""Candidates for a turn: the likeliest order of each kind, walked, and worth what its walk changes in the estimate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import combinations
from typing import Any

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
from engine.troyes.moves import legal
from engine.troyes.moves.options import guards, targets
from engine.troyes.moves.options.estimate import at, cube_on, estimate, own_dice, rival, tradesman, weights, with_dice
from engine.troyes.moves.options.targets import Choices
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import NOTHING_USED, Pick
from engine.troyes.state.places import Place
from engine.troyes.state.state import Card, QueuedEvent, TroyesState

FOREIGN = 3
"""Dice of other districts that are looked at, per colour: the highest."""
SOURCES = 3
"""Places that a citizen to be placed is looked for in."""

MEAN = 3.5
"""Pips of a die that is not rolled yet."""
REMEMBERED = 5000
"""Pools of dice whose groups are kept."""

WALKED, WITH_CUBES = 9, 2
"""Candidates that are walked, and those of them that are tried with the cube of a tile too."""

Guess = tuple[float, Order]
"""A candidate of one kind, and what tells it from others of that kind."""
Groups = dict[str, list[tuple[Group, float]]]
"""Groups by colour, each with what using it gives up."""


@dataclass(frozen=True, slots=True)
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
        self.state, self.seat, self.w = state, seat, weights(state)
        self.base = estimate(state, seat)
        self.groups: Groups = like.groups if like else self._all_groups()
        self.gains: dict[tuple[str, int, Choices], float | None] = like.gains if like else {}

    def _all_groups(self) -> Groups:
        found: Groups = {colour: [] for colour in dice.COLOURS}
        for colour in dice.COLOURS:
            pool = legal.picks(self.state, self.seat, (colour,))
            own = [pick for pick in pool if pick.owner == self.seat]
            foreign = sorted((pick for pick in pool if pick.owner != self.seat), key=lambda pick: -dice.value(pick.die))
            for group, cost in self._paid(groups_of(self.state, self.seat, (*own, *foreign[:FOREIGN]), colour)):
                found[group.colour].append((group, cost))
        return found

    def _paid(self, groups: Iterable[Group]) -> Iterator[tuple[Group, float]]:
        """Those that the seat can pay, each with what using it gives up."""
        purse, w = self.state.houses[self.seat].deniers, self.w
        for group in groups:
            deniers = group.cost
            if deniers <= purse:
                own = [pick.die for pick in group.picks if pick.owner == self.seat]
                yield group, deniers * w.denier + own_dice(own, w) + (w.cube if group.using.card else 0.0)

    def _of(self, *colours: str) -> Iterator[tuple[Group, float]]:
        """The groups that count as one of these colours, each with what using it gives up."""
        return (found for colour in colours for found in self.groups[colour])

    def ideas(self) -> list[Idea]:
        """The likeliest of all kinds, walked, the best first."""
        guesses = sorted(_best(*self._dice(), *self._citizens()), key=lambda guess: -guess[0])
        orders = [order for _, order in guesses[:WALKED]]
        if self.state.tiles:
            orders += guards.likely(self.state, self.seat, self.w)
            orders += [more for order in orders[:WITH_CUBES] for more in guards.with_cube(self.state, self.seat, order)]
        return sorted(filter(None, map(self._walked, orders)), key=lambda idea: -idea.worth)

    def guesses(self, most: int) -> list[list[Guess]]:
        """So many of each kind as they are guessed, the likeliest first."""
        kinds = [nlargest(most, kind, key=lambda guess: guess[0]) for kind in (*self._dice(), *self._citizens())]
        if self.state.tiles:
            kinds += [[guess] for guess in guards.guessed(self.state, self.seat, self.w)]
        return [kind for kind in kinds if kind]

    def for_citizens(self) -> Iterator[Guess]:
        """The likeliest of each kind that a citizen in hand may open."""
        return _best(*self._citizens())

    def _dice(self) -> Iterator[Iterator[Guess]]:
        """The kinds that need dice alone."""
        yield from (self._farms(), self._builds(), *map(self._fights, self.state.queue))

    def _citizens(self) -> Iterator[Iterator[Guess]]:
        """Placing a citizen, and each card."""
        yield self._places()
        for card in self.state.cards:
            yield from self._activations(card)

    def _walked(self, order: Order) -> Idea | None:
        return walked(self.state, self.seat, order, self.base)

    def _farms(self) -> Iterator[Guess]:
        for group, cost in self._of(dice.YELLOW):
            gain = group.total // self.state.box.board.agriculture_divisor * self.w.denier
            if gain:
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
                gain += board.cathedral_influence[column - 1] * self.w.influence
                if height not in new:
                    gain += board.missing_level_loss * self.w.level
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
        cheapest: dict[tuple[str, int], tuple[Group, float]] = {}
        for group, cost in self._of(*dice.COLOURS):
            way_in = group.colour, group.total
            if (
                len(group.picks) == 1
                and not group.using.card
                and (way_in not in cheapest or cost < cheapest[way_in][1])
            ):
                cheapest[way_in] = group, cost
        for source in self._sources[:SOURCES]:
            left = at(self.state, source, self.w)
            for (colour, value), (group, cost) in cheapest.items():
                try:
                    way = buildings.entering(self.state, self.seat, places.BUILDING_OF[colour], value, source)
                except NotAllowed:
                    continue
                if way.to != source:
                    gain = at(self.state, way.to, self.w) - left
                    gain += rival(self.seat, way.expels, self.w)
                    yield gain - cost, orders.Station(legal.coloured(group, colour), str(source))

    @cached_property
    def _sources(self) -> list[Place]:
        """Where a citizen can be taken from, the place that gives up least first."""
        found = map(Place.parse, legal.sources(self.state, self.seat))
        return sorted(found, key=lambda source: at(self.state, source, self.w))

    def _activations(self, card: Card) -> Iterator[Iterator[Guess]]:
        """The ways to activate a card; those that put cubes on a mixed one and those that use them are two kinds."""
        facts, house = self.state.activity(card.id), self.state.houses[self.seat]
        hiring, space, purse, bonus = "", 0, house.deniers, 0.0
        if not card.has(self.seat):
            in_deniers = facts.currency == "deniers"
            if not self._sources or facts.hire > (house.deniers if in_deniers else house.influence):
                return
            hiring = str(self._sources[0])
            purse -= facts.hire if in_deniers else 0
            space = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
            bonus = tradesman(facts, space, self.w) - at(self.state, self._sources[0], self.w)
            bonus -= facts.hire * (self.w.denier if in_deniers else self.w.influence)
        groups = [found for found in self._of(*facts.dice) if found[0].cost <= purse]
        if len(facts.dice) > 1:
            groups += self._many_colours()
        for word in (PLACE, USE) if facts.kind == "mixed" else ("",):
            found = self._activated(facts, groups, purse, word, (hiring, space))
            yield ((guess + bonus, order) for guess, order in found)

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

    def _gain(self, facts: Activity, times: int, chosen: Choices, values: tuple[int, ...]) -> float | None:
        """What the effect alone changes; None where it is not allowed."""
        key = (facts.id, times, chosen)
        if key not in self.gains:
            play = Play(self.state.fork(), Blind())
            try:
                perform(play, Activation(self.seat, facts, times, chosen, values))
                self.gains[key] = estimate(play.state, self.seat) - self.base
            except OrderRefused:
                self.gains[key] = None
        return self.gains[key]

    def _many_colours(self) -> Iterator[tuple[Group, float]]:
        """Own dice of several colours (Pilgrimage)."""
        own = [Pick(self.seat, word) for word in self.state.dice[self.seat]]
        chosen = [chosen for size in (2, 3) for chosen in dict.fromkeys(combinations(own, size))]
        mixed = [picks for picks in chosen if len({dice.colour(pick.die) for pick in picks}) > 1]
        found = (legal.formed(self.state, self.seat, picks, NOTHING_USED, (dice.WHITE,), mixed=True) for picks in mixed)
        return self._paid(filter(None, found))


_FORMED: dict[tuple[Any, ...], tuple[Group, ...]] = {}
"""Groups that were put together before: in a search the same dice lie there again and again."""


def groups_of(state: TroyesState, seat: str, pool: tuple[Pick, ...], colour: str) -> tuple[Group, ...]:
    """Every group of these dice, as one of a colour, with each cube that the seat has, whatever it costs."""
    cubes = ("", *legal.cubes_of(state, seat))
    key = (state.box, seat, pool, colour, cubes)
    if key not in _FORMED:
        if len(_FORMED) >= REMEMBERED:
            _FORMED.clear()
        chosen = [
            (using, picks)
            for using in cubes
            for size in range(1, state.box.board.group_max + 1)
            for picks in dict.fromkeys(combinations(pool, size))
        ]
        found = (
            legal.formed(state, seat, picks, way, (colour,))
            for using, picks in chosen
            for way in legal.usings(seat, using, picks)
        )
        _FORMED[key] = tuple(filter(None, found))
    return _FORMED[key]


def _best(*kinds: Iterator[Guess]) -> Iterator[Guess]:
    """The likeliest candidate of each kind that has any."""
    for kind in kinds:
        best = max(kind, key=lambda guess: guess[0], default=None)
        if best is not None:
            yield best


def walked(state: TroyesState, seat: str, order: Order, base: float) -> Idea | None:
    """An order with what its walk adds to `base`, the estimate before; None where the rules do not allow it.

    Where it ends at a roll, all dice show each number once, and the mean counts.
    """
    try:
        play = legal.walk(state, seat, order)
    except Unknown:
        ends = _ends(state, seat, order)
        return Idea(sum(ends) / len(ends) - base, order)
    except OrderRefused:
        return None
    return Idea(estimate(play.state, seat) - base, order, play)


def _ends(state: TroyesState, seat: str, order: Order) -> list[float]:
    """What an order that ends at a roll leads to, by what all dice show. A die rolled again changes nothing else."""
    if not isinstance(order, orders.Reroll) or order.until:
        return [estimate(legal.walk(state, seat, order, AllShow(number)).state, seat) for number in range(1, 7)]
    end, kept = legal.walk(state, seat, order, AllShow(1)).state, state.dice[seat][:]
    kept.remove(order.die)
    return with_dice(end, seat, [dice.tidy([*kept, f"{order.die[0]}{number}"]) for number in range(1, 7)])


def _recruiting(thinker: Thinker) -> Idea | None:
    """To recruit for the best action that a citizen opens, less his price; None when none can be recruited."""
    board, house = thinker.state.box.board, thinker.state.houses[thinker.seat]
    if house.supply or not house.reserve or house.influence < board.recruit:
        return None
    hired = thinker.state.fork()
    hired.houses[thinker.seat].supply += 1
    hired.houses[thinker.seat].influence -= board.recruit
    found = Thinker(hired, thinker.seat, thinker).for_citizens()
    worth, order = max(found, key=lambda guess: guess[0], default=(0.0, orders.Pass()))
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
    found += filter(None, (walked(state, seat, order, thinker.base) for order in others))
    return sorted(found, key=lambda idea: -idea.worth)


def guessed(state: TroyesState, seat: str, most: int) -> list[list[Guess]]:
    """What makes sense in a turn, by kinds: so many of each as they are guessed, the kind of the likeliest first."""
    thinker, w, board = Thinker(state, seat), weights(state), state.box.board
    found = thinker.guesses(most)
    found.append([(board.pass_first * w.denier - own_dice(state.dice[seat], w), orders.Pass())])
    for order in influence_ideas(state, seat, recruits=True):
        match order:
            case orders.Reroll(word):
                worth = w.pip * (MEAN - dice.value(word)) - board.reroll * w.influence
            case orders.Flip(words):
                worth = sum(w.pip * 2 * (MEAN - dice.value(word)) for word in words) - board.flip * w.influence
            case orders.Recruit():
                worth = at(state, Place(places.SUPPLY), w) - board.recruit * w.influence
            case _:
                idea = walked(state, seat, order, thinker.base)
                if idea is None:
                    continue
                worth = idea.worth
        found.append([(worth, order)])
    return sorted(found, key=lambda kind: -kind[0][0])


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
