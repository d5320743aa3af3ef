"""What an order need not say: the best space, and as many activations and cubes as possible.

An order given for later leaves these open, and they are filled in when it is played.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import OrderRefused
from engine.troyes.actions import outdoor
from engine.troyes.actions.activation import capacity
from engine.troyes.board.dice_group import form_group
from engine.troyes.state.orders import Activate, Fight, Pick, PlannableOrder, Using
from engine.troyes.state.troyes_state import TroyesState

BEST, MOST = -1, 0
"""Values that leave the space of a hiring `Activate` and the cubes of a `Fight` open."""


def most_times(state: TroyesState, seat: str, card: str, picks: tuple[Pick, ...], using: Using) -> int:
    """How often these dice activate a card. Raises NotAllowed or Unclear for dice that are no group for it."""
    activity = state.activity(card)
    there = outdoor.position_after_swaps(state, seat, using)
    return capacity(form_group(there, seat, picks, using, wanted=activity.dice, mixed=len(activity.dice) > 1), activity)


def most_cubes(state: TroyesState, seat: str, event: str, picks: tuple[Pick, ...], using: Using) -> int:
    """How many cubes these dice put on an event of the queue, as far as there is room. Raises NotAllowed or Unclear."""
    threat, facts = state.threat(event), state.event(event)
    assert threat is not None
    there = outdoor.position_after_swaps(state, seat, using)
    group = form_group(there, seat, picks, using, wanted=facts.dice)
    return min(group.total // facts.divisor, state.free_banners(threat))


def without_defaults(state: TroyesState, seat: str, order: PlannableOrder) -> PlannableOrder:
    """The order with its space and number of cubes left open, where they are the defaults in this position."""
    match order:
        case Fight() if order.cubes == _cubes(state, seat, order):
            return replace(order, cubes=MOST)
        case Activate() if order.hiring and order.space == state.best_space(order.card):
            return replace(order, space=BEST)
    return order


def with_defaults(state: TroyesState, seat: str, order: PlannableOrder) -> PlannableOrder:
    """The order with what it leaves open filled in for this position."""
    match order:
        case Fight(cubes=cubes) if cubes == MOST:
            return replace(order, cubes=_cubes(state, seat, order))
        case Activate(space=space) if space == BEST:
            return replace(order, space=state.best_space(order.card))
    return order


def _cubes(state: TroyesState, seat: str, order: Fight) -> int:
    """As many cubes as possible, but at least one, so that carrying it out says why there can be none."""
    if state.threat(order.event) is None:
        return 1
    try:
        return max(1, most_cubes(state, seat, order.event, order.dice, order.using))
    except OrderRefused:
        return 1
