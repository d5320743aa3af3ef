"""Options of the decisions that the Ladies bring: reactions, sealed answers, whose citizen is freed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.catalog import Msg, T
from engine.troyes.actions import reactions
from engine.troyes.board import losses, possession
from engine.troyes.board.phrases import colour_name, owner_name
from engine.troyes.card_data.item_names import item_name
from engine.troyes.news.sentence_parts import place_text
from engine.troyes.options import legal
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import TroyesState

Said = tuple[Order, Msg]


def reaction_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Use the cube, or keep it; and either once for all."""
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
    for order in islice(legal.every_order(state, seat), 12):
        assert isinstance(order, orders.Give)
        if order.source == possession.RECRUIT:
            yield order, T("a citizen hired for {n} influence", n=state.box.board.recruit)
        elif order.source == places.SUPPLY:
            yield order, T("a citizen in hand")
        else:
            yield order, T("your citizen leaves {place}", place=place_text(Place.parse(order.source)))


def discard_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Each card or tile with own cubes."""
    for order in legal.every_order(state, seat):
        assert isinstance(order, orders.Discard)
        card = state.card(order.on)
        there = card.cubes[seat] if card is not None else state.cubes_on(order.on, seat)
        yield order, T("one of {n} cube on {card}", "one of {n} cubes on {card}", n=there, card=item_name(order.on))


def release_options(state: TroyesState, seat: str) -> Iterator[Said]:
    """Each family with a citizen on the card."""
    for order in legal.every_order(state, seat):
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
