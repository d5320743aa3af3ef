"""One activation of a card, with all that its effect may ask about."""

from __future__ import annotations

from dataclasses import dataclass

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes import influence
from engine.troyes import purse
from engine.troyes.cards.faces import Activity
from engine.troyes.state import BANK
from engine.troyes.verbs import Play
from engine.troyes.words import named


@dataclass(frozen=True, slots=True)
class Act:
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


def take_cubes(play: Play, act: Act) -> None:
    """Cubes on the card, one for each activation; Breeder asks its price for each."""
    if act.card.kind == "mixed" and "cost" in act.card.numbers:
        pay_deniers(play, act)
    play.record("cubes", card=act.card.id, seat=act.seat, by=act.times)


def spend_cubes(play: Play, act: Act) -> None:
    """Cubes off a mixed card, one for each activation."""
    play.record("cubes", card=act.card.id, seat=act.seat, by=-act.times)


def pay_deniers(play: Play, act: Act) -> None:
    """Pay the card's `cost` for every activation. Raises NotAllowed, with how often it can be paid."""
    price, there = act.number("cost"), play.town.houses[act.seat].deniers
    if price > there:
        raise _too_dear(act, T("{n} denier", "{n} deniers", n=price), there, there // act.card.numbers["cost"])
    purse.pay(play, act.seat, BANK, price)


def pay_influence(play: Play, act: Act) -> None:
    """Pay the card's `influence` for every activation. Raises NotAllowed, with how often it can be paid."""
    price, there = act.number("influence"), play.town.houses[act.seat].influence
    if price > there:
        most = there // act.card.numbers["influence"]
        raise _too_dear(act, T("{n} influence", "{n} influence", n=price), there, most)
    influence.spend(play, act.seat, price)


def _too_dear(act: Act, price: Msg, there: int, most: int) -> NotAllowed:
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
