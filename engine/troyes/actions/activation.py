"""Action 1: hire a tradesman if none is there, then activate the card (rulebook, Phase 4; A7, A9, A31, A32)."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import buildings, purse
from engine.troyes.board.card_choices import check_choices
from engine.troyes.board.dice_group import Group, check_colour, check_purse, form_group
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.explain import amount_text
from engine.troyes.card_data.item_names import item_name
from engine.troyes.cards import Activation, perform_activation
from engine.troyes.events.play import Play
from engine.troyes.state import places
from engine.troyes.state.orders import Activate
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import BANK, Card, TroyesState


def activate_card(play: Play, seat: str, order: Activate) -> None:
    """Carry out the action. Raises NotAllowed or Unclear."""
    state = play.state
    card = card_in_play(state, order.card)
    activity = state.activity(card.id)
    group = form_group(state, seat, order.dice, order.using, wanted=activity.dice, mixed=len(activity.dice) > 1)
    check_colour(state, group, activity.dice, item_name(card.id))
    _check_times(group, activity, order.times)
    check_choices(state, seat, activity, order)
    if order.hiring:
        _hire(play, seat, order, card, group)
    elif not card.has(seat):
        raise NotAllowed(
            T(
                "You have no tradesman on {card}; hiring one costs {price} and must be said.",
                card=item_name(card.id),
                price=amount_text(activity.currency, activity.hire),
            ),
            possible=(T("hiring from supply"),) if state.houses[seat].supply else (),
        )
    check_purse(state, group)
    purse.settle_group(play, group)
    perform_activation(play, Activation(seat, activity, order.times, order.targets, group.values))


def card_in_play(state: TroyesState, id: str) -> Card:
    """The Activity card, if it is in play. Raises NotAllowed naming the cards in play."""
    card = state.card(id)
    if card is None:
        raise NotAllowed(
            T(
                "{card} is not in play now; in play are {cards}.",
                card=item_name(id),
                cards=tuple(item_name(other.id) for other in state.cards) or T("none"),
            )
        )
    return card


def capacity(group: Group, activity: Activity) -> int:
    """How many activations a group pays for. Where a card has no divisor every die counts once."""
    return group.total // activity.divisor if activity.divisor else len(group.values)


def _check_times(group: Group, activity: Activity, times: int) -> None:
    most = capacity(group, activity)
    if most < 1:
        raise NotAllowed(
            T(
                "{card} needs {divisor} for one activation; these dice make {total}.",
                card=item_name(activity.id),
                divisor=activity.divisor,
                total=group.total,
            )
        )
    if not activity.divisor:
        if times != most:
            raise NotAllowed(
                T(
                    "Every die counts on {card}: {most} cubes, not {times}.",
                    card=item_name(activity.id),
                    most=most,
                    times=times,
                ),
                rule="A33",
            )
        if group.total != sum(group.values):
            raise NotAllowed(
                T("{card} reads each die: what is added to their total changes nothing.", card=item_name(activity.id)),
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
            T("You have a tradesman on {card} already: leave «hiring» out.", card=item_name(card.id)), rule="A31"
        )
    source = Place.parse(order.hiring)
    buildings.check_source(state, seat, source)
    in_deniers = activity.currency == "deniers"
    check_purse(state, group, activity.hire if in_deniers else 0)
    if not in_deniers and state.houses[seat].influence < activity.hire:
        raise NotAllowed(
            T(
                "Hiring on {card} costs {hire} influence; you have {influence}.",
                card=item_name(card.id),
                hire=activity.hire,
                influence=state.houses[seat].influence,
            ),
            rule="A32",
        )
    free = [number for number, owner in enumerate(card.spaces, start=1) if not owner]
    if free and order.space not in free:
        raise NotAllowed(T("Free spaces of {card} are {free}.", card=item_name(card.id), free=tuple(free)), rule="A31")
    spot = str(order.space) if free else places.PICTURE
    if in_deniers:
        purse.pay_deniers(play, seat, BANK, activity.hire, "hire")
    else:
        purse.spend_influence(play, seat, activity.hire)
    play.move(seat, source, Place(card.id, spot))
