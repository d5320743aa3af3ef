"""What each order does, whatever is asked: one walk that may refuse anywhere, for playing it and for looking ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.actions import archery, countering, outdoor, reactions, sealed, turns
from engine.troyes.board import influence, possession, threats
from engine.troyes.board.words import event_typed, spelled, who
from engine.troyes.entries import Play
from engine.troyes.entries.ordering import WishesKept
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.state import Frame


def carry_out(play: Play, frame: Frame, seat: str, order: Order) -> None:
    """One order of a seat that is asked; `frame` is the present matter. Raises NotAllowed, Unclear."""
    deed = DEEDS.get(type(order))
    if deed is not None:
        deed(play, frame, seat, order)
        return
    frame["seat"] = play.state.after(seat)
    frame.pop("used", None)
    turns.perform(play, seat, order)


def _settle(play: Play, frame: Frame, seat: str, order: orders.Settle) -> None:
    state = play.state
    for word in order.places:
        if Place.parse(word) not in places.SPACES:
            raise NotAllowed(T("{place} is no space of a building.", place=spelled(word)))
    chosen, *later = order.places
    there = state.owner_at(Place.parse(chosen))
    if there:
        raise NotAllowed(
            T(
                "{place} is taken by {owner}.",
                place=spelled(chosen),
                owner=T("you") if there == seat else who(state, there),
            ),
            possible=tuple(T("settle {place}", place=spelled(str(place))) for place in state.free_spaces()[:4]),
        )
    play.move(seat, Place(places.SUPPLY), Place.parse(chosen))
    # Always: that there is such an entry must not tell who has a list.
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


def _reroll(play: Play, frame: Frame, seat: str, order: orders.Reroll) -> None:
    influence.reroll(play, seat, order.die, order.until, order.most)


def _flip(play: Play, frame: Frame, seat: str, order: orders.Flip) -> None:
    influence.flip(play, seat, order.dice)


def _recruit(play: Play, frame: Frame, seat: str, order: orders.Recruit) -> None:
    influence.recruit(play, seat, order.citizens)


def _release(play: Play, frame: Frame, seat: str, order: orders.Release) -> None:
    possession.chosen(play, frame, order)


def _target(play: Play, frame: Frame, seat: str, order: orders.Target) -> None:
    archery.aim(play, frame, order)


def _sealed(play: Play, frame: Frame, seat: str, order: orders.Give | orders.Discard) -> None:
    sealed.answer(play, seat, order)


DEEDS: dict[type, Callable[[Play, Frame, str, Any], None]] = {
    orders.Settle: _settle,
    orders.Reroll: _reroll,
    orders.Flip: _flip,
    orders.Recruit: _recruit,
    orders.Counter: countering.counter,
    orders.Support: _support,
    orders.React: reactions.react,
    orders.Release: _release,
    orders.Use: outdoor.use,
    orders.Target: _target,
    orders.Give: _sealed,
    orders.Discard: _sealed,
}
"""Kind of order to what it does; every other order is an action of a turn."""
