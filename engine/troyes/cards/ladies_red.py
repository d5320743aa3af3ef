"""The military cards of the Ladies (appendix; A23, A33, A39, D14)."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.errors import NotAllowed, Unclear
from engine.troyes.board import influence, purse, threats
from engine.troyes.board.words import named, who
from engine.troyes.cards.act import Activation, pay_deniers, spend_cubes, take_cubes
from engine.troyes.entries import Play
from engine.troyes.entries.money import InfluenceChanges
from engine.troyes.state.state import BANK, TroyesState


def ransom(play: Play, act: Activation) -> None:
    """Deniers turned into cubes on events."""
    pay_deniers(play, act)
    for event in act.targets:
        threats.place_cube(play, act.seat, event)


def catapult(play: Play, act: Activation) -> None:
    """For each cube of the card a pair on one event, or one where one banner is free (D14)."""
    spend_cubes(play, act)
    for event in act.targets[1:]:
        threats.place_cubes(play, act.seat, event, act.card.numbers["cubes"])


def scout(play: Play, act: Activation) -> None:
    """A denier for each cube on an event of the queue."""
    price, purse_ = act.card.numbers["cost"] * len(act.targets), play.state.houses[act.seat].deniers
    if price > purse_:
        raise NotAllowed(
            T("{n} cubes cost {price} deniers; you have {purse}.", n=len(act.targets), price=price, purse=purse_)
        )
    purse.pay(play, act.seat, BANK, price)
    for event in act.targets:
        threats.place_cube(play, act.seat, event)


def executioner(play: Play, act: Activation) -> None:
    """Influence from the supply, and from the opponent who has most, looked at anew each time (A39)."""
    names = list(act.targets)
    for _ in range(act.times):
        by = act.card.numbers["influence"]
        victim = _victim(play.state, act, names.pop(0) if names else "")
        if victim:
            taken = min(by, play.state.houses[victim].influence)
            play.record(InfluenceChanges(victim, -taken))
            by += taken
        influence.gain(play, act.seat, by)


def richest(state: TroyesState, seat: str) -> list[str]:
    """The opponents with most influence; none when nobody has any."""
    most = max(state.houses[other].influence for other in state.others(seat))
    return [other for other in state.others(seat) if state.houses[other].influence == most and most]


def _victim(state: TroyesState, act: Activation, said: str) -> str:
    tied = richest(state, act.seat)
    if said and tied and said not in tied:
        raise NotAllowed(
            T(
                "{name} has not the most influence of your opponents: that is {tied}.",
                name=who(state, said),
                tied=tuple(who(state, other) for other in tied),
            ),
            rule="A39",
        )
    if not said and len(tied) > 1:
        raise Unclear(
            T(
                "{card}: {n} opponents have the most influence; name one for each activation.",
                card=named(act.card.id),
                n=len(tied),
            ),
            possible=tuple(T(": {seat}", seat=other) for other in tied),
        )
    return said if said in tied else (tied[0] if tied else "")


def squire(play: Play, act: Activation) -> None:
    """Cubes turned into influence."""
    spend_cubes(play, act)
    influence.gain(play, act.seat, act.number("influence"))


def marriage(play: Play, act: Activation) -> None:
    """Deniers turned into victory points."""
    pay_deniers(play, act)
    purse.points(play, act.seat, act.number("points"))


def fort(play: Play, act: Activation) -> None:
    """A cube for each die; points and influence by its value (A33)."""
    take_cubes(play, act)
    numbers = act.card.numbers
    gain = sum(numbers["high"] if value >= numbers["from"] else numbers["low"] for value in act.values)
    purse.points(play, act.seat, gain)
    influence.gain(play, act.seat, gain)


EFFECTS: dict[str, Callable[[Play, Activation], None]] = {
    "princess": take_cubes,
    **{function.__name__: function for function in (ransom, catapult, scout, executioner, squire, marriage, fort)},
}
