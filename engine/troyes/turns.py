"""The six actions of a turn (rulebook, Phase 4).

Each is one walk over a copy of the town: it settles and prices the group, refuses with NotAllowed where something is
in the way, and otherwise records what happens. What has been walked when it refuses is thrown away with the copy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.catalog import T
from engine.errors import NotAllowed
from engine.errors import Unclear
from engine.troyes import buildings
from engine.troyes import dice
from engine.troyes import influence
from engine.troyes import places
from engine.troyes import purse
from engine.troyes import threats
from engine.troyes.cards.faces import Activity
from engine.troyes.effects import CHOOSES
from engine.troyes.effects import EFFECTS
from engine.troyes.effects import PRICED
from engine.troyes.effects import Act
from engine.troyes.group import Group
from engine.troyes.group import check_colour
from engine.troyes.group import check_forbidden
from engine.troyes.group import check_purse
from engine.troyes.group import form
from engine.troyes.orders import NOTHING
from engine.troyes.orders import Activate
from engine.troyes.orders import Build
from engine.troyes.orders import Farm
from engine.troyes.orders import Fight
from engine.troyes.orders import Pass
from engine.troyes.orders import Station
from engine.troyes.places import Place
from engine.troyes.state import BANK
from engine.troyes.state import Card
from engine.troyes.state import Town
from engine.troyes.verbs import Play
from engine.troyes.words import event_word
from engine.troyes.words import named


def activate(play: Play, seat: str, order: Activate) -> None:
    """Action 1: hire a tradesman if none is there, then activate the card at least once (A7, A9, A31)."""
    town = play.town
    card = in_play(town, order.card)
    activity = town.activity(card.id)
    group = form(town, seat, order.dice, order.using, mixed=len(activity.dice) > 1)
    check_colour(town, group, activity.dice, named(card.id))
    _check_times(group, activity, order.times)
    _check_targets(town, activity, order)
    if order.hiring:
        _hire(play, seat, order, card, group)
    elif not card.has(seat):
        raise NotAllowed(
            T(
                "You have no tradesman on {card}; hiring one costs {hire} deniers and must be said.",
                card=named(card.id),
                hire=activity.hire,
            ),
            possible=(T("hiring from supply"),) if town.houses[seat].supply else (),
        )
    check_purse(town, group)
    purse.settle_group(play, group)
    if activity.delayed:
        play.record("cubes", card=card.id, seat=seat, by=order.times)
    elif order.targets != (NOTHING,):
        EFFECTS[card.id](play, Act(seat, activity, order.times, order.targets))


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


def capacity(group: Group, divisor: int) -> int:
    """How often a group reaches the number under the bar, rounded down."""
    return group.total // divisor


def _check_times(group: Group, activity: Activity, times: int) -> None:
    most = capacity(group, activity.divisor)
    if most < 1:
        raise NotAllowed(
            T(
                "{card} needs {divisor} for one activation; these dice make {total}.",
                card=named(activity.id),
                divisor=activity.divisor,
                total=group.total,
            )
        )
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


def _check_targets(town: Town, activity: Activity, order: Activate) -> None:
    kind = CHOOSES.get(activity.id)
    given = order.targets
    if given == (NOTHING,):
        if activity.id not in PRICED:
            raise NotAllowed(T("{card} has no price to leave unpaid.", card=named(activity.id)))
        return
    if kind is None:
        if given:
            raise NotAllowed(T("{card} leaves nothing to choose.", card=named(activity.id)))
        return
    if activity.id == "archer" and not given:
        return
    if len(given) < order.times:
        raise Unclear(
            T(
                "{card}: {times} activations need {times} choices after the colon; you named {count}.",
                card=named(activity.id),
                times=order.times,
                count=len(given),
            ),
            possible=(T("{count} times", count=len(given)),) if given else (),
        )
    if len(given) > order.times:
        raise NotAllowed(
            T(
                "{card} is activated {times} times; you named {count} choices after the colon.",
                card=named(activity.id),
                times=order.times,
                count=len(given),
            )
        )
    if kind == "building":
        wrong = [place for place in given if place not in (places.PALACE, places.BISHOPRIC)]
        if wrong:
            raise NotAllowed(T("{card} counts the Palace or the Bishopric only.", card=named(activity.id)))
        return
    for event in dict.fromkeys(given):
        threat = threats.find(town, event)
        free, wanted = town.free_banners(threat), given.count(event)
        if wanted > free and activity.id == "diplomat" and not town.event(event).permanent:
            raise NotAllowed(
                T(
                    "{event} has {free} free banners; you named it {wanted} times.",
                    event=event_word(town, event),
                    free=free,
                    wanted=wanted,
                )
            )


def _hire(play: Play, seat: str, order: Activate, card: Card, group: Group) -> None:
    town, activity = play.town, play.town.activity(order.card)
    if card.has(seat):
        raise NotAllowed(
            T("You have a tradesman on {card} already: leave «hiring» out.", card=named(card.id)), rule="A31"
        )
    source = Place.parse(order.hiring)
    buildings.check_source(town, seat, source)
    check_purse(town, group, activity.hire)
    free = [number for number, owner in enumerate(card.spaces, start=1) if not owner]
    if free and order.space not in free:
        raise NotAllowed(
            T("Free spaces of {card} are {free}.", card=named(card.id), free=tuple(free)), rule="A31"
        )
    spot = str(order.space) if free else places.PICTURE
    purse.pay(play, seat, BANK, activity.hire, "hire")
    play.move(seat, source, Place(card.id, spot))


def build(play: Play, seat: str, order: Build) -> None:
    """Action 2: each die places a cube in the column of its value, on the lowest free level (A70)."""
    town, board = play.town, play.town.box.board
    group = form(town, seat, order.dice, order.using)
    check_forbidden(town, group, "cathedral")
    check_colour(town, group, (dice.WHITE,), T("The cathedral"))
    check_purse(town, group)
    purse.settle_group(play, group)
    for column in group.values:
        if not 1 <= column <= board.columns:
            raise NotAllowed(T("The cathedral has no column {column}.", column=column))
        level = next((n for n, row in enumerate(town.cathedral, start=1) if not row[column - 1]), 0)
        if not level:
            raise NotAllowed(
                T(
                    "Column {column} of the cathedral has no level left for every die: each die must place its cube.",
                    column=column,
                ),
                rule="A70",
            )
        play.record("builds", owner=seat, level=level, column=column)
        purse.points(play, seat, board.cathedral_points)
        influence.gain(play, seat, board.cathedral_influence[column - 1])


def fight(play: Play, seat: str, order: Fight) -> None:
    """Action 3: cubes on one event, as many as the group reaches and banners are free."""
    town = play.town
    threat = threats.find(town, order.event)
    event = town.event(order.event)
    group = form(town, seat, order.dice, order.using)
    check_colour(town, group, event.dice, named(order.event))
    reached = capacity(group, event.divisor)
    if reached < 1:
        raise NotAllowed(
            T(
                "{event} needs {divisor} for one cube; these dice make {total}.",
                event=named(order.event),
                divisor=event.divisor,
                total=group.total,
            )
        )
    most = min(reached, town.free_banners(threat))
    if not 1 <= order.cubes <= most:
        raise NotAllowed(
            T(
                "{event}: {total} divided by {divisor} makes {reached}, and {free} banners are free; you asked for "
                "{cubes} cubes.",
                event=named(order.event),
                total=group.total,
                divisor=event.divisor,
                reached=reached,
                free=town.free_banners(threat),
                cubes=order.cubes,
            )
        )
    check_purse(town, group)
    purse.settle_group(play, group)
    threats.place_cubes(play, seat, order.event, order.cubes)


def station(play: Play, seat: str, order: Station) -> None:
    """Action 4: exactly one die places one citizen on the building of its colour (A42 to A45, A65)."""
    town = play.town
    group = form(town, seat, (order.die,), order.using)
    if order.using and town.activity(order.using).virtual:
        raise NotAllowed(
            T("A die that counts as several with {card} cannot place a citizen.", card=named(order.using)), rule="A65"
        )
    building = places.BUILDING_OF[group.colour]
    check_forbidden(town, group, building)
    number = group.total
    if number > town.box.board.palace_spaces:
        raise NotAllowed(
            T("The die counts as {n} with {card}: no space has that number.", n=number, card=named(order.using)),
            rule="A44",
        )
    source = Place.parse(order.source)
    buildings.check_source(town, seat, source)
    check_purse(town, group)
    way = buildings.entering(town, seat, building, number, source)
    purse.settle_group(play, group)
    buildings.enter(play, way)


def farm(play: Play, seat: str, order: Farm) -> None:
    """Action 5: half the value of a yellow group in deniers."""
    town = play.town
    group = form(town, seat, order.dice, order.using)
    check_colour(town, group, (dice.YELLOW,), T("Agriculture"))
    check_purse(town, group)
    purse.settle_group(play, group)
    purse.earn(play, seat, capacity(group, town.box.board.agriculture_divisor))


def pass_(play: Play, seat: str, order: Pass) -> None:
    """Action 6: leave the round, with deniers to be collected at its end (A47)."""
    play.record("passes", seat=seat, coins=play.town.box.board.pass_first)


ACTIONS: dict[type, Callable[[Play, str, Any], None]] = {
    Activate: activate,
    Build: build,
    Fight: fight,
    Station: station,
    Farm: farm,
    Pass: pass_,
}
"""Kind of order to its action."""
