"""The canonical line of an order: what receipts print, options show, and `read` accepts."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import OrderRefused
from engine.troyes.actions import outdoor
from engine.troyes.actions.activating import capacity
from engine.troyes.board.choices import PLACE, USE
from engine.troyes.board.group import form
from engine.troyes.board.words import event_word, typed
from engine.troyes.box import LEVELS
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.state import Card, TroyesState


def write(state: TroyesState, seat: str, order: Order, language: str = "en") -> str:
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
            return _activate(state, seat, order)
        case orders.Build():
            return f"build with {_dice(seat, order.dice)}{_using(state, seat, order.using)}"
        case orders.Fight():
            return _fight(state, seat, order)
        case orders.Station():
            source = typed(order.source)
            return f"place {order.die.word(seat)} from {source}{_using(state, seat, order.using)}"
        case orders.Farm():
            return f"farm {_dice(seat, order.dice)}{_using(state, seat, order.using)}"
        case orders.Pass():
            return "pass"
        case orders.Counter():
            if order.using:
                black = "".join(f" {number}" for number in order.black)
                return f"counter{black} using {_tile(state, order.using)}"
            if not order.dice:
                return "counter none"
            return f"counter {' '.join(map(str, order.black))} with {' '.join(order.dice)}"
        case orders.Support():
            return "support " + ", ".join(event_word(state, id) for id in order.events)
        case orders.Target():
            return f"target {event_word(state, order.event)}"
        case orders.Guard():
            return _guard(state, seat, order)
        case orders.Use():
            return f"use {_tile(state, order.tile)}"
        case orders.React():
            return f"react {_tile(state, order.tile)}" if order.tile else "react no"
        case orders.Give():
            return f"give {typed(order.source)}"
        case orders.Discard():
            return f"discard {typed(order.on) if state.tile(order.on) is None else _tile(state, order.on)}"
        case orders.Release():
            return f"release {order.owner}"
        case orders.Auto():
            tile = f"{_tile(state, order.tile)} " if order.tile else ""
            return f"auto: react {tile}{order.react}"
        case orders.LeRoy():
            return "the dice of le-roy"


def _dice(seat: str, picks: Iterable[Pick]) -> str:
    return " ".join(pick.word(seat) for pick in picks)


def _using(state: TroyesState, seat: str, using: Using) -> str:
    """The clauses for cubes, the card's first, then the tiles by level."""
    words = f" using {typed(using.card)}" if using.card else ""
    if using.die is not None:
        words += f": {using.die.word(seat)}"
    levels = {use.tile: state.outdoor(use.tile).level for use in using.tiles if use.tile in state.box.outdoor}
    for use in sorted(using.tiles, key=lambda use: levels.get(use.tile, 0)):
        words += f" using {_tile(state, use.tile)}"
        if use.swaps:
            words += ": " + ", ".join(f"{swap.own} for {swap.other.word(seat)}" for swap in use.swaps)
        elif use.die is not None:
            words += f": {use.die.word(seat)}"
        elif use.card:
            words += f": {typed(use.card)}"
    return words


def _tile(state: TroyesState, tile: str) -> str:
    """A tile by its level, as long as it is the one of this game."""
    return LEVELS[state.outdoor(tile).level] if state.tile(tile) is not None else typed(tile)


def _guard(state: TroyesState, seat: str, order: orders.Guard) -> str:
    boost = f" +{order.boost}" if order.boost else ""
    steps = [f"advance {order.advance}"] if order.advance else []
    steps += [f"cube {LEVELS[level]}" for level in order.cubes]
    tail = f": {', '.join(steps)}" if steps else ""
    return f"guard {order.die.word(seat)}{boost}{_using(state, seat, order.using)}{tail}"


def _activate(state: TroyesState, seat: str, order: orders.Activate) -> str:
    words = [f"activate {typed(order.card)}"]
    if order.hiring:
        words.append(f"hiring from {typed(order.hiring)}")
        if order.space != best_space(state.card(order.card)):
            words.append(f"to space {order.space}")
    most, mixed = _most(state, seat, order), order.targets[:1] in ((PLACE,), (USE,))
    if order.times != most and not mixed:
        words.append(f"{order.times} times" if order.times != 1 else "once")
    words.append(f"with {_dice(seat, order.dice)}{_using(state, seat, order.using)}")
    line = " ".join(words)
    targets = [typed(target) if state.threat(target) is None else event_word(state, target) for target in order.targets]
    if targets and mixed and (targets[0] == USE or order.times != most):
        targets[0] += f" {order.times}"
    return f"{line}: {', '.join(targets)}" if targets else line


def best_space(card: Card | None) -> int:
    """The number of the free space worth most; 0 when only the illustration is left."""
    spaces = card.spaces if card else []
    return next((number for number, owner in enumerate(spaces, start=1) if not owner), 0)


def _most(state: TroyesState, seat: str, order: orders.Activate) -> int:
    card = state.activity(order.card)
    try:
        state = outdoor.swapped(state, seat, order.using)
        group = form(state, seat, order.dice, order.using, wanted=card.dice, mixed=len(card.dice) > 1)
    except OrderRefused:
        return -1
    return capacity(group, card)


def _fight(state: TroyesState, seat: str, order: orders.Fight) -> str:
    threat = state.threat(order.event)
    most = -1
    if threat is not None:
        try:
            event = state.event(order.event)
            group = form(outdoor.swapped(state, seat, order.using), seat, order.dice, order.using, wanted=event.dice)
            most = min(group.total // event.divisor, state.free_banners(threat))
        except OrderRefused:
            most = -1
    cubes = "" if order.cubes == most else f" {order.cubes} cube{'s' if order.cubes != 1 else ''}"
    freed = f": free {', '.join(order.freed)}" if order.freed else ""
    with_ = f"{_dice(seat, order.dice)}{_using(state, seat, order.using)}"
    return f"fight {event_word(state, order.event)}{cubes} with {with_}{freed}"
