"""The canonical line of an order: what receipts print, options show, and `read` accepts."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import OrderRefused
from engine.troyes import orders
from engine.troyes import outdoor
from engine.troyes.activating import capacity
from engine.troyes.cards import LEVELS
from engine.troyes.choices import PLACE
from engine.troyes.choices import USE
from engine.troyes.group import form
from engine.troyes.orders import Order
from engine.troyes.picks import Pick
from engine.troyes.picks import Using
from engine.troyes.state import Card
from engine.troyes.state import Town
from engine.troyes.words import event_word
from engine.troyes.words import typed


def write(town: Town, seat: str, order: Order) -> str:
    """The canonical text of `order` as `seat` would type it in this position."""
    match order:
        case orders.Settle():
            return "settle " + ", ".join(typed(place) for place in order.places)
        case orders.Reroll():
            return f"reroll {order.die}"
        case orders.Flip():
            return "flip " + " ".join(order.dice)
        case orders.Recruit():
            return f"recruit {order.citizens}"
        case orders.Activate():
            return _activate(town, seat, order)
        case orders.Build():
            return f"build with {_dice(seat, order.dice)}{_using(town, seat, order.using)}"
        case orders.Fight():
            return _fight(town, seat, order)
        case orders.Station():
            source = typed(order.source)
            return f"place {order.die.word(seat)} from {source}{_using(town, seat, order.using)}"
        case orders.Farm():
            return f"farm {_dice(seat, order.dice)}{_using(town, seat, order.using)}"
        case orders.Pass():
            return "pass"
        case orders.Counter():
            if order.using:
                black = "".join(f" {number}" for number in order.black)
                return f"counter{black} using {_tile(town, order.using)}"
            if not order.dice:
                return "counter none"
            return f"counter {' '.join(map(str, order.black))} with {' '.join(order.dice)}"
        case orders.Support():
            return "support " + ", ".join(event_word(town, id) for id in order.events)
        case orders.Target():
            return f"target {event_word(town, order.event)}"
        case orders.Guard():
            return _guard(town, seat, order)
        case orders.Use():
            return f"use {_tile(town, order.tile)}"
        case orders.React():
            return f"react {_tile(town, order.tile)}" if order.tile else "react no"
        case orders.Give():
            return f"give {typed(order.source)}"
        case orders.Discard():
            return f"discard {typed(order.on) if town.tile(order.on) is None else _tile(town, order.on)}"
        case orders.Release():
            return f"release {order.owner}"
        case orders.Auto():
            tile = f"{_tile(town, order.tile)} " if order.tile else ""
            return f"auto: react {tile}{order.react}"
        case orders.LeRoy():
            return "the dice of le-roy"


def _dice(seat: str, picks: Iterable[Pick]) -> str:
    return " ".join(pick.word(seat) for pick in picks)


def _using(town: Town, seat: str, using: Using) -> str:
    """The clauses for cubes, the card's first, then the tiles by level."""
    words = f" using {typed(using.card)}" if using.card else ""
    if using.die is not None:
        words += f": {using.die.word(seat)}"
    for use in sorted(using.tiles, key=lambda use: town.outdoor(use.tile).level if use.tile in town.box.outdoor else 0):
        words += f" using {_tile(town, use.tile)}"
        if use.swaps:
            words += ": " + ", ".join(f"{swap.own} for {swap.other.word(seat)}" for swap in use.swaps)
        elif use.die is not None:
            words += f": {use.die.word(seat)}"
        elif use.card:
            words += f": {typed(use.card)}"
    return words


def _tile(town: Town, tile: str) -> str:
    """A tile by its level, as long as it is the one of this game."""
    return LEVELS[town.outdoor(tile).level] if town.tile(tile) is not None else typed(tile)


def _guard(town: Town, seat: str, order: orders.Guard) -> str:
    boost = f" +{order.boost}" if order.boost else ""
    steps = [f"advance {order.advance}"] if order.advance else []
    steps += [f"cube {LEVELS[level]}" for level in order.cubes]
    tail = f": {', '.join(steps)}" if steps else ""
    return f"guard {order.die.word(seat)}{boost}{_using(town, seat, order.using)}{tail}"


def _activate(town: Town, seat: str, order: orders.Activate) -> str:
    words = [f"activate {typed(order.card)}"]
    if order.hiring:
        words.append(f"hiring from {typed(order.hiring)}")
        if order.space != best_space(town.card(order.card)):
            words.append(f"to space {order.space}")
    most, mixed = _most(town, seat, order), order.targets[:1] in ((PLACE,), (USE,))
    if order.times != most and not mixed:
        words.append(f"{order.times} times" if order.times != 1 else "once")
    words.append(f"with {_dice(seat, order.dice)}{_using(town, seat, order.using)}")
    line = " ".join(words)
    targets = [typed(target) if town.threat(target) is None else event_word(town, target) for target in order.targets]
    if targets and mixed and (targets[0] == USE or order.times != most):
        targets[0] += f" {order.times}"
    return f"{line}: {', '.join(targets)}" if targets else line


def best_space(card: Card | None) -> int:
    """The number of the free space worth most; 0 when only the illustration is left."""
    spaces = card.spaces if card else []
    return next((number for number, owner in enumerate(spaces, start=1) if not owner), 0)


def _most(town: Town, seat: str, order: orders.Activate) -> int:
    card = town.activity(order.card)
    try:
        town = outdoor.swapped(town, seat, order.using)
        group = form(town, seat, order.dice, order.using, wanted=card.dice, mixed=len(card.dice) > 1)
    except OrderRefused:
        return -1
    return capacity(group, card)


def _fight(town: Town, seat: str, order: orders.Fight) -> str:
    threat = town.threat(order.event)
    most = -1
    if threat is not None:
        try:
            event = town.event(order.event)
            group = form(outdoor.swapped(town, seat, order.using), seat, order.dice, order.using, wanted=event.dice)
            most = min(group.total // event.divisor, town.free_banners(threat))
        except OrderRefused:
            most = -1
    cubes = "" if order.cubes == most else f" {order.cubes} cube{'s' if order.cubes != 1 else ''}"
    freed = f": free {', '.join(order.freed)}" if order.freed else ""
    with_ = f"{_dice(seat, order.dice)}{_using(town, seat, order.using)}"
    return f"fight {event_word(town, order.event)}{cubes} with {with_}{freed}"
