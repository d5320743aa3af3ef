"""How near an order is to what a line names. What only the order has counts against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.troyes.board.card_choices import PLACE, USE
from engine.troyes.state import dice as dicing
from engine.troyes.state import orders, places
from engine.troyes.state.orders import NOTHING_USED, Order, Pick, Using
from engine.troyes.state.places import LYING, SUPPLY
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.suggest.line_parts import LineParts

VERBS: dict[type, str] = {
    orders.Activate: "activate", orders.Build: "build", orders.Fight: "fight", orders.Station: "place",
    orders.Farm: "farm", orders.Guard: "guard", orders.Pass: "pass", orders.Reroll: "reroll", orders.Flip: "flip",
    orders.Recruit: "recruit", orders.Use: "use", orders.Counter: "counter", orders.Settle: "settle",
    orders.Support: "support", orders.Target: "target", orders.React: "react", orders.Give: "give",
    orders.Discard: "discard", orders.Release: "release",
}  # fmt: skip
"""Kind of order to its verb."""


class OrderParts:
    """What one order says."""

    def __init__(self, seat: str, order: Order) -> None:
        def of(name: str, otherwise: Any = "") -> Any:
            return getattr(order, name, otherwise)

        self.order, self.verb = order, VERBS.get(type(order), "")
        used = of("using", NOTHING_USED)
        # Against a black die a tile is used alone.
        self.using: Using = NOTHING_USED if isinstance(used, str) else used
        self.tiles = [tile for tile in (used if isinstance(used, str) else "", of("tile")) if tile]
        self.tiles += [use.tile for use in self.using.tiles]
        dice = (*of("dice", ()), *((of("die"),) if of("die") else ()))
        self.picks = [die if isinstance(die, Pick) else Pick(seat, die) for die in dice]
        self.goals = [id_ for id_ in (of("card"), of("event"), of("on")) if id_] + [*of("events", ()), *of("then", ())]
        """Cards and events that it is done to, and the tile that a cube is taken from."""
        self.targets = [one for one in of("targets", ()) if one not in (PLACE, USE)]
        self.mixed = next((one for one in of("targets", ()) if one in (PLACE, USE)), "")
        self.source: str = of("hiring") or of("source")
        self.freed = [owner for owner in (*of("freed", ()), of("owner")) if owner]
        self.ends = [one for one in self.targets if one in places.BUILDINGS]
        """Where somebody, or a cube, goes."""
        if isinstance(order, orders.Station):
            self.ends = [places.BUILDING_OF.get(order.die.colour or dicing.die_colour(order.die.die), "")]
        elif isinstance(order, orders.Settle):
            self.ends = list(order.places)
        elif isinstance(order, orders.Build):
            self.ends = ["cathedral"]


_VERB, _GOAL, _DIE, _PART, _NUMBER = 3.0, 4.0, 2.5, 2.0, 0.6
"""The weights of a verb, a goal, a die, another part and a number."""
_ASKED = frozenset(("settle", "support", "target", "react", "give", "discard", "release", "counter"))
"""Verbs of answers to questions of their own, which need not be said."""


class Similarity:
    """A line to be compared with orders of a position."""

    def __init__(self, state: TroyesState, seat: str, wish: LineParts) -> None:
        self.state, self.seat, self.wish = state, seat, wish
        self.own = state.dice.get(seat, [])
        self.sources = [place for place in wish.places if place == SUPPLY or " " in place]
        self.houses = [place for place in wish.places if place in places.BUILDINGS]
        self.spots = [place for place in wish.places if "." in place and " " not in place]
        self.named = {id_ for id_, weight in wish.ids.items() if weight > 0}

    def of(self, order: Order) -> float:
        """How near an order is."""
        one = OrderParts(self.seat, order)
        found = self._verb(one.verb) + self._goals(one) + self.dice(one.picks) + self._using(one) + self._numbers(order)
        return found + self._targets(one) + self._placed(one)

    def _verb(self, verb: str) -> float:
        said = self.wish.verbs
        here = said.get(verb, 0.0)
        others = max((weight for word, weight in said.items() if word != verb), default=0.0)
        if here <= 0 and self.wish.asked != "turn" and verb in _ASKED:
            return 0.0
        return _VERB * here - 1.2 * max(0.0, others - max(here, 0.0))

    def _goals(self, one: OrderParts) -> float:
        """What it is done to, and what is named besides that."""
        ids = self.wish.ids
        found = 0.0
        for id_ in one.goals:
            found += _GOAL * ids.get(id_, 0.0) or -1.0 * bool(self.named)
        if not one.goals and self.wish.asked == "turn":
            own = {*one.tiles, *one.targets, one.using.card, one.source.partition(" ")[0]}
            found -= _PART * len(self.named - own)
        return found

    def _using(self, one: OrderParts) -> float:
        """Cubes of cards and tiles that it uses."""
        wish, card = self.wish, one.using.card
        found = 0.0
        for tile in one.tiles:
            level = self.state.outdoor(tile).level
            found += 3.0 if level in wish.levels else _GOAL * wish.ids.get(tile, 0.0) - 0.5
        if card:
            weight = wish.ids.get(card, 0.0)
            found += 3.0 * weight if weight and card not in one.goals else -2.0
            if one.using.die is not None and wish.dice:
                found += 0.5 * self.dice((one.using.die,)) / _DIE
        return found

    def _targets(self, one: OrderParts) -> float:
        """What is chosen, and who is freed."""
        flags, seen = self.wish.flags, set[str]()
        found = 0.8 * self.wish.verbs.get(one.mixed, 0.0) - 0.1 * (one.mixed == "use")
        for target in one.targets:
            if target == orders.NOTHING:
                found += 1.0 if flags & {"none", "no", "without"} else -1.0
            elif target in seen:
                found += 0.3
            elif target in self.wish.ids:
                found += _PART * self.wish.ids[target]
            elif target in self.houses or target in flags or target in self.wish.owners:
                found += 1.0
            elif target.isdecimal() and int(target) in self.wish.numbers:
                found += _NUMBER
            else:
                found -= 0.8
            seen.add(target)
        return found + sum(0.5 if owner in self.wish.owners else -0.2 for owner in one.freed)

    def _placed(self, one: OrderParts) -> float:
        """Where somebody comes from, and where he goes."""
        order, flags = one.order, self.wish.flags
        if isinstance(order, orders.Settle):
            return self._settled(order)
        found = 0.0
        if isinstance(order, orders.Station) and self.houses:
            found += _PART if one.ends[0] in self.houses else -0.8
        if not one.source:
            return found - 0.5 * ("hire" in flags and isinstance(order, orders.Activate))
        found += self.source(one.source, hired=not isinstance(order, orders.Station))
        if isinstance(order, orders.Activate):
            found += 0.4 * ("hire" in flags)
            if "space" in flags:
                return found + (_NUMBER if order.space in self.wish.numbers else -_NUMBER)
            found -= 0.15 * max(0, order.space - 1)
        return found

    def _settled(self, order: orders.Settle) -> float:
        wished = [*self.sources, *self.spots]
        found = 0.0
        for place in order.places:
            house, _, spot = place.partition(" ")
            if place in self.sources or spot in self.spots:
                found += 3.0
            else:
                found += 1.0 + self._is_numbered(spot) if house in self.houses else -1.0
        return found - 0.3 * abs(len(order.places) - max(1, len(wished)))

    def source(self, source: str, *, hired: bool) -> float:
        """Where a citizen comes from. `hired` says that a named building is where he stands, not where he goes."""
        on, _, spot = source.partition(" ")
        lying, lies = spot == LYING, "lying" in self.wish.flags
        if source in self.sources or (spot and spot in self.spots):
            return _PART + 0.6
        if lying and lies:
            return _PART + (0.8 if on in self.houses else 0.2 if not self.houses else 0.0)
        if on in self.named or (source == "recruit" and source in self.wish.verbs):
            return _PART
        told = bool(self.sources or self.spots or lies)
        if on in self.houses and (hired or len(set(self.houses)) > 1):
            # People do not say where an expelled citizen stood.
            return (1.6 if self._is_numbered(spot) else 1.1 if lying else 1.0) - 1.0 * told
        return -1.2 if told else 0.3 if source == SUPPLY else 0.0 if lying else -0.3

    def _is_numbered(self, spot: str) -> bool:
        """Whether a named number is a space of the Palace, or a row elsewhere."""
        return spot.partition(".")[0] in map(str, self.wish.numbers)

    def _numbers(self, order: Order) -> float:
        """Numbers in an order, and words that only such an order has."""
        wish, flags, left = self.wish, self.wish.flags, list(self.wish.numbers)
        match order:
            case orders.Activate(card=card, times=times) if self.state.activity(card).divisor:
                counted = bool(flags & {"cubes", "times", "once", "twice"}) and times in left
                return _NUMBER if counted else 0.05 * min(times, 9)  # fewer times than possible would be said
            case orders.Fight(event=event, dice=dice, cubes=cubes):
                most = sum(int(pick.die[1:]) for pick in dice) // self.state.event(event).divisor
                return 0.5 if "cubes" in flags and cubes in left else -_NUMBER * (cubes < most)
            case orders.Recruit(citizens=citizens):
                counted = ([n for n in left if n < 10] or [1])[0] == citizens
                found = 0.8 * ("citizen" in flags) + 0.8 * bool({"more", "hire", "buy", "take"} & flags)
                return found + (_NUMBER if counted else -_NUMBER) - len(wish.dice)
            case orders.Guard():
                return self._guarded(order)
            case orders.Counter(black=black):
                here = self.state.black
                every = bool({"both", "everything"} & flags) or (len(here) in left and len(here) not in here)
                return sum(1.2 if die in left else 0.8 if every else -0.6 for die in black)
            case orders.React(tile=tile):
                no = bool(flags & {"no", "keep", "none", "without"})
                yes = bool(flags & {"yes", "using", "take"} or wish.verbs.keys() & {"use", "react"})
                return _PART * (no if not tile else yes and not no)
        return -0.5 * len(wish.dice) if isinstance(order, orders.Pass | orders.Use) else 0.0

    def _guarded(self, order: orders.Guard) -> float:
        """Where the guard goes, and the gates he puts cubes on."""
        wish, told = self.wish, {*self.wish.levels, *self.wish.numbers}
        found = sum(1.2 if gate in told else -1.0 for gate in order.cubes) - _NUMBER * len(
            {*wish.levels} - {*order.cubes}
        )
        pips = wish.pips or (wish.numbers if len(wish.numbers) > 1 else [])
        found += (1.2 if order.boost in pips else -1.5) if order.boost else -0.8 * bool(wish.pips)
        moves = 1.2 if order.advance in wish.numbers else -0.3
        return found + (moves if order.advance else -0.8 * bool({"steps", "advance"} & wish.flags))

    def dice(self, picks: Sequence[Pick]) -> float:
        """How well dice fit the named ones."""
        wished, left, found = self.wish.dice, list(picks), 0.0
        for one in self.wish.unwanted:
            found -= sum(2.0 * one.likes(pick, self.seat, has=True) for pick in picks)
        if not wished:
            strange = sum(pick.owner != self.seat for pick in picks)
            known = sum(pick.owner in self.wish.owners for pick in picks)
            return found + known - 1.2 * strange - 0.1 * len(picks)
        for one in wished:
            has = any(map(one.is_so, self.own))
            best, at = max(((one.likes(pick, self.seat, has), -nth) for nth, pick in enumerate(left)), default=(0.0, 0))
            if best:
                del left[-at]
                found += _DIE * best
        counted = dicing.COLOUR_OF.get(self.wish.counts_as, "none")
        beside = sum(1.3 if pick.owner == self.seat else 2.5 for pick in left)
        return found + sum(pick.colour == counted for pick in picks) - beside
