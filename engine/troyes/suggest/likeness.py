"""How near an order is to what a line names: what they share counts for it, what it has beside against it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import singledispatchmethod
from typing import Any

from engine.troyes.board.choices import PLACE, USE
from engine.troyes.state import dice as dicing
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.places import LYING, SUPPLY
from engine.troyes.state.state import TroyesState
from engine.troyes.suggest.bag import Bag, DieWish

VERBS: dict[type, str] = {
    orders.Activate: "activate", orders.Build: "build", orders.Fight: "fight", orders.Station: "place",
    orders.Farm: "farm", orders.Guard: "guard", orders.Pass: "pass", orders.Reroll: "reroll", orders.Flip: "flip",
    orders.Recruit: "recruit", orders.Use: "use", orders.Counter: "counter", orders.Settle: "settle",
    orders.Support: "support", orders.Target: "target", orders.React: "react", orders.Give: "give",
    orders.Discard: "discard", orders.Release: "release",
}  # fmt: skip
"""What each order begins with."""
HOUSES = {"red": places.PALACE, "white": places.BISHOPRIC, "yellow": places.CITY_HALL}
_VERB, _GOAL, _DIE, _SOURCE, _NUMBER = 3.0, 4.0, 2.5, 2.0, 0.6
"""What a verb, a goal, a die, a source and a number count."""
_ASKED = frozenset(("settle", "support", "target", "react", "give", "discard", "release", "counter"))
"""Verbs of orders that answer a question of their own: need not be said."""


class Likeness:
    """A line's wish, to be compared with orders of a position."""

    def __init__(self, state: TroyesState, seat: str, wish: Bag, *, answers: bool) -> None:
        self.state, self.seat, self.wish = state, seat, wish
        self.answers = answers
        """Whether an order answers a smaller question than what is done in a turn."""
        self._least: dict[DieWish, float] = {}
        self.own = state.dice.get(seat, [])
        self.sources = [place for place in wish.places if place == SUPPLY or " " in place]
        self.houses = [place for place in wish.places if place in places.BUILDINGS]
        self.spots = [place for place in wish.places if "." in place and " " not in place]
        self.lies = "lying" in wish.flags
        self.named = {id_ for id_, weight in wish.ids.items() if weight > 0}

    def of(self, order: Order) -> float:
        """How near it is."""
        return self._verb(VERBS.get(type(order), "")) + self._of(order)

    def _verb(self, verb: str) -> float:
        said = self.wish.verbs
        here = said.get(verb, 0.0)
        others = max((weight for word, weight in said.items() if word != verb), default=0.0)
        if here <= 0 and self.answers and verb in _ASKED:
            return 0.0
        return _VERB * here - 1.2 * max(0.0, others - max(here, 0.0))

    @singledispatchmethod
    def _of(self, order: Any) -> float:
        return 0.0

    # Turns.

    @_of.register
    def _(self, order: orders.Activate) -> float:
        wish = self.wish
        goal = self._goal(order.card)
        found = goal + self.dice(order.dice) + self._using(order.using, order.card)
        found += self._hired(order) if order.hiring else 0.0 if "hire" not in wish.flags else -0.5
        found += self._targets(order)
        most = 1 if not self.state.activity(order.card).divisor else 0
        if not most:
            found += self._count(order.times, "cubes" in wish.flags or "times" in wish.flags)
        return found

    def _hired(self, order: orders.Activate) -> float:
        found = self.source(order.hiring, hired=True) + (0.4 if "hire" in self.wish.flags else 0.0)
        if "space" in self.wish.flags:
            return found + (_NUMBER if order.space in self.wish.numbers else -_NUMBER)
        return found - 0.15 * max(0, order.space - 1)

    def _targets(self, order: orders.Activate) -> float:
        found, seen = 0.0, set[str]()
        for target in order.targets:
            if target in (PLACE, USE):
                found += 0.8 * self.wish.verbs.get(target, 0.0) - 0.1 * (target == USE)
            elif target == orders.NOTHING:
                found += 1.0 if self.wish.flags & {"none", "no", "without"} else -1.0
            elif target in self.wish.ids:
                found += 2.0 * self.wish.ids[target] if target not in seen else 0.3
            elif target in self.houses or target in self.wish.flags:
                found += 1.0 if target not in seen else 0.3
            elif target.isdecimal() and int(target) in self.wish.numbers:
                found += _NUMBER
            elif target in self.wish.owners:
                found += 0.8
            else:
                found -= 0.8
            seen.add(target)
        return found

    @_of.register
    def _(self, order: orders.Build) -> float:
        return self.dice(order.dice) + self._using(order.using) - self._strangers(())

    @_of.register
    def _(self, order: orders.Farm) -> float:
        return self.dice(order.dice) + self._using(order.using) - self._strangers(())

    @_of.register
    def _(self, order: orders.Fight) -> float:
        most = self.dice_total(order.dice) // self.state.event(order.event).divisor
        found = self._goal(order.event) + self.dice(order.dice) + self._using(order.using)
        fewer = order.cubes < most
        told = "cubes" in self.wish.flags and order.cubes in self.wish.numbers
        found += 0.5 if told else -0.6 if fewer else 0.0
        return found + sum(0.5 if owner in self.wish.owners else -0.2 for owner in order.freed)

    @_of.register
    def _(self, order: orders.Station) -> float:
        house = HOUSES.get(order.die.colour or dicing.colour(order.die.die), "")
        found = self.dice((order.die,)) + self._using(order.using)
        if house in self.houses:
            found += 2.0
        elif self.houses:
            found -= 0.8
        return found + self.source(order.source, hired=False) - self._strangers(())

    @_of.register
    def _(self, order: orders.Guard) -> float:
        wish, left = self.wish, list(self.wish.numbers)
        found = self.dice((order.die,)) + self._using(order.using)
        gates = {*wish.levels, *(left if {"cubes", "gate"} & wish.flags else ())}
        for gate in order.cubes:
            found += 1.2 if gate in gates else -1.0
            if gate not in wish.levels and gate in left:
                left.remove(gate)
        pips = wish.pips or ([n for n in left if n == order.boost] if len(left) > 1 else [])
        found += (1.2 if order.boost in pips else -1.5) if order.boost else -0.8 * bool(wish.pips)
        if order.advance:
            found += 1.2 if order.advance in left else -0.3
            found += 0.4 if {"steps", "advance"} & wish.flags else -0.2
        elif {"steps", "advance"} & wish.flags:
            found -= 0.8
        found -= 0.6 * len(set(wish.levels) - set(order.cubes))
        return found + 0.05 * (order.advance + len(order.cubes)) - self._strangers(())

    @_of.register
    def _(self, order: orders.Pass) -> float:
        return -0.5 * len(self.wish.dice) - self._strangers(())

    @_of.register
    def _(self, order: orders.Reroll) -> float:
        return self.dice((Pick(self.seat, order.die),)) - self._strangers(())

    @_of.register
    def _(self, order: orders.Flip) -> float:
        return self.dice(tuple(Pick(self.seat, die) for die in order.dice)) - self._strangers(())

    @_of.register
    def _(self, order: orders.Recruit) -> float:
        flags, counted = self.wish.flags, [n for n in self.wish.numbers if n < 10]
        found = 0.8 * ("citizen" in flags) + 0.8 * bool({"more", "hire", "buy", "take"} & flags)
        told = counted[:1] == [order.citizens] or (not counted and order.citizens == 1)
        return found + (_NUMBER if told else -_NUMBER) - self._strangers(()) - len(self.wish.dice)

    @_of.register
    def _(self, order: orders.Use) -> float:
        return self._tile(order.tile) - 0.5 * len(self.wish.dice) - self._strangers((order.tile,))

    # Answers.

    @_of.register
    def _(self, order: orders.Counter) -> float:
        wish = self.wish
        found = self.dice(tuple(Pick(self.seat, die) for die in order.dice))
        left, every = list(wish.numbers), bool({"both", "everything"} & wish.flags)
        every = every or (len(self.state.black) in left and len(self.state.black) not in self.state.black)
        for black in order.black:
            if black in left:
                left.remove(black)
                found += 1.2
            else:
                found += 0.8 if every else -0.6
        return found + (self._tile(order.using) if order.using else 0.0)

    @_of.register
    def _(self, order: orders.Settle) -> float:
        wished = [*self.sources, *self.spots]
        found = 0.0
        for place in order.places:
            if place in self.sources or place.partition(" ")[2] in self.spots:
                found += 3.0
            elif place.partition(" ")[0] in self.houses:
                found += 1.0
                found += 1.0 if self._is_numbered(place.partition(" ")[2]) else 0.0
            else:
                found -= 1.0
        return found - 0.3 * abs(len(order.places) - max(1, len(wished)))

    @_of.register
    def _(self, order: orders.Support) -> float:
        return sum(self._goal(id_) for id_ in order.events)

    @_of.register
    def _(self, order: orders.Target) -> float:
        return self._goal(order.event)

    @_of.register
    def _(self, order: orders.React) -> float:
        no = bool(self.wish.flags & {"no", "keep", "none", "without"})
        yes = bool(self.wish.flags & {"yes", "using", "take"}) or bool(self.wish.verbs.keys() & {"use", "react"})
        told = 2.0 if (no and not order.tile) or (yes and not no and order.tile) else 0.0
        return told + (self._tile(order.tile) if order.tile else 0.0)

    @_of.register
    def _(self, order: orders.Give) -> float:
        recruits = order.source == "recruit" and "recruit" in self.wish.verbs
        return self.source(order.source, hired=True) + 2.0 * recruits

    @_of.register
    def _(self, order: orders.Discard) -> float:
        tile = any(tile.id == order.on for tile in self.state.tiles)
        return self._goal(order.on) + (self._tile(order.on) if tile else 0.0)

    @_of.register
    def _(self, order: orders.Release) -> float:
        return 3.0 if order.owner in self.wish.owners else 0.0

    # Parts.

    def _goal(self, id_: str) -> float:
        weight = self.wish.ids.get(id_, 0.0)
        used = 0.5 if id_ in self.wish.used else 1.0
        return _GOAL * weight * used if weight else -1.0 if self.named else 0.0

    def _strangers(self, fits: Collection[str]) -> float:
        """What goals that are named and have no part in an order cost it."""
        return 2.0 * sum(id_ not in fits and id_ not in self.wish.used for id_ in self.named)

    def _tile(self, id_: str) -> float:
        level = self.state.outdoor(id_).level
        return 3.0 if level in self.wish.levels else _GOAL * self.wish.ids.get(id_, 0.0) - 0.5

    def _using(self, using: Using, goal: str = "") -> float:
        found = 0.0
        if using.card:
            weight = self.wish.ids.get(using.card, 0.0)
            found += 3.0 * weight if weight and using.card != goal else -2.0
            found += 0.5 if using.card in self.wish.used else 0.0
            if using.die is not None:
                found += 0.5 * self.dice((using.die,)) / _DIE if self.wish.dice else 0.0
        for tile in using.tiles:
            found += self._tile(tile.tile) - 0.2
        return found

    def _count(self, times: int, counted: bool) -> float:
        """Fewer times than the dice allow are said."""
        return _NUMBER if counted and times in self.wish.numbers else 0.05 * min(times, 9)

    def source(self, source: str, *, hired: bool) -> float:
        """Where a citizen comes from; `hired`: a building that is named is where he stands, not where he goes."""
        on, _, spot = source.partition(" ")
        lying = spot == LYING
        if source in self.sources or (spot and spot in self.spots):
            return _SOURCE + 0.6
        if lying and self.lies:
            return _SOURCE + (0.8 if on in self.houses else 0.2 if not self.houses else 0.0)
        if on in self.named:
            return _SOURCE
        told = bool(self.sources or self.spots or self.lies)
        if on in self.houses and (hired or len(set(self.houses)) > 1):
            # Nobody says of whoever was expelled where he stood.
            return (1.6 if self._is_numbered(spot) else 1.1 if lying else 1.0) - 1.0 * told
        return -1.2 if told else 0.3 if source == SUPPLY else 0.0 if lying else -0.3

    def _is_numbered(self, spot: str) -> bool:
        """Whether a number that is said is a space's of the Palace, or of a row elsewhere."""
        return spot.partition(".")[0] in map(str, self.wish.numbers)

    def dice_total(self, picks: Sequence[Pick]) -> int:
        return sum(int(pick.die[1:]) for pick in picks)

    def dice(self, picks: Sequence[Pick]) -> float:
        """How well dice answer those that are named."""
        wished, left, found = self.wish.dice, list(picks), 0.0
        for one in self.wish.unwanted:
            found -= sum(2.0 * one.likes(pick, self.seat, has=True) for pick in picks)
        if not wished:
            strange = sum(pick.owner != self.seat for pick in picks)
            known = sum(pick.owner in self.wish.owners for pick in picks)
            return found + known - 1.2 * strange - 0.1 * len(picks)
        for one in wished:
            best, at = 0.0, -1
            for n, pick in enumerate(left):
                share = one.likes(pick, self.seat, self.has(one))
                if share > best:
                    best, at = share, n
            if at >= 0:
                del left[at]
                found += _DIE * best
        counted = dicing.COLOUR_OF.get(self.wish.counts_as, "none")
        beside = sum(1.3 if pick.owner == self.seat else 2.5 for pick in left)
        return found + sum(pick.colour == counted for pick in picks) - beside

    def has(self, one: DieWish) -> bool:
        """Whether the seat has such a die of its own."""
        return any(map(one.is_so, self.own))

    def least(self, one: DieWish) -> float:
        """How like a die must be to be tried for one that is named: as like as the likest, or the same in part."""
        if one not in self._least:
            every = (Pick(owner, die) for owner, dice in self.state.dice.items() for die in dice)
            best = max((one.likes(pick, self.seat, self.has(one)) for pick in every), default=1.0)
            self._least[one] = max(best, 0.01)
        return self._least[one]
