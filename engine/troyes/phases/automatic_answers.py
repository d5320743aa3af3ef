"""Answers given for a seat, so that nobody waits for a decision that needs no person.

These are decisions with one legal outcome, a seat's list for the initial placement, its standing answers for reactions,
its standing orders, and whatever le Roy is asked in a solo game.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from engine.troyes.actions import countering, outdoor, reactions, standing_orders
from engine.troyes.actions.carry_out_order import is_legal
from engine.troyes.options.action_orders import action_candidates, legal_actions
from engine.troyes.options.offers import default_order
from engine.troyes.options.payable_groups import cubes_of
from engine.troyes.state import orders
from engine.troyes.state.kept_plans import Cancellation
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import LE_ROY, TroyesState
from engine.values import fixed


@fixed
class GivenAnswer:
    """An answer, and why it was given (see `Ordered`): `public` where the table can see why, else `private`."""

    seat: str
    order: Order
    public: str = ""
    private: str = ""


def answer_given(state: TroyesState, told: dict[str, Cancellation]) -> GivenAnswer | None:
    """The answer that needs no person, or None. Why a standing order was cancelled is put in `told`."""
    if not state.asked:
        return None
    asked = state.asked[0]
    seat: str = asked.seat
    if seat == LE_ROY:
        return GivenAnswer(seat, orders.LeRoy(), public="dice")
    if (forced := FORCED.get(asked.kind)) is not None and forced(state, seat):
        return GivenAnswer(seat, default_order(state, seat), public="only")
    if asked.kind == "settle":
        return _wish(state, seat)
    if asked.kind == "react":
        return _standing(state, seat)
    fires = standing_orders.fire_standing(state, seat, asked.kind, told)
    return GivenAnswer(seat, fires[0], private=fires[1]) if fires is not None else None


def _standing(state: TroyesState, seat: str) -> GivenAnswer | None:
    """The seat's standing answer for the tile it is asked about. Only the seat learns that it was not asked."""
    tile = reactions.asked_tile(state.agenda[-1])
    said = reactions.reaction_rule(state, seat, tile)
    if said == reactions.ASK:
        return None
    return GivenAnswer(seat, orders.React(tile if said == reactions.ALWAYS else ""), private="standing")


def _wish(state: TroyesState, seat: str) -> GivenAnswer | None:
    """The first space of the seat's list that is still free, with those after it kept for later."""
    wishes = state.wishes.get(seat, [])
    for at, word in enumerate(wishes):
        if not state.owner_at(Place.parse(word)):
            return GivenAnswer(seat, orders.Settle((word, *wishes[at + 1 :])), private="wish")
    return None


def _may_act(state: TroyesState, seat: str) -> bool:
    """Whether anything but passing is legal. Cheap checks come first, so that the search is seldom needed."""
    board, house, own = state.box.board, state.houses[seat], state.dice[seat]
    if own and house.influence >= min(board.reroll, board.flip):
        return True
    if house.reserve and house.influence >= board.recruit:
        return True
    # Agriculture takes any yellow die, for nothing if need be; a purple one counts as yellow.
    if any(word[0] in "YP" for word in own):
        return True
    buys = house.deniers >= board.prices[0]
    if buys and any(word[0] == "Y" for words in state.dice.values() for word in words):
        return True
    if any(outdoor.unusable(state, state.agenda[-1], seat, tile.id) is None for tile in state.tiles):
        return True
    if not own and not buys and not cubes_of(state, seat):
        return False
    plain = chain.from_iterable(action_candidates(state, seat, (verb,)) for verb in QUICKEST)
    if any(is_legal(state, seat, order) for order in plain):
        return True
    return bool(state.tiles) and any(True for _ in legal_actions(state, seat))


QUICKEST = ("place", "build", "fight", "guard", "farm", "activate")
"""Verbs of actions, those first whose candidates are cheapest to find."""
FORCED: dict[str, Callable[[TroyesState, str], bool]] = {
    "settle": lambda state, _: len(state.free_spaces()) == 1,
    "turn": lambda state, seat: not _may_act(state, seat),
    "counter": countering.forced_counter,
}
"""Kind of decision to whether it has one legal outcome, the default. `support` and `target` always leave a choice."""
