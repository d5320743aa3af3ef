"""The actions open to a seat. Each is tried before it is given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, islice, product, tee
from typing import Any

from engine.troyes.actions import outdoor
from engine.troyes.actions.activation import capacity
from engine.troyes.actions.carry_out_order import is_legal
from engine.troyes.board import threats
from engine.troyes.board.card_choices import INFLUENCE, PLACE, POINTS, USE
from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.board.dice_group import Group
from engine.troyes.card_data.card_types import Activity
from engine.troyes.cards.ladies_red import richest
from engine.troyes.options.payable_groups import payable_groups, pickable_dice
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order, Pick, Swap, TileUse
from engine.troyes.state.troyes_state import QueuedEvent, TroyesState

NO_LIMIT = 99
"""More activations than any dice allow."""


def legal_actions(state: TroyesState, seat: str) -> Iterator[Order]:
    """Every legal action but passing, each also with one outdoor tile where the seat has cubes there."""
    for order in action_candidates(state, seat):
        if is_legal(state, seat, order):
            yield order
        if state.tiles:
            yield from (more for more in with_tile(state, seat, order) if is_legal(state, seat, more))


def action_candidates(state: TroyesState, seat: str, verbs: Collection[str] = ()) -> Iterator[Order]:
    """Actions of these verbs, or of all, as far as dice, deniers and citizens allow. They are not tried yet."""
    for verb, made in _MADE.items():
        if not verbs or verb in verbs:
            yield from made(state, seat)


def _fights(state: TroyesState, seat: str) -> Iterator[Order]:
    made = {colour: payable_groups(state, seat, (colour,)) for colour in dice.COLOURS}
    for threat in state.queue:
        event = state.event(threat.id)
        for colour in event.dice:
            made[colour], found = tee(made[colour])  # shared by all events, made only as far as needed
            for group in found:
                for cubes in range(min(group.total // event.divisor, state.free_banners(threat)), 0, -1):
                    for freed in freeings(state, threat, cubes):
                        yield orders.Fight(threat.id, group.picks, cubes, group.using, freed)


def _stations(state: TroyesState, seat: str) -> Iterator[Order]:
    for colour in dice.COLOURS:
        for group in payable_groups(state, seat, (colour,), most=1):
            for source in worker_sources(state, seat):
                yield orders.Station(with_colour(group, colour), source, group.using)


def with_colour(group: Group, colour: str) -> Pick:
    """The one die of a group, with its colour where it is purple and no cube decides it."""
    pick = group.picks[0]
    return replace(pick, colour=colour) if pick.die[0] == "P" and not group.using.card else pick


def worker_sources(state: TroyesState, seat: str) -> list[str]:
    """Where the seat can take a citizen from: the supply first, then the board."""
    supply = [places.SUPPLY] if state.houses[seat].supply else []
    return supply + [str(place) for place in dict.fromkeys(state.whereabouts(seat))]


def freeings(state: TroyesState, threat: QueuedEvent, cubes: int) -> Iterator[tuple[str, ...]]:
    """Whose citizens so many cubes may free from Possession; nobody where there is nothing to choose."""
    if len(set(threat.held)) < 2 or cubes >= min(len(threat.held), state.free_banners(threat)):
        yield ()
    else:
        yield from dict.fromkeys(combinations(threat.held, cubes))


def activations(
    state: TroyesState, seat: str, id: str, hired: Sequence[str] = (), ways: int | None = None
) -> Iterator[orders.Activate]:
    """Every way to activate one card; `hired` limits who is hired, `ways` the lists of choices for each group."""
    card, activity = state.card(id), state.activity(id)
    if card is None:
        return
    hirings: list[tuple[str, int]] = [("", 0)]
    house, hire = state.houses[seat], 0
    if not card.has(seat):
        purse = house.deniers if activity.currency == "deniers" else house.influence
        if purse < activity.hire:
            return
        hire = activity.hire if activity.currency == "deniers" else 0
        free = [number for number, owner in enumerate(card.spaces, start=1) if not owner] or [0]
        hirings = [(source, space) for source in hired or worker_sources(state, seat) for space in free]
    for group in payable_groups(state, seat, activity.dice, mixed=len(activity.dice) > 1):
        if hire + group.cost > house.deniers:
            continue
        most = capacity(group, activity)
        paid = NO_LIMIT if activity.keeps else payable_times(state, seat, activity, house.deniers - hire - group.cost)
        for times in range(most, 0, -1) if activity.divisor else (most,):
            if times > max(paid, 1):
                continue  # skip many choices that could not be paid
            lists = targets_for(state, seat, id, times) if times <= paid else iter(((orders.NOTHING,),))
            for targets in islice(lists, ways):
                for source, space in hirings:
                    yield orders.Activate(id, group.picks, times, source, space, targets, group.using)


def payable_times(state: TroyesState, seat: str, activity: Activity, purse: int) -> int:
    """How often a card's own price can be paid from a purse or by influence; NO_LIMIT where it has none."""
    asks = declaration_of(activity.id)
    if not asks.priced or asks.chooses == "events":
        return NO_LIMIT
    there = purse if asks.priced == "cost" else state.houses[seat].influence
    return there // max(1, activity.numbers[asks.priced])


