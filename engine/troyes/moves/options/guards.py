"""What the guard and outdoor cubes are worth: where he goes, where cubes come, which action is better with one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.troyes.actions import ramparts
from engine.troyes.moves import legal
from engine.troyes.moves.options.weights import Weights
from engine.troyes.moves.options.worth import own_dice
from engine.troyes.state import dice, orders
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick
from engine.troyes.state.state import TroyesState

SHOWN = 3
"""Uses of the guard that are offered: by the number of points that are spent."""
STEP = 0.55
"""What a space on the ramparts is worth in deniers while rounds are to come."""


def best(state: TroyesState, seat: str, w: Weights) -> Iterator[tuple[float, Order]]:
    """The best use of each of a few own dice, cubes first, then spaces."""
    board, house = state.box.board, state.houses[seat]
    found: list[tuple[float, Order]] = []
    for pick in dict.fromkeys(legal.picks(state, seat, dice.COLOURS)):
        if pick.owner != seat:
            continue
        value = dice.value(pick.die)
        for points in sorted({value, board.boost_max}):
            boost = max(0, points - value)
            if boost * board.boost_price > house.deniers:
                continue
            found += _spent(state, seat, pick, boost, points, w)
    found.sort(key=lambda idea: -idea[0])
    kinds: set[tuple[bool, bool]] = set()
    for worth, order in found:
        assert isinstance(order, orders.Guard)
        kind = (bool(order.advance), bool(order.cubes))
        if kind not in kinds and len(kinds) < SHOWN:
            kinds.add(kind)
            yield worth, order


def _spent(
    state: TroyesState, seat: str, pick: Pick, boost: int, points: int, w: Weights
) -> Iterator[tuple[float, Order]]:
    board, house = state.box.board, state.houses[seat]
    cost = boost * board.boost_price * w.denier + own_dice(state, seat, [pick.die])
    for cubes in range(5):
        advance = min(points - cubes, board.ramparts - house.guard)
        if advance < 0:
            return
        open_ = [
            number
            for number, gate in enumerate(board.gates, start=1)
            if house.guard + advance >= gate and _takes(state, number, pick)
        ]
        open_.sort(key=lambda number: -_cube(state, number, w))
        levels = tuple(sorted(open_[:cubes]))
        if len(levels) < cubes or not (advance or levels):
            continue
        gain = advance * STEP * (w.left + 0.2) / 2 + sum(_cube(state, number, w) for number in levels)
        if house.guard + advance == board.ramparts and advance:
            gain += _arrival(state, w)
        yield gain - cost, orders.Guard(pick, boost, advance, levels)


def _takes(state: TroyesState, number: int, pick: Pick) -> bool:
    tile = ramparts.at_level(state, number)
    if tile is None:
        return False
    facts = state.outdoor(tile.id)
    return facts.when != "none" and facts.rolls != dice.colour(pick.die)


def _cube(state: TroyesState, number: int, w: Weights) -> float:
    """What a cube on the tile of a level may bring."""
    tile = ramparts.at_level(state, number)
    if tile is None:
        return 0.0
    facts = state.outdoor(tile.id)
    if facts.when == "end":
        return w.point * (facts.numbers.get("points", 0) or 1.2)
    later = 0.7 if w.left else 0.3
    gain = {
        "own": 4.0,
        "react": 3.5,
        "events": 2.5 if w.left else 0.0,
        "before": 2.5,
    }.get(facts.when, 0.0)
    return gain * later


def _arrival(state: TroyesState, w: Weights) -> float:
    tile = ramparts.at_level(state, 4)
    if tile is None:
        return 0.0
    facts = state.outdoor(tile.id)
    place = len(state.arrived)
    prize = facts.prizes[place] if tile.id == "arrival_race" and place < len(facts.prizes) else 0
    return w.point * (prize + facts.numbers.get("arrival", 0))


def dressed(state: TroyesState, seat: str, order: Any, w: Weights) -> Iterator[tuple[float, Order]]:
    """The action with a cube that pays at once: tiles that only add something to it."""
    for more in legal.with_tile(state, seat, order):
        use = more.using.tiles[0]  # type: ignore[union-attr]
        numbers = state.outdoor(use.tile).numbers
        match use.tile:
            case "influence_on_placement":
                yield numbers["influence"] * w.influence - 1.5, more
            case "deniers_on_agriculture":
                yield numbers["deniers"] * w.denier - 1.5, more
            case "vp_on_cube":
                yield numbers["points"] * w.point - 1.5, more
            case "flip_bought_die" if use.die is not None:
                yield (7 - 2 * dice.value(use.die.die)) * 0.8 - 1.5, more
            case "exchange_dice":
                swap = use.swaps[0]
                yield (dice.value(swap.other.die) - dice.value(swap.own)) * 0.5 - 1.5, more
            case "extra_delayed_cube" if state.activity(use.card).kind == "endgame":
                yield 0.8 * w.point - 1.0, more
            case _:
                yield -1.0, more
