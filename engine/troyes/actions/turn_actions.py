"""The seven actions of a turn (rulebook, Phase 4; the seventh with the Ladies' ramparts).

Each works on a copy of the state: it puts the group together, refuses with NotAllowed where the rules forbid it, and
otherwise records what happens. After a refusal the copy is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.catalog import T
from engine.errors import Gone, NotAllowed
from engine.troyes.actions import outdoor, ramparts, reactions
from engine.troyes.actions.activation import activate_card
from engine.troyes.board import buildings, possession, purse, threats
from engine.troyes.board.dice_group import check_colour, check_forbidden, check_purse, form_group
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.money_events import SeatPasses
from engine.troyes.events.play import Play
from engine.troyes.state import dice, places
from engine.troyes.state.orders import Activate, Build, Farm, Fight, Guard, Order, Pass, Station
from engine.troyes.state.places import Place


def perform_action(play: Play, seat: str, order: Order) -> None:
    """Carry out one action, with the outdoor tiles it uses and the reactions it opens. Raises NotAllowed or Unclear."""
    if not play.state.tiles:
        if getattr(order, "using", None) is not None and order.using.tiles:  # type: ignore[union-attr]
            raise NotAllowed(T("The ramparts are not played in this game."))
        ACTIONS[type(order)](play, seat, order)
        return
    since, depth = len(play.facts), len(play.state.agenda)
    outdoor.begin_tile_uses(play, seat, order)
    ACTIONS[type(order)](play, seat, order)
    outdoor.end_tile_uses(play, seat, order, since)
    reactions.open_reactions(play, seat, order, since, depth)


def build_cathedral(play: Play, seat: str, order: Build) -> None:
    """Action 2: each die places a cube in its column, or is refused, or by a house rule spent for nothing (A70)."""
    state, board = play.state, play.state.box.board
    group = form_group(state, seat, order.dice, order.using, wanted=(dice.WHITE,))
    check_forbidden(state, group, "cathedral")
    check_colour(state, group, (dice.WHITE,), T("The cathedral"))
    check_purse(state, group)
    purse.settle_group(play, group)
    placed = 0
    for column in group.values:
        if not 1 <= column <= board.columns:
            raise NotAllowed(T("The cathedral has no column {column}.", column=column))
        level = buildings.lowest_free_level(state, column, board.levels)
        if level:
            buildings.raise_cube(play, seat, level, column)
            placed += 1
        elif not read_rules(state.options).cathedral_spare_dice:
            raise Gone(
                T(
                    "Column {column} of the cathedral has no level left for every die: each die must place its cube.",
                    column=column,
                ),
                rule="A70",
            )
    if not placed:
        raise Gone(T("The cathedral has no room for any of these dice."), rule="A70")


def fight_event(play: Play, seat: str, order: Fight) -> None:
    """Action 3: cubes on one event, as many as the group reaches and banners are free."""
    state = play.state
    threat = threats.find_threat(state, order.event)
    event = state.event(order.event)
    group = form_group(state, seat, order.dice, order.using, wanted=event.dice)
    check_colour(state, group, event.dice, item_name(order.event))
    reached = group.total // event.divisor
    if reached < 1:
        raise NotAllowed(
            T(
                "{event} needs {divisor} for one cube; these dice make {total}.",
                event=item_name(order.event),
                divisor=event.divisor,
                total=group.total,
            )
        )
    most = min(reached, state.free_banners(threat))
    if not 1 <= order.cubes <= most:
        raise NotAllowed(
            T(
                "{event}: {total} divided by {divisor} makes {reached}, and {free} banners are free; you asked for "
                "{cubes} cubes.",
                event=item_name(order.event),
                total=group.total,
                divisor=event.divisor,
                reached=reached,
                free=state.free_banners(threat),
                cubes=order.cubes,
            )
        )
    check_purse(state, group)
    purse.settle_group(play, group)
    names = possession.checked_owners(state, threat, order.cubes, order.freed)
    for _ in range(order.cubes):
        threats.place_cube(play, seat, threat.id, names, fought=True)


def place_citizen(play: Play, seat: str, order: Station) -> None:
    """Action 4: exactly one die places one citizen on the building of its colour (A42 to A45, A65)."""
    state = play.state
    group = form_group(state, seat, (order.die,), order.using, exact=True)
    if order.using.card and state.activity(order.using.card).virtual:
        raise NotAllowed(
            T("A die that counts as several with {card} cannot place a citizen.", card=item_name(order.using.card)),
            rule="A65",
        )
    building = places.BUILDING_OF[group.colour]
    check_forbidden(state, group, building)
    number = group.total
    if number > state.box.board.palace_spaces:
        raise NotAllowed(
            T(
                "The die counts as {n} with {card}: no space has that number.",
                n=number,
                card=item_name(order.using.card),
            ),
            rule="A44",
        )
    source = Place.parse(order.source)
    buildings.check_source(state, seat, source)
    check_purse(state, group)
    way = buildings.checked_entry(state, seat, building, number, source)
    purse.settle_group(play, group)
    buildings.enter_building(play, way)


def do_agriculture(play: Play, seat: str, order: Farm) -> None:
    """Action 5: half the value of a yellow group in deniers."""
    state = play.state
    group = form_group(state, seat, order.dice, order.using, wanted=(dice.YELLOW,))
    check_colour(state, group, (dice.YELLOW,), T("Agriculture"))
    check_purse(state, group)
    purse.settle_group(play, group)
    purse.earn_deniers(play, seat, group.total // state.box.board.agriculture_divisor)


def pass_round(play: Play, seat: str, order: Pass) -> None:
    """Action 6: leave the round, with deniers to be collected at its end (A47)."""
    play.record(SeatPasses(seat, play.state.box.board.pass_first))


ACTIONS: dict[type, Callable[[Play, str, Any], None]] = {
    Activate: activate_card,
    Build: build_cathedral,
    Fight: fight_event,
    Station: place_citizen,
    Farm: do_agriculture,
    Guard: ramparts.use_guard,
    Pass: pass_round,
}
"""Kind of order to its action."""
