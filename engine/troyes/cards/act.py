"""An activation of any card once its dice are paid: its price, its cubes, and then what is declared of it."""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import declared, influence, purse
from engine.troyes.board.choices import PLACE
from engine.troyes.board.declared import Activation
from engine.troyes.board.words import named
from engine.troyes.box import counted
from engine.troyes.entries import Play
from engine.troyes.entries.cards import CubesChange
from engine.troyes.state.orders import NOTHING
from engine.troyes.state.state import BANK


def perform(play: Play, act: Activation) -> None:
    """Cubes on a card that keeps them, else its effect. Raises NotAllowed, Unclear where something is in the way."""
    card, asks = act.card, declared.of(act.card.id)
    if act.targets == (NOTHING,):
        return
    if card.kind == "mixed" and act.targets[:1] != (PLACE,):
        play.record(CubesChange(card.id, act.seat, -act.times))
        act = replace(act, targets=act.targets[1:])
    else:
        if asks.priced:
            _pay(play, act, asks)
        if card.keeps:
            play.record(CubesChange(card.id, act.seat, act.times))
        if card.kind in ("delayed", "mixed"):
            return
    if asks.effect is not None:
        asks.effect(play, act)


def _pay(play: Play, act: Activation, asks: declared.Declaration) -> None:
    """Pay the price of every activation, or of every event. Raises NotAllowed, with how often it can be paid."""
    house, in_deniers = play.state.houses[act.seat], asks.priced == "cost"
    there = house.deniers if in_deniers else house.influence
    each, number = act.card.numbers[asks.priced], len(act.targets) if asks.chooses == "events" else act.times
    price = each * number
    if price <= there:
        if in_deniers:
            purse.pay(play, act.seat, BANK, price)
        else:
            influence.spend(play, act.seat, price)
        return
    if asks.chooses == "events":
        raise NotAllowed(T("{n} cubes cost {price} deniers; you have {purse}.", n=number, price=price, purse=there))
    most = there // each
    raise NotAllowed(
        T(
            "{card} {times} times costs {price}; you have {there}.",
            card=named(act.card.id),
            times=act.times,
            price=counted("deniers" if in_deniers else "influence", price),
            there=there,
        ),
        possible=(T("{most} times", most=most),) if most else (T(": nothing"),),
    )
