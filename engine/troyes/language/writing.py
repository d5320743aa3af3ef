"""The canonical line of an order: what receipts print, options show, and `read` accepts."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import OrderRefused
from engine.troyes import orders
from engine.troyes.group import Pick
from engine.troyes.group import form
from engine.troyes.orders import Order
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
            return f"build with {_dice(seat, order.dice)}{_using(order.using)}"
        case orders.Fight():
            return _fight(town, seat, order)
        case orders.Station():
            source = typed(order.source)
            return f"place {order.die.word(seat)} from {source}{_using(order.using)}"
        case orders.Farm():
            return f"farm {_dice(seat, order.dice)}{_using(order.using)}"
        case orders.Pass():
            return "pass"
        case orders.Counter():
            if not order.dice:
                return "counter none"
            return f"counter {' '.join(map(str, order.black))} with {' '.join(order.dice)}"
        case orders.Support():
            return "support " + ", ".join(event_word(town, id) for id in order.events)
        case orders.Target():
            return f"target {event_word(town, order.event)}"
        case orders.LeRoy():
            return "the dice of le-roy"


def _dice(seat: str, picks: Iterable[Pick]) -> str:
    return " ".join(pick.word(seat) for pick in picks)


def _using(using: str) -> str:
    return f" using {typed(using)}" if using else ""


def _activate(town: Town, seat: str, order: orders.Activate) -> str:
    words = [f"activate {typed(order.card)}"]
    if order.hiring:
        words.append(f"hiring from {typed(order.hiring)}")
        if order.space != best_space(town.card(order.card)):
            words.append(f"to space {order.space}")
    most = _most(town, seat, order)
    if order.times != most:
        words.append(f"{order.times} times" if order.times != 1 else "once")
    words.append(f"with {_dice(seat, order.dice)}{_using(order.using)}")
    line = " ".join(words)
    if order.targets:
        line += ": " + ", ".join(
            typed(target) if town.threat(target) is None else event_word(town, target) for target in order.targets
        )
    return line


def best_space(card: Card | None) -> int:
    """The number of the free space worth most; 0 when only the illustration is left."""
    spaces = card.spaces if card else []
    return next((number for number, owner in enumerate(spaces, start=1) if not owner), 0)


def _most(town: Town, seat: str, order: orders.Activate) -> int:
    card = town.activity(order.card)
    try:
        group = form(town, seat, order.dice, order.using, mixed=len(card.dice) > 1)
    except OrderRefused:
        return -1
    return group.total // card.divisor


def _fight(town: Town, seat: str, order: orders.Fight) -> str:
    threat = town.threat(order.event)
    most = -1
    if threat is not None:
        try:
            group = form(town, seat, order.dice, order.using)
            most = min(group.total // town.event(order.event).divisor, town.free_banners(threat))
        except OrderRefused:
            most = -1
    cubes = "" if order.cubes == most else f" {order.cubes} cube{'s' if order.cubes != 1 else ''}"
    return f"fight {event_word(town, order.event)}{cubes} with {_dice(seat, order.dice)}{_using(order.using)}"
