"""An activation of any card once its dice are paid: its price, its cubes, and then its declared effect."""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import card_declaration, purse
from engine.troyes.board.card_choices import PLACE
from engine.troyes.board.card_declaration import Activation
from engine.troyes.card_data.explain import amount_text
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import CubesChange
from engine.troyes.events.play import Play
from engine.troyes.state.orders import NOTHING
from engine.troyes.state.troyes_state import BANK


def perform_activation(play: Play, act: Activation) -> None:
    """Put cubes on a card that keeps them, else carry out its effect. Raises NotAllowed or Unclear."""
    card, asks = act.card, card_declaration.declaration_of(act.card.id)
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


def _pay(play: Play, act: Activation, asks: card_declaration.Declaration) -> None:
    """Pay the price of every activation, or of every event. Raises NotAllowed, saying how often it can be paid."""
    house, in_deniers = play.state.houses[act.seat], asks.priced == "cost"
    there = house.deniers if in_deniers else house.influence
    each, number = act.card.numbers[asks.priced], len(act.targets) if asks.chooses == "events" else act.times
    price = each * number
    if price <= there:
        if in_deniers:
            purse.pay_deniers(play, act.seat, BANK, price)
        else:
            purse.spend_influence(play, act.seat, price)
        return
    if asks.chooses == "events":
        raise NotAllowed(T("{n} cubes cost {price} deniers; you have {purse}.", n=number, price=price, purse=there))
    most = there // each
    raise NotAllowed(
        T(
            "{card} {times} times costs {price}; you have {there}.",
            card=item_name(act.card.id),
            times=act.times,
            price=amount_text("deniers" if in_deniers else "influence", price),
            there=there,
        ),
        possible=(T("{most} times", most=most),) if most else (T(": nothing"),),
    )
