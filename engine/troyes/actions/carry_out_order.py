"""What each order does. The same code plays an order and tries it out; it may refuse at any point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.catalog import T
from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import NotAllowed, Unclear
from engine.troyes.actions import archery, countering, outdoor, reactions, sealed_answers, turn_actions
from engine.troyes.board import possession, purse, threats
from engine.troyes.board.phrases import event_typed, owner_name, typed_place
from engine.troyes.events.order_events import WishesKept
from engine.troyes.events.play import Play
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import Frame, TroyesState


def carry_out(play: Play, frame: Frame, seat: str, order: Order) -> None:
    """Carry out one order of a seat that is asked; `frame` is the pending step. Raises NotAllowed or Unclear."""
    does = ORDER_ACTIONS.get(type(order))
    if does is not None:
        does(play, frame, seat, order)
        return
    frame["seat"] = play.state.after(seat)
    frame.pop("used", None)
    turn_actions.perform_action(play, seat, order)


def _settle(play: Play, frame: Frame, seat: str, order: orders.Settle) -> None:
    state = play.state
    for word in order.places:
        if Place.parse(word) not in places.SPACES:
            raise NotAllowed(T("{place} is no space of a building.", place=typed_place(word)))
    chosen, *later = order.places
    there = state.owner_at(Place.parse(chosen))
    if there:
        raise NotAllowed(
            T(
                "{place} is taken by {owner}.",
                place=typed_place(chosen),
                owner=T("you") if there == seat else owner_name(state, there),
            ),
            possible=tuple(T("settle {place}", place=typed_place(str(place))) for place in state.free_spaces()[:4]),
        )
    play.move(seat, Place(places.SUPPLY), Place.parse(chosen))
    # Always recorded: the entry must not reveal who has a list.
    play.record(WishesKept({seat: tuple(later)}))
    frame["turn"] += 1


def _support(play: Play, frame: Frame, seat: str, order: orders.Support) -> None:
    state = play.state
    cubes = state.event(frame["event"]).numbers["cubes"]
    eligible = threats.supportable(state, frame["event"])
    if len(order.events) != cubes or len(set(order.events)) != cubes or not set(order.events) <= set(eligible):
        raise NotAllowed(
            T(
                "Name {cubes} different events to the left of Support: {events}.",
                cubes=cubes,
                events=tuple(event_typed(state, id) for id in eligible),
            ),
            rule="A17",
        )
    state.agenda.pop()
    for id in order.events:
        threats.place_cube(play, state.neutral, id)


ORDER_ACTIONS: dict[type, Callable[[Play, Frame, str, Any], None]] = {
    orders.Settle: _settle,
    orders.Reroll: lambda play, _, seat, order: purse.reroll_die(play, seat, order.die, order.until, order.most),
    orders.Flip: lambda play, _, seat, order: purse.flip_dice(play, seat, order.dice),
    orders.Recruit: lambda play, _, seat, order: purse.recruit_citizens(play, seat, order.citizens),
    orders.Counter: countering.counter_black,
    orders.Support: _support,
    orders.React: reactions.answer_reaction,
    orders.Release: lambda play, frame, _, order: possession.free_chosen(play, frame, order),
    orders.Use: outdoor.use_tile,
    orders.Target: lambda play, frame, _, order: archery.aim_arrow(play, frame, order),
    orders.Give: lambda play, _, seat, order: sealed_answers.sealed_answer(play, seat, order),
    orders.Discard: lambda play, _, seat, order: sealed_answers.sealed_answer(play, seat, order),
}
"""Kind of order to what it does. Every other order is an action of a turn."""


BLIND = BlindChance()


def try_order(state: TroyesState, seat: str, order: Order, chance: Chance = BLIND) -> Play:
    """Carry out one order on a copy, up to the first roll that `chance` does not know. Raises NotAllowed or Unclear."""
    play = Play(state.fork(), chance)
    carry_out(play, play.state.agenda[-1], seat, order)
    return play


def is_legal(state: TroyesState, seat: str, order: Order) -> bool:
    """Whether the rules allow this order now."""
    try:
        try_order(state, seat, order)
    except (NotAllowed, Unclear):
        return False
    except UnknownDraw:
        return True
    return True
