"""One activation of a card, with all that its effect may ask about."""

from __future__ import annotations

from dataclasses import dataclass

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.troyes.board import influence, purse
from engine.troyes.board.words import named
from engine.troyes.box.faces import Activity
from engine.troyes.entries import Play
from engine.troyes.entries.cards import CubesChange
from engine.troyes.state.state import BANK


@dataclass(frozen=True, slots=True)
class Activation:
    """`seat` activates `card` so many `times`; the dice have been paid and have left the square."""

    seat: str
    card: Activity
    times: int
    targets: tuple[str, ...]
    values: tuple[int, ...] = ()
    """What each die of the group counts."""

    def number(self, name: str) -> int:
        """A number printed on the card, times the activations."""
        return self.card.numbers[name] * self.times


def take_cubes(play: Play, act: Activation) -> None:
    """Cubes on the card, one for each activation; Breeder asks its price for each."""
    if act.card.kind == "mixed" and "cost" in act.card.numbers:
        pay_deniers(play, act)
    play.record(CubesChange(act.card.id, act.seat, act.times))


def spend_cubes(play: Play, act: Activation) -> None:
    """Cubes off a mixed card, one for each activation."""
    play.record(CubesChange(act.card.id, act.seat, -act.times))


def pay_deniers(play: Play, act: Activation) -> None:
    """Pay the card's `cost` for every activation. Raises NotAllowed, with how often it can be paid."""
    price, there = act.number("cost"), play.state.houses[act.seat].deniers
    if price > there:
        raise _too_dear(act, T("{n} denier", "{n} deniers", n=price), there, there // act.card.numbers["cost"])
    purse.pay(play, act.seat, BANK, price)


def pay_influence(play: Play, act: Activation) -> None:
    """Pay the card's `influence` for every activation. Raises NotAllowed, with how often it can be paid."""
    price, there = act.number("influence"), play.state.houses[act.seat].influence
    if price > there:
        most = there // act.card.numbers["influence"]
        raise _too_dear(act, T("{n} influence", "{n} influence", n=price), there, most)
    influence.spend(play, act.seat, price)


def _too_dear(act: Activation, price: Msg, there: int, most: int) -> NotAllowed:
    return NotAllowed(
        T(
            "{card} {times} times costs {price}; you have {there}.",
            card=named(act.card.id),
            times=act.times,
            price=price,
            there=there,
        ),
        possible=(T("{most} times", most=most),) if most else (T(": nothing"),),
    )
