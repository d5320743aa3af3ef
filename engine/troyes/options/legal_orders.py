"""Every order open to a seat, for each kind of decision."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.troyes.actions import countering, reactions, sealed_answers
from engine.troyes.board import losses, threats
from engine.troyes.options.action_orders import legal_actions, tiles_before
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState


def asked_kind(state: TroyesState, seat: str) -> str:
    """The kind of decision that is open for the seat; `""` for none."""
    return next((asked.kind for asked in state.asked if asked.seat == seat), "")


def with_influence(state: TroyesState, seat: str) -> Iterator[Order]:
    """Every use of influence open now."""
    board, house = state.box.board, state.houses[seat]
    own = list(dict.fromkeys(state.dice[seat]))
    if house.influence >= board.reroll:
        yield from (orders.Reroll(word) for word in own)
    if house.influence >= board.flip:
        for size in range(1, board.flip_dice + 1):
            yield from (orders.Flip(words) for words in dict.fromkeys(combinations(state.dice[seat], size)))
    for citizens in range(1, min(house.influence // board.recruit, house.reserve) + 1):
        yield orders.Recruit(citizens)


def simple_orders(state: TroyesState, seat: str) -> Iterator[Order]:
    """The orders of a turn besides its actions: passing, influence, tiles used before."""
    yield orders.Pass()
    yield from with_influence(state, seat)
    yield from tiles_before(state, seat)


def counter_orders(state: TroyesState, seat: str) -> Iterator[orders.Counter]:
    """Every way to counter the highest black die, alone or with others."""
    if state.cubes_on(losses.PROTECTION, seat):
        yield orders.Counter((state.black[0],), (), losses.PROTECTION)
    if not countering.can_beat(state, seat):
        yield orders.Counter((), ())
        return
    highest, rest = state.black[0], state.black[1:]
    ways = dict.fromkeys((highest, *more) for size in range(len(rest) + 1) for more in combinations(rest, size))
    blacks = [(black, sum(black)) for black in ways]
    for size in range(1, len(state.dice[seat]) + 1):
        for words in dict.fromkeys(combinations(state.dice[seat], size)):
            made = countering.total_strength(state, words)
            for black, needed in blacks:
                if needed <= made:
                    yield orders.Counter(black, words)


def every_order(state: TroyesState, seat: str) -> Iterator[Order]:
    """Every order open to the seat."""
    kind = asked_kind(state, seat)
    frame = state.agenda[-1] if state.agenda else {}
    match kind:
        case "settle":
            yield from (orders.Settle((str(place),)) for place in state.free_spaces())
        case "turn":
            yield from legal_actions(state, seat)
            yield from simple_orders(state, seat)
        case "counter":
            yield from counter_orders(state, seat)
            yield from with_influence(state, seat)
        case "support":
            cubes = state.event(frame["event"]).numbers["cubes"]
            yield from map(orders.Support, combinations(threats.supportable(state, frame["event"]), cubes))
        case "target":
            card = state.activity(frame["card"])
            yield from (orders.Target(threat.id) for threat in state.queue if threats.open_to(threat, card))
        case "react":
            yield orders.React(reactions.asked_tile(frame))
            yield orders.React("")
        case "give":
            yield from map(orders.Give, sealed_answers.possible_answers(state, kind, seat))
        case "discard":
            yield from map(orders.Discard, sealed_answers.possible_answers(state, kind, seat))
        case "release":
            threat = state.threat(places.POSSESSION)
            yield from map(orders.Release, dict.fromkeys(threat.held if threat is not None else ()))
