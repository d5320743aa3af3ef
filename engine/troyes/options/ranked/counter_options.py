"""Options where black dice are countered: with which dice, how many of them at once, and what each way is worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from engine.catalog import Msg, T
from engine.game import Says
from engine.troyes.actions import countering
from engine.troyes.board import losses
from engine.troyes.events.lookup import list_without
from engine.troyes.news.order_text import effects_text
from engine.troyes.options import legal
from engine.troyes.options.ranked.position_value import Prospect
from engine.troyes.state import dice, orders
from engine.troyes.state.orders import Counter, Order
from engine.troyes.state.troyes_state import TroyesState

MAX_COUNTERS = 9
"""Ways with dice that are proposed."""
MAX_COMBINATIONS = 400
"""Ways among which those against several black dice are looked for."""


def counter_options(state: TroyesState, seat: str) -> Iterator[tuple[Order, Says]]:
    """The cheapest way, then ways with other dice, then several black dice at once."""
    first = countering.cheapest_counter(state, seat)
    yield first, partial(_countered, state, seat, first)
    if state.cubes_on(losses.PROTECTION, seat):
        by_cube = Counter((state.black[0],), (), losses.PROTECTION)
        yield by_cube, partial(_countered, state, seat, by_cube)
    if not first.dice:
        return
    seen = [first]
    for order in (*_alone(state, seat), *_together(state, seat)):
        if not any(other.black == order.black and dice.are_among(other.dice, order.dice) for other in seen):
            seen.append(order)
            yield order, partial(_countered, state, seat, order)
        if len(seen) == MAX_COUNTERS:
            break
    if len(state.names) > 1:  # else nobody waits who could be spared it
        yield (
            orders.AutoCounter(always=True),
            T("the first now, and so with the fewest and cheapest dice in every round, without a question"),
        )


def _alone(state: TroyesState, seat: str) -> list[Counter]:
    """The highest black die with one die."""
    own, highest = dict.fromkeys(state.dice[seat]), state.black[0]
    return [Counter((highest,), (word,)) for word in own if countering.die_strength(state, word) >= highest]


def _together(state: TroyesState, seat: str) -> list[Counter]:
    """Several black dice at once, the most first, then with the weakest dice."""
    if len(state.black) == 1:
        return []
    found = [order for order in islice(legal.counter_orders(state, seat), MAX_COMBINATIONS) if len(order.black) > 1]
    return sorted(found, key=lambda order: (-len(order.black), countering.total_strength(state, order.dice)))


def _countered(state: TroyesState, seat: str, order: Counter) -> Msg:
    """What it does, as its walk shows: no more influence than there is room for, no more VP lost than there are."""
    does = effects_text(state, seat, order, legal.try_order(state, seat, order).facts)
    if order.using:
        return T("with a cube, {does}", does=does)
    return does if order.dice else T("you cannot beat the {highest}: {does}", highest=state.black[0], does=does)


class CounterWorths:
    """What ways to counter are worth. As many black dice bring as much: of those ways one is walked, and the others
    differ from it in the dice that are left."""

    def __init__(self, prospect: Prospect, state: TroyesState) -> None:
        self._prospect, self._state = prospect, state
        self._ends: dict[tuple[int, bool], TroyesState] = {}

    def of(self, order: Counter) -> float:
        """What a legal way adds to what the seat may expect."""
        seat, brings = self._prospect.seat, (len(order.black), bool(order.dice))
        if brings not in self._ends:
            self._ends[brings] = legal.try_order(self._state, seat, order).state
        left = list_without(self._state.dice[seat], *order.dice)
        return self._prospect.with_dice(self._ends[brings], (left,))[0] - self._prospect.base
