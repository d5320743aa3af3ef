"""Candidates for a turn: for each kind of thing the best few by worth, not yet walked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engine.errors import NotAllowed, Unclear
from engine.troyes.actions.activating import capacity
from engine.troyes.board import buildings
from engine.troyes.board.choices import PLACE, USE
from engine.troyes.board.group import Group, form
from engine.troyes.moves import legal
from engine.troyes.moves.options import guards, targets
from engine.troyes.moves.options.weights import cube_on, weights
from engine.troyes.moves.options.worth import activation, citizen, own_dice
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.places import Place
from engine.troyes.state.state import QueuedEvent, TroyesState

FUTURE = 0.8
"""What a tradesman is worth for each round to come, beside his space."""
FOREIGN = 3
"""Dice of other districts that are looked at, per colour: the highest."""


@dataclass(frozen=True, slots=True)
class Idea:
    """An order and its worth. `family` is the kind of thing it is, of which a list shows one or two."""

    worth: float
    family: str
    order: Order


class Thinker:
    """The candidates of one seat in one position; groups are put together once and shared by all kinds."""

    def __init__(self, state: TroyesState, seat: str) -> None:
        self.state, self.seat, self.w = state, seat, weights(state)
        self._groups: dict[str, list[tuple[Group, float]]] = {colour: [] for colour in dice.COLOURS}
        for group in self._all_groups():
            self._groups[group.colour].append((group, self._cost(group)))

    def _all_groups(self) -> Iterator[Group]:
        state, seat = self.state, self.seat
        cubes = ("", *legal.cubes_of(state, seat))
        for colour in dice.COLOURS:
            pool = legal.picks(state, seat, (colour,))
            own = [pick for pick in pool if pick.owner == seat]
            foreign = sorted((pick for pick in pool if pick.owner != seat), key=lambda pick: -dice.value(pick.die))
            pool = own + foreign[:FOREIGN]
            for using in cubes:
                for size in range(1, state.box.board.group_max + 1):
                    for chosen in dict.fromkeys(combinations(pool, size)):
                        for way in legal.usings(seat, using, chosen):
                            yield from self._formed(chosen, way, colour)

    def _formed(self, chosen: tuple[Pick, ...], using: Using, colour: str, *, mixed: bool = False) -> Iterator[Group]:
        try:
            group = form(self.state, self.seat, chosen, using, wanted=(colour,), mixed=mixed)
        except (NotAllowed, Unclear):
            return
        if group.cost <= self.state.houses[self.seat].deniers:
            yield group

    def _cost(self, group: Group) -> float:
        own = [pick.die for pick in group.picks if pick.owner == self.seat]
        return group.cost * self.w.denier + own_dice(self.state, self.seat, own) + (1.5 if group.using.card else 0.0)

    def _of(self, *colours: str) -> Iterator[tuple[Group, float]]:
        """The groups that count as one of these colours, each with what using it gives up."""
        return (found for colour in colours for found in self._groups[colour])

    def ideas(self) -> list[Idea]:
        """The best of every kind, unsorted."""
        kinds = (self._farms(), self._builds(), *map(self._fights, self.state.queue))
        found = [*_best(*kinds), *self.for_citizens()]
        if self.state.tiles:
            found += [Idea(worth, "guard", order) for worth, order in guards.best(self.state, self.seat, self.w)]
            found += [Idea(idea.worth + more, "tile", order) for idea in found for more, order in self._dressed(idea)]
        return found

    def for_citizens(self) -> list[Idea]:
        """The best of what a citizen in hand may open: placing him, and each card."""
        return _best(self._places(), *(self._activations(card.id) for card in self.state.cards))

    def _dressed(self, idea: Idea) -> Iterator[tuple[float, Order]]:
        """The same action with an outdoor cube that pays."""
        return guards.dressed(self.state, self.seat, idea.order, self.w)

    def _farms(self) -> Iterator[Idea]:
        for group, cost in self._of(dice.YELLOW):
            gain = group.total // self.state.box.board.agriculture_divisor * self.w.denier
            yield Idea(gain - cost, "farm", orders.Farm(group.picks, group.using))

    def _builds(self) -> Iterator[Idea]:
        board, state = self.state.box.board, self.state
        levels = state.cathedral[: board.levels]
        built = [sum(bool(level[column]) for level in levels) for column in range(board.columns)]
        mine = {level for level, row in enumerate(levels) if self.seat in row}
        for group, cost in self._of(dice.WHITE):
            if group.using.card not in ("", "prior", "distiller", "preacher", "viticulturist"):
                continue
            heights, gain, new = built[:], 0.0, set(mine)
            for column in group.values:
                height = heights[column - 1]
                if height >= board.levels:
                    break
                heights[column - 1] += 1
                gain += self.w.point + board.cathedral_influence[column - 1] * self.w.influence
                if height not in new:
                    gain += board.missing_level_loss * self.w.point * 0.8
                    new.add(height)
            else:
                yield Idea(gain - cost, "build", orders.Build(group.picks, group.using))

    def _fights(self, threat: QueuedEvent) -> Iterator[Idea]:
        event, free = self.state.event(threat.id), self.state.free_banners(threat)
        each = cube_on(self.state, self.seat, threat, self.w)
        for group, cost in self._of(*event.dice):
            cubes = min(group.total // event.divisor, free)
            if cubes:
                freed = next(legal.freeings(self.state, threat, cubes))
                yield Idea(
                    cubes * each - cost,
                    f"fight {threat.id}",
                    orders.Fight(threat.id, group.picks, cubes, group.using, freed),
                )

    def _places(self) -> Iterator[Idea]:
        sources = legal.sources(self.state, self.seat)[:6]
        for group, cost in self._of(*dice.COLOURS):
            if len(group.picks) != 1 or group.using.card:
                continue
            building = places.BUILDING_OF[group.colour]
            for source in sources:
                try:
                    way = buildings.entering(self.state, self.seat, building, group.total, Place.parse(source))
                except NotAllowed:
                    continue
                if way.to == way.source:
                    continue
                gain = citizen(self.state, self.seat, str(way.to), source, way.expels, self.w)
                yield Idea(gain - cost, "place", orders.Station(legal.coloured(group, group.colour), source))

    def _activations(self, id: str) -> Iterator[Idea]:
        state, seat = self.state, self.seat
        card, activity = state.card(id), state.activity(id)
        assert card is not None
        hire, hiring, space, bonus = 0, "", 0, 0.0
        if not card.has(seat):
            hiring, leaving = self._hand()
            if not hiring:
                return
            in_deniers = activity.currency == "deniers"
            if not in_deniers and state.houses[seat].influence < activity.hire:
                return
            hire = activity.hire if in_deniers else 0
            space = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
            bonus = (activity.spaces[space - 1] * self.w.point if space else 0.0) - leaving
            bonus += FUTURE * self.w.left - (0.0 if in_deniers else activity.hire * self.w.influence)
        purse = state.houses[seat].deniers - hire
        each = activation(state, seat, activity, self.w)
        groups = list(self._of(*activity.dice))
        if len(activity.dice) > 1:
            groups += [(group, self._cost(group)) for group in self._many_colours()]
        for group, cost in groups:
            most = capacity(group, activity)
            if most < 1 or group.cost > purse:
                continue
            base = bonus - hire * self.w.denier - cost
            if activity.kind == "mixed":
                yield from self._mixed(id, group, most, purse, base, (hiring, space))
                continue
            times = min(most, self._affordable(activity.id, purse - group.cost, most))
            if times < 1 or (not activity.divisor and times < most):
                continue
            useful = min(times, 3) + 0.3 * max(0, times - 3) if activity.delayed else times
            chosen = targets.chosen(state, seat, id, times, self.w)
            if chosen is None:
                continue
            yield Idea(
                useful * each + base,
                f"activate {id}",
                orders.Activate(id, group.picks, times, hiring, space, chosen, group.using),
            )

    def _mixed(
        self, id: str, group: Group, most: int, purse: int, base: float, hired: tuple[str, int]
    ) -> Iterator[Idea]:
        """Cubes put on a mixed card, and cubes used from it."""
        state, seat = self.state, self.seat
        card, activity = state.card(id), state.activity(id)
        there = card.cubes.get(seat, 0) if card is not None else 0
        each = activation(state, seat, activity, self.w)
        price = activity.numbers.get("cost", 0)
        placed = min(most, (purse - group.cost) // price) if price else most
        hiring, space = hired
        if placed:
            later = 0.55 * each if self.w.left else 0.25 * each
            gain = placed * (later - price * self.w.denier * 0.6)
            order = orders.Activate(id, group.picks, placed, hiring, space, (PLACE,), group.using)
            yield Idea(gain + base, f"place on {id}", order)
        times = min(most, there)
        chosen = targets.chosen(state, seat, id, times, self.w) if times else None
        if chosen is not None:
            order = orders.Activate(id, group.picks, times, hiring, space, (USE, *chosen), group.using)
            yield Idea(times * each + base, f"use {id}", order)

    def _hand(self) -> tuple[str, float]:
        """Where a tradesman is best taken from, and what that gives up: the supply, then the lying, then the board."""
        sources = legal.sources(self.state, self.seat)
        if not sources:
            return "", 0.0
        if sources[0] == places.SUPPLY:
            return sources[0], 1.0 * self.w.left
        lying = [source for source in sources if source.endswith(places.LYING)]
        if lying:
            return lying[0], 1.0 * self.w.left
        return min(((source, self._kept(source)) for source in sources), key=lambda found: found[1])

    def _kept(self, source: str) -> float:
        """What a citizen on the board is worth where he is."""
        place = Place.parse(source)
        if place.building:
            salary = self.state.box.board.salary[place.on]
            return (1.7 - 0.5 * salary) * self.w.left + 0.2
        return 4.0 + self.w.left

    def _many_colours(self) -> Iterator[Group]:
        """Own dice of several colours (Pilgrimage)."""
        own = [Pick(self.seat, word) for word in self.state.dice[self.seat]]
        for size in (2, 3):
            for chosen in dict.fromkeys(combinations(own, size)):
                if len({dice.colour(pick.die) for pick in chosen}) > 1:
                    yield from self._formed(chosen, Using(), dice.WHITE, mixed=True)

    def _affordable(self, id: str, purse: int, most: int) -> int:
        """How often a card's own price can be paid."""
        numbers = self.state.activity(id).numbers
        if id in ("innkeeper", "journeyman", "ransom", "marriage"):
            return purse // numbers["cost"]
        if id in ("artisan", "troubadour", "diplomat"):
            return self.state.houses[self.seat].influence // numbers["influence"]
        return most


