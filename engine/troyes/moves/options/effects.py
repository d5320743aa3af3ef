"""What an order would do, said from the entries of its walk: «8 times, +10 deniers, Geoffrey +6»."""

from __future__ import annotations

from collections import Counter

from engine.catalog import Msg, T
from engine.troyes.board.choices import PLACE
from engine.troyes.board.words import named, who
from engine.troyes.box import LEVELS
from engine.troyes.entries import Play
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.state import TroyesState


def says(state: TroyesState, seat: str, order: Order, play: Play) -> Msg:
    """The effects of a walked order on `seat` and others; `state` is the position before it."""
    parts: list[Msg] = [*_first(state, seat, order)]
    parts += _changes(play, seat)
    parts += _others(state, play, seat)
    return T("{parts}", parts=tuple(parts)) if parts else T("nothing is gained")


def _first(state: TroyesState, seat: str, order: Order) -> list[Msg]:
    if isinstance(order, orders.Activate):
        counted = [T("once", "{n} times", n=order.times)]
        if state.activity(order.card).kind in ("delayed", "endgame") or order.targets[:1] == (PLACE,):
            counted = [T("{n} cube", "{n} cubes", n=order.times)]
        if order.hiring and order.space:
            worth = state.activity(order.card).spaces[order.space - 1]
            counted.append(T("tradesman worth {worth} VP", worth=worth))
        return counted
    if isinstance(order, orders.Fight):
        return [T("{n} cube", "{n} cubes", n=order.cubes)]
    if isinstance(order, orders.Guard):
        to = state.houses[seat].guard + order.advance
        walked = [T("guard to {to}", to=to)] if order.advance else []
        levels = tuple(LEVELS[level] for level in order.cubes)
        return walked + ([T("a cube on {levels}", levels=levels)] if levels else [])
    return []


def _changes(play: Play, seat: str) -> list[Msg]:
    """Net deniers, influence and points of the seat."""
    net: Counter[str] = Counter()
    for entry in play.entries:
        data = entry.data
        if entry.kind == "pays":
            net["deniers"] += data["deniers"] * ((data["payee"] == seat) - (data["payer"] == seat))
        elif entry.kind in ("influence", "points") and data["seat"] == seat:
            net[entry.kind] += data["by"]
    words = []
    if net["points"]:
        words.append(T("{n} VP", n=f"{net['points']:+d}"))
    if net["deniers"]:
        words.append(T("{signed} denier", "{signed} deniers", n=abs(net["deniers"]), signed=f"{net['deniers']:+d}"))
    if net["influence"]:
        words.append(T("{n} influence", n=f"{net['influence']:+d}"))
    return words


def _others(state: TroyesState, play: Play, seat: str) -> list[Msg]:
    """What it does to the table: sales, expulsions, an event countered, cubes built."""
    words: list[Msg] = []
    for entry in play.entries:
        data = entry.data
        if entry.kind == "moves":
            to = Place.parse(data["to"])
            if to.standing:
                words.append(T("to {place}", place=place_name(to)))
            words += [
                T("expels {name}", name=T("your own") if push["owner"] == seat else who(state, push["owner"]))
                for push in data.get("pushed", ())
                if Place.parse(push["to"]).spot == places.LYING
            ]
        elif entry.kind == "countered":
            words.append(T("counters {event}", event=named(data["event"])))
        elif entry.kind == "builds":
            words.append(T("level {level} of column {column}", level=data["level"], column=data["column"]))
    sold = [entry.data for entry in play.entries if entry.kind == "pays" and entry.data["reason"] == "dice"]
    words += [
        T("{name} +{deniers}", name=who(state, data["payee"]), deniers=data["deniers"])
        for data in sold
        if data["payee"] in state.houses
    ]
    return words


def place_name(place: Place) -> Msg:
    """A place in words."""
    if not place.building:
        return named(place.on)
    if place.spot == places.LYING:
        return T("among the expelled of the {building}", building=named(place.on))
    return T("{building} {spot}", building=named(place.on), spot=place.spot)
