"""Groups of dice that a seat can put together and pay, with what using them costs in points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from engine.troyes.board.dice_group import Group, group_of
from engine.troyes.card_data.troyes_box import TroyesBox
from engine.troyes.options.estimate import Weights, dice_value
from engine.troyes.options.payable_groups import cube_uses, cubes_of, pickable_dice
from engine.troyes.state import dice
from engine.troyes.state.orders import Pick
from engine.troyes.state.troyes_state import TroyesState

FOREIGN = 3
"""How many dice of other districts are considered, per colour: the highest."""
REMEMBERED = 5000
"""How many pools and lists of groups are remembered."""

Paid = tuple[Group, float]
"""A group, and what using it costs in points."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Groups of one colour that a seat can pay.

    `best` has no group that another one equals at a lower cost. `single` has the cheapest die, without a cube, for each
    space of the colour's building.
    """

    all: Sequence[Paid]
    best: Sequence[Paid]
    single: Sequence[Paid]


Pools = dict[str, Pool]
"""By colour."""


_POOLS: dict[tuple[Any, ...], Pools] = {}
"""Pools by what they depend on. A search meets the same dice again and again."""


def dice_pools(state: TroyesState, seat: str, w: Weights) -> Pools:
    """The groups that a seat can put together and pay."""
    lying = tuple((owner, *words) for owner, words in state.dice.items())
    cubes = ("", *cubes_of(state, seat))
    key = (state.box, seat, lying, cubes, state.houses[seat].deniers, w)
    if key not in _POOLS:
        if len(_POOLS) >= REMEMBERED:
            _POOLS.clear()
        every: dict[str, list[Paid]] = {colour: [] for colour in dice.COLOURS}
        for colour in dice.COLOURS:
            there = pickable_dice(state, seat, (colour,))
            own = [pick for pick in there if pick.owner == seat]
            foreign = sorted((pick for pick in there if pick.owner != seat), key=lambda pick: -dice.die_value(pick.die))
            groups = groups_of(state.box, seat, (*own, *foreign[:FOREIGN]), colour, cubes)
            for group, cost in payable_with_cost(state, seat, groups, w):
                every[group.colour].append((group, cost))
        _POOLS[key] = {colour: Pool(found, _best_of(found), _single(state, found)) for colour, found in every.items()}
    return _POOLS[key]


def payable_with_cost(state: TroyesState, seat: str, groups: Iterable[Group], w: Weights) -> Iterator[Paid]:
    """The groups that the seat can pay, each with what using it costs in points."""
    purse = state.houses[seat].deniers
    for group in groups:
        deniers = group.cost
        if deniers <= purse:
            own = [pick.die for pick in group.picks if pick.owner == seat]
            yield group, deniers * w.denier + dice_value(own, w) + (w.cube if group.using.card else 0.0)


def _best_of(found: Sequence[Paid]) -> list[Paid]:
    """Leave out groups that make no more than another that costs as little, in deniers and in points."""
    costs = [(-group.total, cost, group.cost, number) for number, (group, cost) in enumerate(found)]
    kept: list[tuple[float, int]] = []
    numbers = []
    for _, cost, deniers, number in sorted(costs):
        if not any(less <= cost and fewer <= deniers for less, fewer in kept):
            kept.append((cost, deniers))
            numbers.append(number)
    return [found[number] for number in sorted(numbers)]


def _single(state: TroyesState, found: Sequence[Paid]) -> list[Paid]:
    """The cheapest die for each way into the building of a colour. The Palace has six ways in, the others three."""
    cheapest: dict[int, tuple[float, int]] = {}
    for number, (group, cost) in enumerate(found):
        if len(group.picks) == 1 and not group.using.card:
            way_in = group.total if group.colour == dice.RED else state.box.board.row(group.total)
            cheapest[way_in] = min(cheapest.get(way_in, (cost, number)), (cost, number))
    return [found[number] for number in sorted(number for _, number in cheapest.values())]


@lru_cache(REMEMBERED)
def groups_of(
    box: TroyesBox, seat: str, pool: tuple[Pick, ...], colour: str, cubes: tuple[str, ...]
) -> tuple[Group, ...]:
    """Every group of these dice that counts as `colour`, with each of these cubes, whatever it costs."""
    sizes = range(1, box.board.group_max + 1)
    chosen = ((cube, picks) for cube in cubes for size in sizes for picks in dict.fromkeys(combinations(pool, size)))
    uses = ((picks, using) for cube, picks in chosen for using in cube_uses(seat, cube, picks))
    return tuple(filter(None, (group_of(box, seat, picks, using, (colour,), False) for picks, using in uses)))