def targets_for(state: TroyesState, seat: str, id: str, times: int) -> Iterator[tuple[str, ...]]:
    """Every list of choices for so many activations of a card, and the one that leaves its price unpaid."""
    activity = state.activity(id)
    if activity.kind == "mixed":
        yield (PLACE,)
        card = state.card(id)
        if card is not None and card.cubes.get(seat, 0) >= times:
            yield from ((USE, *chosen) for chosen in _choices(state, seat, id, times))
        return
    yield from _choices(state, seat, id, times)
    if declaration_of(id).priced and times == 1:
        yield (orders.NOTHING,)


def _choices(state: TroyesState, seat: str, id: str, times: int) -> Iterator[tuple[str, ...]]:
    asks = declaration_of(id)
    if asks.optional:
        yield ()
    match asks.chooses:
        case "":
            yield ()
        case "building":
            yield from product((places.PALACE, places.BISHOPRIC), repeat=times)
        case "gain":
            yield from combinations_with_replacement((INFLUENCE, POINTS), times)
        case "column":
            columns = enumerate(zip(*state.cathedral, strict=True), 1)
            free = {str(number): column.count("") for number, column in columns}
            ways = product([column for column, left in free.items() if left], repeat=times)
            yield from (way for way in ways if all(way.count(column) <= free[column] for column in way))
        case "seat":
            yield from product(richest(state, seat), repeat=times)
        case _:
            events = [threat.id for threat in state.queue if threats.open_to(threat, state.activity(id))]
            if asks.chooses == "event":
                yield from product(events, repeat=times)
                return
            most = state.houses[seat].deniers // max(1, state.activity(id).numbers[asks.priced])
            for size in range(1, min(len(events), most) + 1):
                yield from combinations(events, size)


# The ramparts.


def guard_orders(state: TroyesState, seat: str) -> Iterator[Order]:
    """Every sensible use of the guard: all points are spent, and no more pips are bought than used."""
    if not state.tiles:
        return
    board, house = state.box.board, state.houses[seat]
    for pick in dict.fromkeys(pickable_dice(state, seat, dice.COLOURS)):
        price = 0 if pick.owner == seat else board.prices[0]
        value = dice.die_value(pick.die)
        for points in range(1, board.boost_max + 1):
            boost = max(0, points - value)
            if price + boost * board.boost_price > house.deniers:
                break
            for advance in range(min(points, board.ramparts - house.guard), -1, -1):
                open_ = [n for n, gate in enumerate(board.gates, start=1) if house.guard + advance >= gate]
                for cubes in combinations(open_, points - advance):
                    yield orders.Guard(pick, boost, advance, cubes)


_MADE: dict[str, Callable[[TroyesState, str], Iterator[Order]]] = {
    "farm": lambda state, seat: (
        orders.Farm(group.picks, group.using) for group in payable_groups(state, seat, (dice.YELLOW,))
    ),
    "activate": lambda state, seat: (order for card in state.cards for order in activations(state, seat, card.id)),
    "build": lambda state, seat: (
        orders.Build(group.picks, group.using) for group in payable_groups(state, seat, (dice.WHITE,))
    ),
    "fight": _fights,
    "place": _stations,
    "guard": guard_orders,
}
"""Verb to what makes its candidates."""

ACTIONS = tuple(_MADE)
"""The verbs of actions."""


def with_tile(state: TroyesState, seat: str, order: Any) -> Iterator[Order]:
    """The same action with a cube of one outdoor tile. The Exchange swaps one die only."""
    for tile in state.tiles:
        if not tile.cubes.get(seat) or not isinstance(order, outdoor.SERVES.get(tile.id, ())):
            continue
        for use in _uses(state, seat, tile.id, order):
            yield with_tile_use(order, use)


def with_tile_use(order: Any, use: TileUse) -> Order:
    """The action with that use of a tile, and of no other."""
    found: Order = replace(order, using=replace(order.using, tiles=(use,)))
    return found


def _uses(state: TroyesState, seat: str, tile: str, order: Any) -> Iterator[TileUse]:
    taken = order.dice if hasattr(order, "dice") else (order.die,)
    match tile:
        case "exchange_dice":
            for swap in swaps(state, seat):
                yield TileUse(tile, swaps=(swap,))
        case "flip_bought_die":
            yield from (TileUse(tile, die=pick) for pick in dict.fromkeys(taken) if pick.owner != seat)
        case "extra_delayed_cube":
            yield from (TileUse(tile, card=card.id) for card in state.cards if state.activity(card.id).keeps)
        case _:
            yield TileUse(tile)


def swaps(state: TroyesState, seat: str) -> Iterator[Swap]:
    """Every exchange of one die."""
    for own in dict.fromkeys(word for word in state.dice[seat] if word[0] != "P"):
        for owner, words in state.dice.items():
            if owner != seat:
                yield from (
                    Swap(own, Pick(owner, word)) for word in dict.fromkeys(words) if word[0] != "P" and word != own
                )


def tiles_before(state: TroyesState, seat: str) -> Iterator[orders.Use]:
    """The tiles that the seat may use before its action."""
    frame = state.agenda[-1] if state.agenda else {}
    for tile in state.tiles:
        if outdoor.unusable(state, frame, seat, tile.id) is None:
            yield orders.Use(tile.id)