def _best(*kinds: Iterator[Idea]) -> list[Idea]:
    """The best idea of each family that a kind has."""
    best: dict[str, Idea] = {}
    for kind in kinds:
        for idea in kind:
            if idea.family not in best or idea.worth > best[idea.family].worth:
                best[idea.family] = idea
    return list(best.values())


def _worth(idea: Idea) -> float:
    return idea.worth


def turn_ideas(state: TroyesState, seat: str) -> list[Idea]:
    """Candidates for a turn, the best first."""
    return sorted(Thinker(state, seat).ideas(), key=_worth, reverse=True)


def recruiting(state: TroyesState, seat: str) -> Idea | None:
    """The best action that a citizen recruited now would open, less his price; None when none can be recruited."""
    board, house = state.box.board, state.houses[seat]
    if house.supply or not house.reserve or house.influence < board.recruit:
        return None
    hired = state.copy()
    hired.houses[seat].supply += 1
    hired.houses[seat].influence -= board.recruit
    best = max(Thinker(hired, seat).for_citizens(), key=_worth, default=None)
    if best is None or places.SUPPLY not in (getattr(best.order, "hiring", ""), getattr(best.order, "source", "")):
        return None
    return Idea(best.worth - board.recruit * weights(state).influence, best.family, best.order)


def influence_ideas(state: TroyesState, seat: str) -> list[Idea]:
    """One use of each kind of influence that makes some sense: the lowest die again, the lowest turned, a citizen."""
    board, house = state.box.board, state.houses[seat]
    low = sorted(state.dice[seat], key=dice.value)
    found = []
    if low and house.influence >= board.reroll and dice.value(low[0]) <= 3:
        found.append(Idea(0.0, "influence", orders.Reroll(low[0])))
    turned = [word for word in low if dice.value(word) <= 2][: board.flip_dice]
    if turned and house.influence >= board.flip:
        found.append(Idea(0.0, "influence", orders.Flip(tuple(turned))))
    if not house.supply and house.reserve and house.influence >= board.recruit:
        found.append(Idea(0.0, "influence", orders.Recruit(1)))
    found += [Idea(0.0, "influence", order) for order in legal.tiles_before(state, seat)]
    return found
