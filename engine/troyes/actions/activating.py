"""Action 1: hire a tradesman if none is there, then activate the card (rulebook, Phase 4; A7, A9, A31, A32)."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import buildings, influence, purse
from engine.troyes.board.choices import check_choices
from engine.troyes.board.group import Group, check_colour, check_purse, form
from engine.troyes.board.words import named
from engine.troyes.box import counted
from engine.troyes.box.faces import Activity
from engine.troyes.cards import Activation, perform
from engine.troyes.entries import Play
from engine.troyes.state import places
from engine.troyes.state.orders import Activate
from engine.troyes.state.places import Place
from engine.troyes.state.state import BANK, Card, TroyesState


def activate(play: Play, seat: str, order: Activate) -> None:
    """One walk over the action. Raises NotAllowed, Unclear."""
    state = play.state
    card = in_play(state, order.card)
    activity = state.activity(card.id)
    group = form(state, seat, order.dice, order.using, wanted=activity.dice, mixed=len(activity.dice) > 1)
    check_colour(state, group, activity.dice, named(card.id))
    _check_times(group, activity, order.times)
    check_choices(state, seat, activity, order)
    if order.hiring:
        _hire(play, seat, order, card, group)
    elif not card.has(seat):
        raise NotAllowed(
            T(
                "You have no tradesman on {card}; hiring one costs {price} and must be said.",
                card=named(card.id),
                price=counted(activity.currency, activity.hire),
            ),
            possible=(T("hiring from supply"),) if state.houses[seat].supply else (),
        )
    check_purse(state, group)
    purse.settle_group(play, group)
    perform(play, Activation(seat, activity, order.times, order.targets, group.values))


def in_play(state: TroyesState, id: str) -> Card:
    """The revealed card. Raises NotAllowed naming those that are."""
    card = state.card(id)
    if card is None:
        raise NotAllowed(
            T(
                "{card} is not in play now; in play are {cards}.",
                card=named(id),
                cards=tuple(named(other.id) for other in state.cards) or T("none"),
            )
        )
    return card


def capacity(group: Group, activity: Activity) -> int:
    """How often a group reaches the number under the bar, rounded down; where there is none, every die counts once."""
    return group.total // activity.divisor if activity.divisor else len(group.values)


def _check_times(group: Group, activity: Activity, times: int) -> None:
    most = capacity(group, activity)
    if most < 1:
        raise NotAllowed(
            T(
                "{card} needs {divisor} for one activation; these dice make {total}.",
                card=named(activity.id),
                divisor=activity.divisor,
                total=group.total,
            )
        )
    if not activity.divisor:
        if times != most:
            raise NotAllowed(
                T(
                    "Every die counts on {card}: {most} cubes, not {times}.",
                    card=named(activity.id),
                    most=most,
                    times=times,
                ),
                rule="A33",
            )
        if group.total != sum(group.values):
            raise NotAllowed(
                T("{card} reads each die: what is added to their total changes nothing.", card=named(activity.id)),
                rule="A33",
            )
        return
    if not 1 <= times <= most:
        raise NotAllowed(
            T(
                "{total} divided by {divisor} allows {most} activations, at least one; you asked for {times}.",
                total=group.total,
                divisor=activity.divisor,
                most=most,
                times=times,
            ),
            rule="A7",
        )


def _hire(play: Play, seat: str, order: Activate, card: Card, group: Group) -> None:
    state, activity = play.state, play.state.activity(order.card)
    if card.has(seat):
        raise NotAllowed(
            T("You have a tradesman on {card} already: leave «hiring» out.", card=named(card.id)), rule="A31"
        )
    source = Place.parse(order.hiring)
    buildings.check_source(state, seat, source)
    in_deniers = activity.currency == "deniers"
    check_purse(state, group, activity.hire if in_deniers else 0)
    if not in_deniers and state.houses[seat].influence < activity.hire:
        raise NotAllowed(
            T(
                "Hiring on {card} costs {hire} influence; you have {influence}.",
                card=named(card.id),
                hire=activity.hire,
                influence=state.houses[seat].influence,
            ),
            rule="A32",
        )
    free = [number for number, owner in enumerate(card.spaces, start=1) if not owner]
    if free and order.space not in free:
        raise NotAllowed(T("Free spaces of {card} are {free}.", card=named(card.id), free=tuple(free)), rule="A31")
    spot = str(order.space) if free else places.PICTURE
    if in_deniers:
        purse.pay(play, seat, BANK, activity.hire, "hire")
    else:
        influence.spend(play, seat, activity.hire)
    play.move(seat, source, Place(card.id, spot))
