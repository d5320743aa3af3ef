"""Action 1: hire a tradesman if none is there, then activate the card (rulebook, Phase 4; A7, A9, A31, A32)."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes import buildings
from engine.troyes import influence
from engine.troyes import places
from engine.troyes import purse
from engine.troyes.cards import counted
from engine.troyes.cards.faces import Activity
from engine.troyes.choices import PLACE
from engine.troyes.choices import check_choices
from engine.troyes.effects import EFFECTS
from engine.troyes.effects import Act
from engine.troyes.effects import take_cubes
from engine.troyes.group import Group
from engine.troyes.group import check_colour
from engine.troyes.group import check_purse
from engine.troyes.group import form
from engine.troyes.orders import NOTHING
from engine.troyes.orders import Activate
from engine.troyes.places import Place
from engine.troyes.state import BANK
from engine.troyes.state import Card
from engine.troyes.state import Town
from engine.troyes.verbs import Play
from engine.troyes.words import named


def activate(play: Play, seat: str, order: Activate) -> None:
    """One walk over the action. Raises NotAllowed, Unclear."""
    town = play.town
    card = in_play(town, order.card)
    activity = town.activity(card.id)
    group = form(town, seat, order.dice, order.using, wanted=activity.dice, mixed=len(activity.dice) > 1)
    check_colour(town, group, activity.dice, named(card.id))
    _check_times(group, activity, order.times)
    check_choices(town, seat, activity, order)
    if order.hiring:
        _hire(play, seat, order, card, group)
    elif not card.has(seat):
        raise NotAllowed(
            T(
                "You have no tradesman on {card}; hiring one costs {price} and must be said.",
                card=named(card.id),
                price=counted(activity.currency, activity.hire),
            ),
            possible=(T("hiring from supply"),) if town.houses[seat].supply else (),
        )
    check_purse(town, group)
    purse.settle_group(play, group)
    act = Act(seat, activity, order.times, order.targets, group.values)
    if activity.kind == "delayed" or order.targets[:1] == (PLACE,):
        take_cubes(play, act)
    elif order.targets != (NOTHING,):
        EFFECTS[card.id](play, act)


def in_play(town: Town, id: str) -> Card:
    """The revealed card. Raises NotAllowed naming those that are."""
    card = town.card(id)
    if card is None:
        raise NotAllowed(
            T(
                "{card} is not in play now; in play are {cards}.",
                card=named(id),
                cards=tuple(named(other.id) for other in town.cards) or T("none"),
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
    town, activity = play.town, play.town.activity(order.card)
    if card.has(seat):
        raise NotAllowed(
            T("You have a tradesman on {card} already: leave «hiring» out.", card=named(card.id)), rule="A31"
        )
    source = Place.parse(order.hiring)
    buildings.check_source(town, seat, source)
    in_deniers = activity.currency == "deniers"
    check_purse(town, group, activity.hire if in_deniers else 0)
    if not in_deniers and town.houses[seat].influence < activity.hire:
        raise NotAllowed(
            T(
                "Hiring on {card} costs {hire} influence; you have {influence}.",
                card=named(card.id),
                hire=activity.hire,
                influence=town.houses[seat].influence,
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
