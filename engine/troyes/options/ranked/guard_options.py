"""Candidates of the ramparts: where the guard goes and which cubes come, and actions with the cube of a tile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.troyes.actions import ramparts
from engine.troyes.options import legal
from engine.troyes.options.ranked.item_values import Weights, dice_value, tile_cube_value
from engine.troyes.state import dice, orders
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, TileUse
from engine.troyes.state.troyes_state import TroyesState


def likely_guards(state: TroyesState, seat: str, w: Weights) -> Iterator[Order]:
    """The likeliest use of the guard of each sort."""
    return (order for _, order in guessed_guards(state, seat, w))


def guessed_guards(state: TroyesState, seat: str, w: Weights) -> Iterable[tuple[float, Order]]:
    """The same with what each promises. Sorts are: he walks, cubes come, both; with own dice."""
    best: dict[tuple[bool, bool], tuple[float, Order]] = {}
    for pick in dict.fromkeys(legal.pickable_dice(state, seat, dice.COLOURS)):
        if pick.owner != seat:
            continue
        for guess, order in _spent(state, seat, pick, w):
            sort = bool(order.advance), bool(order.cubes)
            if sort not in best or guess > best[sort][0]:
                best[sort] = guess, order
    return best.values()


def _spent(state: TroyesState, seat: str, pick: Pick, w: Weights) -> Iterator[tuple[float, orders.Guard]]:
    """Ways to spend the points of a die, as it is and boosted as far as can be."""
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
    """What a cube on the tile of a level may bring; nothing where none can come with this die."""
    tile = ramparts.at_level(state, number)
    if tile is None:
        return 0.0
    facts = state.outdoor(tile.id)
    if facts.when == "none" or facts.rolls == dice.die_colour(pick.die):
        return 0.0
    return tile_cube_value(state, tile, w) or w.prize * facts.numbers.get("points", 1)


def with_cube(state: TroyesState, seat: str, order: Order) -> Iterator[Order]:
    """The action with a cube of each tile that serves it, in the likeliest way."""
    found: dict[str, tuple[float, Order]] = {}
    for more in legal.with_tile(state, seat, order):
        use = _use(more)
        if use.tile not in found or _pips(use) > found[use.tile][0]:
            found[use.tile] = _pips(use), more
    return (more for _, more in found.values())


def _use(order: Any) -> TileUse:
    found: TileUse = order.using.tiles[0]
    return found


def _pips(use: TileUse) -> float:
    """How many pips a tile adds to the dice of an action."""
    if use.die is not None:
        return 7.0 - 2 * dice.die_value(use.die.die)
    return float(sum(dice.die_value(swap.other.die) - dice.die_value(swap.own) for swap in use.swaps))
