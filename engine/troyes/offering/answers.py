"""Options of the decisions that the Ladies bring: reactions, sealed answers, whose citizen is freed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes import losses
from engine.troyes import orders
from engine.troyes import places
from engine.troyes import possession
from engine.troyes import possible
from engine.troyes import reactions
from engine.troyes.offering.effects import place_name
from engine.troyes.orders import Order
from engine.troyes.places import Place
from engine.troyes.state import Town
from engine.troyes.words import colour_name
from engine.troyes.words import named
from engine.troyes.words import who

Said = tuple[Order, Msg]


def react(town: Town, seat: str) -> Iterator[Said]:
    """Use the cube, or keep it; and either once for all."""
    frame = town.agenda[-1]
    tile = reactions.asked_tile(frame)
    yield orders.React(tile), T("{gain}, and the cube is gone", gain=_gain(town, seat))
    loss = losses.loss(town, frame["event"], seat).says if frame["step"] == "losses" else None
    kept = town.cubes_on(tile, seat)
    cubes = T("{n} cube stays", "{n} cubes stay", n=kept)
    yield orders.React(""), T("you lose {loss}; {cubes}", loss=loss, cubes=cubes) if loss else T("{cubes}", cubes=cubes)
    yield (
        orders.Auto(reactions.ALWAYS, tile),
        T("use a cube of {tile} now and every time; you are no longer asked", tile=named(tile)),
    )
    yield (
        orders.Auto(reactions.NEVER, tile),
        T("keep the cubes of {tile} now and every time; you are no longer asked", tile=named(tile)),
    )


def _gain(town: Town, seat: str) -> Msg:
    frame = town.agenda[-1]
    if frame["step"] == "losses":
        return T("you are spared {loss}", loss=losses.loss(town, frame["event"], seat).says)
    numbers = town.outdoor(frame["tile"]).numbers
    if frame["tile"] == reactions.SOLD:
        room = town.box.board.influence_max - town.houses[seat].influence
        return T("{n} influence", n=f"+{min(numbers['influence'], room)}")
    return T("{signed} denier", "{signed} deniers", n=numbers["deniers"], signed=f"+{numbers['deniers']}")


def give(town: Town, seat: str) -> Iterator[Said]:
    """Each source of a citizen, the supply first."""
    for order in islice(possible.every(town, seat), 12):
        assert isinstance(order, orders.Give)
        if order.source == possession.RECRUIT:
            yield order, T("a citizen hired for {n} influence", n=town.box.board.recruit)
        elif order.source == places.SUPPLY:
            yield order, T("a citizen in hand")
        else:
            yield order, T("your citizen leaves {place}", place=place_name(Place.parse(order.source)))


def discard(town: Town, seat: str) -> Iterator[Said]:
    """Each card or tile with own cubes."""
    for order in possible.every(town, seat):
        assert isinstance(order, orders.Discard)
        card = town.card(order.on)
        there = card.cubes[seat] if card is not None else town.cubes_on(order.on, seat)
        yield order, T("one of {n} cube on {card}", "one of {n} cubes on {card}", n=there, card=named(order.on))


def release(town: Town, seat: str) -> Iterator[Said]:
    """Each family with a citizen on the card."""
    for order in possible.every(town, seat):
        assert isinstance(order, orders.Release)
        yield (
            order,
            T("your citizen comes back")
            if order.owner == seat
            else T("a citizen goes back to {name}", name=who(town, order.owner)),
        )


def rolls(town: Town, order: orders.Use) -> Msg:
    """What a tile does that rolls a die before the action."""
    colour = colour_name(town.outdoor(order.tile).rolls)
    return T("a {colour} die is rolled into your district; it is still your turn", colour=colour)
