"""Options of smaller decisions: countering, and the reactions and sealed answers of the Ladies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from engine.catalog import Msg, T
from engine.game import Says
from engine.troyes.actions import countering, reactions
from engine.troyes.actions.carry_out_order import try_order
from engine.troyes.board import losses, possession
from engine.troyes.board.phrases import colour_name, owner_name
from engine.troyes.card_data.item_names import item_name
from engine.troyes.news.order_text import effects_text
from engine.troyes.news.sentence_parts import place_text
from engine.troyes.options.legal_orders import counter_orders, every_order
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Counter, Order
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import TroyesState

Said = tuple[Order, Msg]


def reaction_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Use the cube or keep it, now or always."""
    frame = state.agenda[-1]
    tile = reactions.asked_tile(frame)
    yield orders.React(tile), T("{gain}, and the cube is gone", gain=_gain(state, seat))
    loss = losses.loss_from(state, frame["event"], seat).says if frame["step"] == "losses" else None
    kept = state.cubes_on(tile, seat)
    cubes = T("{n} cube stays", "{n} cubes stay", n=kept)
    yield orders.React(""), T("you lose {loss}; {cubes}", loss=loss, cubes=cubes) if loss else T("{cubes}", cubes=cubes)
    yield (
        orders.Auto(reactions.ALWAYS, tile),
        T("use a cube of {tile} now and every time, without a question", tile=item_name(tile)),
    )
    yield (
        orders.Auto(reactions.NEVER, tile),
        T("keep the cubes of {tile} now and every time, without a question", tile=item_name(tile)),
    )


def _gain(state: TroyesState, seat: str) -> Msg:
    frame = state.agenda[-1]
    if frame["step"] == "losses":
        return T("you are spared {loss}", loss=losses.loss_from(state, frame["event"], seat).says)
    numbers = state.outdoor(frame["tile"]).numbers
    if frame["tile"] == reactions.SOLD:
        room = state.box.board.influence_max - state.houses[seat].influence
        return T("{n} influence", n=f"+{min(numbers['influence'], room)}")
    return T("{signed} denier", "{signed} deniers", n=numbers["deniers"], signed=f"+{numbers['deniers']}")


def give_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Each source of a citizen, the supply first."""
    for order in islice(every_order(state, seat), 12):
        assert isinstance(order, orders.Give)
        if order.source == possession.RECRUIT:
            yield order, T("a citizen hired for {n} influence", n=state.box.board.recruit)
        elif order.source == places.SUPPLY:
            yield order, T("a citizen in hand")
        else:
            yield order, T("your citizen leaves {place}", place=place_text(Place.parse(order.source)))


def discard_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Each card or tile with own cubes."""
    for order in every_order(state, seat):
        assert isinstance(order, orders.Discard)
        card = state.card(order.on)
        there = card.cubes[seat] if card is not None else state.cubes_on(order.on, seat)
        yield order, T("one of {n} cube on {card}", "one of {n} cubes on {card}", n=there, card=item_name(order.on))


def release_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Each family with a citizen on the card."""
    for order in every_order(state, seat):
        assert isinstance(order, orders.Release)
        yield (
            order,
            T("your citizen comes back")
            if order.owner == seat
            else T("a citizen goes back to {name}", name=owner_name(state, order.owner)),
        )


def roll_text(state: TroyesState, order: orders.Use) -> Msg:
    """What a tile does that rolls a die before the action."""
    colour = colour_name(state.outdoor(order.tile).rolls)
    return T("a {colour} die is rolled into your district; then you act", colour=colour)


MAX_COUNTERS = 9
"""The most options that use dice."""
MAX_COMBINATIONS = 400
"""The most combinations that are searched for several black dice."""


def counter_options(state: TroyesState, seat: str) -> Iterator[tuple[Order, Says]]:
    """The cheapest way, then ways with other dice, then several black dice at once."""
    first = countering.cheapest_counter(state, seat)
    yield first, partial(_countered, state, seat, first)
    if state.cubes_on(losses.PROTECTION, seat):
        by_cube = Counter((state.black[0],), (), losses.PROTECTION)
        yield by_cube, partial(_countered, state, seat, by_cube)
    if not first.dice:
        return
    seen = [first]
    for order in (*_alone(state, seat), *_together(state, seat)):
        if not any(other.black == order.black and dice.are_among(other.dice, order.dice) for other in seen):
            seen.append(order)
            yield order, partial(_countered, state, seat, order)
        if len(seen) == MAX_COUNTERS:
            break
    if len(state.names) > 1:  # else nobody else waits
        yield (
            orders.AutoCounter(always=True),
            T("the first now, and so with the fewest and cheapest dice in every round, without a question"),
        )


def _alone(state: TroyesState, seat: str) -> list[Counter]:
    """The highest black die with one die."""
    own, highest = dict.fromkeys(state.dice[seat]), state.black[0]
    return [Counter((highest,), (word,)) for word in own if countering.die_strength(state, word) >= highest]


def _together(state: TroyesState, seat: str) -> list[Counter]:
    """Several black dice at once, the most first, then with the weakest dice."""
    if len(state.black) == 1:
        return []
    found = [order for order in islice(counter_orders(state, seat), MAX_COMBINATIONS) if len(order.black) > 1]
    return sorted(found, key=lambda order: (-len(order.black), countering.total_strength(state, order.dice)))


def _countered(state: TroyesState, seat: str, order: Counter) -> Msg:
    """What it does when tried: no more influence than there is room for, no more VP lost than there are."""
    does = effects_text(state, seat, order, try_order(state, seat, order).facts)
    if order.using:
        return T("with a cube, {does}", does=does)
    return does if order.dice else T("you cannot beat the {highest}: {does}", highest=state.black[0], does=does)
