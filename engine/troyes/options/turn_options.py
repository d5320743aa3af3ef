"""Options of a turn: the best candidates of each kind, tried, and worth what they change in the estimate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from operator import itemgetter
from typing import Any

from engine.chance import FixedRoll, UnknownDraw
from engine.errors import OrderRefused
from engine.troyes.actions import ramparts
from engine.troyes.actions.carry_out_order import try_order
from engine.troyes.events.citizen_events import CitizensRecruited
from engine.troyes.events.money_events import InfluenceChanges
from engine.troyes.options.action_orders import tiles_before, with_tile
from engine.troyes.options.estimate import Prospect, Weights, dice_value, place_value, reroll_gain, tile_cube_value
from engine.troyes.options.payable_groups import pickable_dice
from engine.troyes.options.turn_candidates import Thinker
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order, Pick, TileUse
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import TroyesState
from engine.values import fixed


def guessed_guards(state: TroyesState, seat: str, w: Weights) -> Iterable[tuple[float, Order]]:
    """The best use of the guard with own dice, and its estimate, where he moves, where cubes come, and for both."""
    best: dict[tuple[bool, bool], tuple[float, Order]] = {}
    if not state.tiles:
        return ()
    for pick in dict.fromkeys(pickable_dice(state, seat, dice.COLOURS)):
        if pick.owner != seat:
            continue
        for guess, order in _spent(state, seat, pick, w):
            sort = bool(order.advance), bool(order.cubes)
            if sort not in best or guess > best[sort][0]:
                best[sort] = guess, order
    return best.values()


def _spent(state: TroyesState, seat: str, pick: Pick, w: Weights) -> Iterator[tuple[float, orders.Guard]]:
    """Ways to spend the points of a die, as it is and boosted as far as possible."""
    board, house, value = state.box.board, state.houses[seat], dice.die_value(pick.die)
    for points in sorted({value, board.boost_max}):
        boost = max(0, points - value)
        if boost * board.boost_price > house.deniers:
            continue
        cost = boost * board.boost_price * w.denier + dice_value([pick.die], w)
        for cubes in range(len(board.gates) + 1):
            advance = min(points - cubes, board.ramparts - house.guard)
            if advance < 0:
                break
            worth = {
                number: _cube(state, number, pick, w)
                for number, gate in enumerate(board.gates, start=1)
                if house.guard + advance >= gate
            }
            levels = sorted(filter(worth.get, worth), key=lambda number: -worth[number])[:cubes]
            if len(levels) == cubes and (advance or levels):
                gain = advance * w.step * (w.left + w.walked) + sum(worth[number] for number in levels)
                yield gain - cost, orders.Guard(pick, boost, advance, tuple(sorted(levels)))


def _cube(state: TroyesState, number: int, pick: Pick, w: Weights) -> float:
    """What a cube on the tile of a level may bring; 0 where none can come with this die."""
    tile = ramparts.at_level(state, number)
    if tile is None:
        return 0.0
    facts = state.outdoor(tile.id)
    if facts.when == "none" or facts.rolls == dice.die_colour(pick.die):
        return 0.0
    return tile_cube_value(state, tile, w) or w.prize * facts.numbers.get("points", 1)


def with_cube(state: TroyesState, seat: str, order: Order) -> Iterator[Order]:
    """The action with a cube of each tile that serves it, in the way that adds most pips."""
    found: dict[str, tuple[float, Order]] = {}
    more: Any
    for more in with_tile(state, seat, order):
        use: TileUse = more.using.tiles[0]
        if use.tile not in found or _pips(use) > found[use.tile][0]:
            found[use.tile] = _pips(use), more
    return (more for _, more in found.values())


def _pips(use: TileUse) -> float:
    """How many pips a tile adds to the dice of an action."""
    if use.die is not None:
        return 7.0 - 2 * dice.die_value(use.die.die)
    return float(sum(dice.die_value(swap.other.die) - dice.die_value(swap.own) for swap in use.swaps))


TRIED_ORDERS, WITH_CUBES = 9, 2
"""How many candidates are tried, and how many of those with the cube of a tile too."""

Guess = tuple[float, Order]
"""The estimate of a candidate, and its order."""


@fixed
class Idea:
    """An order and its worth. `then` is what a citizen is recruited for."""

    worth: float
    order: Order
    then: Order | None = None


def _tried_kinds(thinker: Thinker) -> list[Idea]:
    """The best candidates of all kinds, tried, the best first."""
    state, seat = thinker.state, thinker.seat
    likeliest = sorted(((kind.best(), kind) for kind in thinker.kinds()), key=lambda found: -found[0][0])
    found = [kind.order(made_of) for (_, made_of), kind in likeliest[:TRIED_ORDERS]]
    if state.tiles:
        found += [order for _, order in guessed_guards(state, seat, thinker.w)]
        found += [more for order in found[:WITH_CUBES] for more in with_cube(state, seat, order)]
    ideas = (tried_idea(thinker.prospect, state, order) for order in found)
    return sorted(filter(None, ideas), key=lambda idea: -idea.worth)


def tried_idea(prospect: Prospect, state: TroyesState, order: Order) -> Idea | None:
    """An order with what it adds to the points expected, in the mean at a roll; None where it is not legal."""
    try:
        end = try_order(state, prospect.seat, order).state
    except UnknownDraw:
        ends = [prospect.of(try_order(state, prospect.seat, order, FixedRoll(number)).state) for number in range(1, 7)]
        return Idea(sum(ends) / len(ends) - prospect.base, order)
    except OrderRefused:
        return None
    return Idea(prospect.of(end) - prospect.base, order)


def _recruiting(thinker: Thinker) -> Idea | None:
    """Recruiting for the best action that a citizen allows, less his price; None when none can be recruited."""
    board, house = thinker.state.box.board, thinker.state.houses[thinker.seat]
    if house.supply or not house.reserve or house.influence < board.recruit:
        return None
    hired = thinker.state.fork()
    CitizensRecruited(thinker.seat, 1).apply(hired)
    InfluenceChanges(thinker.seat, -board.recruit).apply(hired)
    kinds = Thinker(hired, thinker.seat).for_citizens()
    if not kinds:
        return None
    (worth, made_of), kind = max(((kind.best(), kind) for kind in kinds), key=lambda found: found[0][0])
    order = kind.order(made_of)
    if places.SUPPLY not in (getattr(order, "hiring", ""), getattr(order, "source", "")):
        return None
    supply = place_value(thinker.state, Place(places.SUPPLY), thinker.w)
    return Idea(worth + supply - board.recruit * thinker.w.influence, orders.Recruit(1), then=order)


def turn_ideas(state: TroyesState, seat: str) -> list[Idea]:
    """Sensible orders of a turn, the best first: actions, passing, and what influence and tiles do before an action."""
    thinker = Thinker(state, seat)
    found = _tried_kinds(thinker)[:TRIED_ORDERS]
    recruit = _recruiting(thinker)
    if recruit is not None and recruit.worth > max([0.0, *(idea.worth for idea in found)]):
        found.append(recruit)
    others = [orders.Pass(), *influence_ideas(state, seat, recruits=recruit not in found)]
    found += filter(None, (tried_idea(thinker.prospect, state, order) for order in others))
    return sorted(found, key=lambda idea: -idea.worth)


def guessed_kinds(state: TroyesState, seat: str, most: int) -> list[list[Guess]]:
    """Sensible orders of a turn by kinds: at most `most` of each, by estimate, the best kind first."""
    thinker = Thinker(state, seat)
    likeliest = ((kind, nlargest(most, kind.ways, key=itemgetter(0))) for kind in thinker.kinds())
    found = [[(guess, kind.order(made_of)) for guess, made_of in ways] for kind, ways in likeliest]
    found += [[guess] for guess in (*guessed_guards(state, seat, thinker.w), *_beside(thinker))]
    return sorted(found, key=lambda kind: -kind[0][0])


def likeliest_idea(state: TroyesState, seat: str) -> Order:
    """The order with the best estimate."""
    thinker = Thinker(state, seat)
    found = [*guessed_guards(state, seat, thinker.w), *_beside(thinker)]
    if kinds := [(kind.best(), kind) for kind in thinker.kinds()]:
        (guess, made_of), kind = max(kinds, key=lambda found: found[0][0])
        found.insert(0, (guess, kind.order(made_of)))
    return max(found, key=itemgetter(0))[1]


def _beside(thinker: Thinker) -> Iterator[Guess]:
    """Passing, and what influence and tiles do before an action, with estimates."""
    state, seat, w, board = thinker.state, thinker.seat, thinker.w, thinker.state.box.board
    yield board.pass_first * w.denier - dice_value(state.dice[seat], w), orders.Pass()
    for order in influence_ideas(state, seat, recruits=True):
        match order:
            case orders.Reroll(word):
                yield reroll_gain(word, w) - board.reroll * w.influence, order
            case orders.Flip(words):
                turned = dice_value(map(dice.flipped_die, words), w) - dice_value(words, w)
                yield turned - board.flip * w.influence, order
            case orders.Recruit():
                yield place_value(state, Place(places.SUPPLY), w) - board.recruit * w.influence, order
            case _:
                idea = tried_idea(thinker.prospect, state, order)
                if idea is not None:
                    yield idea.worth, order


def influence_ideas(state: TroyesState, seat: str, *, recruits: bool = False) -> list[Order]:
    """Uses of influence that make sense: re-roll the lowest die, flip the lowest dice, recruit a citizen."""
    board, house = state.box.board, state.houses[seat]
    low = sorted(state.dice[seat], key=dice.die_value)
    found: list[Order] = []
    if low and house.influence >= board.reroll and dice.die_value(low[0]) <= 3:
        found.append(orders.Reroll(low[0]))
    turned = [word for word in low if dice.die_value(word) <= 2][: board.flip_dice]
    if turned and house.influence >= board.flip:
        found.append(orders.Flip(tuple(turned)))
    if recruits and not house.supply and house.reserve and house.influence >= board.recruit:
        found.append(orders.Recruit(1))
    return [*found, *tiles_before(state, seat)]
