"""The actions open to a seat, each walked before it is given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from itertools import combinations_with_replacement
from itertools import product
from typing import Any

from engine.troyes import dice
from engine.troyes import orders
from engine.troyes import outdoor
from engine.troyes import places
from engine.troyes import threats
from engine.troyes.activating import capacity
from engine.troyes.cards.faces import Activity
from engine.troyes.choices import CHOOSES
from engine.troyes.choices import INFLUENCE
from engine.troyes.choices import PLACE
from engine.troyes.choices import POINTS
from engine.troyes.choices import PRICED
from engine.troyes.choices import USE
from engine.troyes.effects.ladies_red import richest
from engine.troyes.group import Group
from engine.troyes.orders import Order
from engine.troyes.picks import Pick
from engine.troyes.picks import Swap
from engine.troyes.picks import TileUse
from engine.troyes.possible.grouping import groups
from engine.troyes.possible.grouping import picks
from engine.troyes.possible.walking import legal
from engine.troyes.state import Threat
from engine.troyes.state import Town

ENOUGH = 99
"""More activations than any dice allow."""


def actions(town: Town, seat: str) -> Iterator[Order]:
    """Every action but passing, each also with one outdoor tile where the seat has cubes there."""
    for order in _candidates(town, seat):
        if legal(town, seat, order):
            yield order
        if town.tiles:
            yield from (more for more in with_tile(town, seat, order) if legal(town, seat, more))


def _candidates(town: Town, seat: str) -> Iterator[Order]:
    for group in groups(town, seat, (dice.YELLOW,)):
        yield orders.Farm(group.picks, group.using)
    for card in town.cards:
        yield from activations(town, seat, card.id)
    for group in groups(town, seat, (dice.WHITE,)):
        yield orders.Build(group.picks, group.using)
    for threat in town.queue:
        event = town.event(threat.id)
        for colour in event.dice:
            for group in groups(town, seat, (colour,)):
                for cubes in range(min(group.total // event.divisor, town.free_banners(threat)), 0, -1):
                    for freed in freeings(town, threat, cubes):
                        yield orders.Fight(threat.id, group.picks, cubes, group.using, freed)
    for colour in dice.COLOURS:
        for group in groups(town, seat, (colour,)):
            if len(group.picks) == 1:
                for source in sources(town, seat):
                    yield orders.Station(coloured(group, colour), source, group.using)
    if town.tiles:
        yield from guards(town, seat)


def coloured(group: Group, colour: str) -> Pick:
    """The one die of a group, with its colour said where it is purple and no cube decides."""
    pick = group.picks[0]
    return replace(pick, colour=colour) if pick.die[0] == "P" and not group.using.card else pick


def sources(town: Town, seat: str) -> list[str]:
    """Where the seat can take a citizen from: the supply first, then the board."""
    supply = [places.SUPPLY] if town.houses[seat].supply else []
    return supply + [str(place) for place in dict.fromkeys(town.whereabouts(seat))]


def freeings(town: Town, threat: Threat, cubes: int) -> Iterator[tuple[str, ...]]:
    """Whose citizens so many cubes may free from Possession; nobody where there is nothing to choose."""
    if len(set(threat.held)) < 2 or cubes >= min(len(threat.held), town.free_banners(threat)):
        yield ()
    else:
        yield from dict.fromkeys(combinations(threat.held, cubes))


def activations(town: Town, seat: str, id: str) -> Iterator[orders.Activate]:
    """Every way to activate one card."""
    card, activity = town.card(id), town.activity(id)
    if card is None:
        return
    hirings: list[tuple[str, int]] = [("", 0)]
    house, hire = town.houses[seat], 0
    if not card.has(seat):
        purse = house.deniers if activity.currency == "deniers" else house.influence
        if purse < activity.hire:
            return
        hire = activity.hire if activity.currency == "deniers" else 0
        free = [number for number, owner in enumerate(card.spaces, start=1) if not owner] or [0]
        hirings = [(source, space) for source in sources(town, seat) for space in free]
    for group in groups(town, seat, activity.dice, mixed=len(activity.dice) > 1):
        if hire + group.cost > house.deniers:
            continue
        most = capacity(group, activity)
        paid = affordable(town, seat, activity, house.deniers - hire - group.cost)
        for times in range(most, 0, -1) if activity.divisor else (most,):
            if times > max(paid, 1):
                continue  # the choices are many, and none could be paid
            ways = targets_for(town, seat, id, times) if times <= paid else ((orders.NOTHING,),)
            for targets in ways:
                for source, space in hirings:
                    yield orders.Activate(id, group.picks, times, source, space, targets, group.using)


def affordable(town: Town, seat: str, activity: Activity, purse: int) -> int:
    """How often a card's own price can be paid, from a purse and the seat's influence; much where it has none."""
    if activity.id not in PRICED or activity.id == "scout":
        return ENOUGH
    if "cost" in activity.numbers:
        return purse // max(1, activity.numbers["cost"])
    return town.houses[seat].influence // max(1, activity.numbers["influence"])


def targets_for(town: Town, seat: str, id: str, times: int) -> Iterator[tuple[str, ...]]:
    """Every list of choices for so many activations of a card, and leaving its price unpaid."""
    activity = town.activity(id)
    if activity.kind == "mixed":
        yield (PLACE,)
        card = town.card(id)
        if card is not None and card.cubes.get(seat, 0) >= times:
            yield from ((USE, *chosen) for chosen in _choices(town, seat, id, times))
        return
    yield from _choices(town, seat, id, times)
    if id in PRICED and times == 1:
        yield (orders.NOTHING,)


def _choices(town: Town, seat: str, id: str, times: int) -> Iterator[tuple[str, ...]]:
    match CHOOSES.get(id):
        case None:
            yield ()
        case "building":
            yield from product((places.PALACE, places.BISHOPRIC), repeat=times)
        case "gain":
            yield from combinations_with_replacement((INFLUENCE, POINTS), times)
        case "column":
            free = {
                str(n): sum(not level[n - 1] for level in town.cathedral) for n in range(1, town.box.board.columns + 1)
            }
            ways = product([column for column, left in free.items() if left], repeat=times)
            yield from (way for way in ways if all(way.count(column) <= free[column] for column in way))
        case "seat":
            yield ()
            yield from product(richest(town, seat), repeat=times)
        case _:
            events = [threat.id for threat in town.queue if threats.open_to(threat, town.activity(id))]
            if id == "scout":
                most = town.houses[seat].deniers // max(1, town.activity(id).numbers["cost"])
                for size in range(1, min(len(events), most) + 1):
                    yield from combinations(events, size)
                return
            if id == "archer":
                yield ()
            yield from product(events, repeat=times)


# The ramparts.


def guards(town: Town, seat: str) -> Iterator[orders.Guard]:
    """Every sensible use of the guard: all points spent, and no pip bought beyond what is used."""
    board, house = town.box.board, town.houses[seat]
    for pick in dict.fromkeys(picks(town, seat, dice.COLOURS)):
        price = 0 if pick.owner == seat else board.prices[0]
        value = dice.value(pick.die)
        for points in range(1, board.boost_max + 1):
            boost = max(0, points - value)
            if price + boost * board.boost_price > house.deniers:
                break
            for advance in range(min(points, board.ramparts - house.guard), -1, -1):
                open_ = [n for n, gate in enumerate(board.gates, start=1) if house.guard + advance >= gate]
                for cubes in combinations(open_, points - advance):
                    yield orders.Guard(pick, boost, advance, cubes)


def with_tile(town: Town, seat: str, order: Any) -> Iterator[Order]:
    """The same action with a cube of one outdoor tile; exchanges of one die only."""
    for tile in town.tiles:
        if not tile.cubes.get(seat) or not isinstance(order, outdoor.SERVES.get(tile.id, ())):
            continue
        for use in _uses(town, seat, tile.id, order):
            yield dressed(order, use)


def dressed(order: Any, use: TileUse) -> Order:
    """The action with that use of a tile, and of no other."""
    found: Order = replace(order, using=replace(order.using, tiles=(use,)))
    return found


def _uses(town: Town, seat: str, tile: str, order: Any) -> Iterator[TileUse]:
    taken = order.dice if hasattr(order, "dice") else (order.die,)
    match tile:
        case "exchange_dice":
            for swap in swaps(town, seat):
                yield TileUse(tile, swaps=(swap,))
        case "flip_bought_die":
            yield from (TileUse(tile, die=pick) for pick in dict.fromkeys(taken) if pick.owner != seat)
        case "extra_delayed_cube":
            yield from (TileUse(tile, card=card.id) for card in town.cards if town.activity(card.id).keeps)
        case _:
            yield TileUse(tile)


def swaps(town: Town, seat: str) -> Iterator[Swap]:
    """Every single exchange."""
    for own in dict.fromkeys(word for word in town.dice[seat] if word[0] != "P"):
        for owner, words in town.dice.items():
            if owner != seat:
                yield from (
                    Swap(own, Pick(owner, word)) for word in dict.fromkeys(words) if word[0] != "P" and word != own
                )


def tiles_before(town: Town, seat: str) -> Iterator[orders.Use]:
    """The tiles that the seat may use before its action."""
    frame = town.agenda[-1] if town.agenda else {}
    for tile in town.tiles:
        if outdoor.unusable(town, frame, seat, tile.id) is None:
            yield orders.Use(tile.id)
