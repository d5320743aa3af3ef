"""An order of Troyes held against the words of a line: whether all of it is named there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.troyes.notation.bag import Bag, DieWish
from engine.troyes.notation.faces import Faces
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.opposing import opposes
from engine.troyes.state import dice, orders, places
from engine.troyes.state.picks import NOTHING_USED, Pick, Using
from engine.troyes.state.state import TroyesState

Word = tuple[str, "Wordlet | None"]
"""A word as it stands in the line, and what it can be."""

TELLING = frozenset(
    ("verb", "die", "dice", "colour", "number", "often", "owner", "activity", "event", "outdoor", "place", "spot")
)
"""Senses of words that say something of an order."""


_COUNTED = re.compile(r"\b(?:once|\d+ (?:times|cubes?))\b")
"""How an order is written that does not do as much as it could."""
_COUNTING = ("times", "once", "twice", "cubes", "often")


def tells(token: Wordlet) -> bool:
    """Whether a word says something of an order."""
    says = TELLING & (token.senses.keys() if len(token.text) > 1 else token.senses.keys() - {"colour"})
    return bool(says) and not token.senses.keys() & {"noise", "filler"}


def _uses(token: Wordlet) -> bool:
    """Whether a word says that something is used."""
    role, clause = token.of("role"), token.of("clause")
    return "using" in (role, clause) or token.of("verb") == "use" or clause == "cubes"


@dataclass
class Named:
    """An order held against the words of a line."""

    state: TroyesState
    seat: str
    order: Any
    words: Sequence[Word]

    @cached_property
    def tokens(self) -> list[Wordlet]:
        """The words that mean anything."""
        return [token for _, token in self.words if token is not None]

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The dice of the order."""
        found = getattr(self.order, "dice", None) or [one for one in (getattr(self.order, "die", ""),) if one]
        return tuple(one if isinstance(one, Pick) else Pick(self.seat, one) for one in found)

    @property
    def source(self) -> str:
        """Where a citizen comes from."""
        return getattr(self.order, "hiring", "") or getattr(self.order, "source", "")

    def unnamed(self, *, verb: bool) -> Iterator[str]:
        """The parts of the order that are not named. `verb`: whether a word says what is done."""
        if bool(getattr(self.order, "freed", False)):
            yield "freed"
        if not self._names_cubes():
            yield "cubes"
        if not self._names_goal(verb):
            yield "goal"
        if isinstance(self.order, orders.Counter) and not opposes(self.state, self.tokens, self.order):
            yield "black"
        if not self._names_dice():
            yield "dice"
        if not self._names_source():
            yield "source"

    @cached_property
    def used(self) -> frozenset[str]:
        """The card and tiles whose cubes the order uses."""
        using = getattr(self.order, "using", "") or NOTHING_USED
        if isinstance(using, str):
            return frozenset((using,))
        return frozenset((using.card, *(tile.tile for tile in using.tiles))) - {""}

    def _names_cubes(self) -> bool:
        """Whether each cube that is used is named, and said to be."""
        if not self.used:
            return True
        using = getattr(self.order, "using", NOTHING_USED)
        if isinstance(using, str) or using.tiles or not self._takes_named(using):
            return False
        uses = any(_uses(token) for token in self.tokens)
        named = sum(using.card in token.of("activity", ()) for token in self.tokens)
        return uses and named > (using.card == getattr(self.order, "card", ""))

    def _takes_named(self, using: Using) -> bool:
        """Whether the die that a cube takes for nothing, if any, is the only one of others."""
        return using.die is None or [pick for pick in self.picks if pick.owner != self.seat] == [using.die]

    def counts_so(self, text: str) -> bool:
        """Whether a line counts what the order does fewer times than it could, or names a space of a card that is not
        the best: then that is written in `text`."""
        kinds = {token.of("clause") for token in self.tokens} | {"often" for token in self.tokens if token.of("often")}
        counted = not _COUNTED.search(text) or not (self.used or kinds.isdisjoint(_COUNTING))
        return counted and ("to space" not in text or "space" in kinds)

    def _names_goal(self, verb: bool) -> bool:
        order = self.order
        match order:
            case orders.Activate():
                return self._has("activity")
            case orders.Fight() | orders.Target():
                return self._has("event") or (isinstance(order, orders.Fight) and verb and self._is_numbered())
            case orders.Support():
                return all(any(event in token.of("event", ()) for token in self.tokens) for event in order.events)
            case orders.Settle():
                return all(map(self._names_place, order.places))
            case orders.Give():
                return self._names_place(order.source)
            case orders.Station():
                return verb or self._has("place")
            case orders.Build():
                return verb or any(token.of("place") == "cathedral" for token in self.tokens)
            case orders.Counter():
                return self._asked == "counter"
            case orders.Recruit():
                return verb or self._wants_people()
            case orders.Guard():
                told = {token.of("level") or token.of("number") for token in self.tokens}
                told |= self.levels([id_ for token in self.tokens for id_ in token.of("outdoor", ())])
                return verb and told >= {*order.cubes} and (not order.boost or order.boost in told)
            case orders.Reroll():
                return verb and not (order.until or order.most)
        return verb

    def levels(self, ids: Collection[str]) -> set[int]:
        """The levels of those tiles that lie here."""
        return {self.state.outdoor(tile.id).level for tile in self.state.tiles if tile.id in ids}

    def _is_numbered(self) -> bool:
        """Whether the event of the order is called by its place among them."""
        queue = [threat.id for threat in self.state.queue]
        return any(
            one.of("role") == "event" and queue[two.of("number", 0) - 1 : two.of("number", 0)] == [self.order.event]
            for one, two in pairwise(self.tokens)
        )

    def _names_place(self, place: str) -> bool:
        """Whether a place is named, its space too."""
        building, _, spot = place.partition(" ")
        words = {str(token.of("place")) for token in self.tokens}
        told = {str(token.of("spot") or token.of("number")) for token in self.tokens}
        return place in words or (building in words and spot in told)

    def _wants_people(self) -> bool:
        """Whether so many citizens, or more of them, are named."""
        kinds = {token.of("role") for token in self.tokens} | {token.of("clause") for token in self.tokens}
        counts = any(token.of("number") for token in self.tokens)
        counts = counts or bool(kinds & {"more", "fresh", "hire", "buy"})
        return counts and "citizen" in kinds and self._asked == "turn"

    @property
    def _asked(self) -> str:
        return next((asked["kind"] for asked in self.state.asked if asked["seat"] == self.seat), "")

    def _has(self, sense: str) -> bool:
        return any(token.of(sense) and tells(token) for token in self.tokens)

    @cached_property
    def _faces(self) -> Faces:
        return Faces(self.state, self.seat, self._asked, Bag(), self.tokens)

    @cached_property
    def _wishes(self) -> list[DieWish]:
        """The dice that the line names."""
        return self._faces.dice()

    def _names_dice(self) -> bool:
        """Whether each die is named, by its face, its number or its colour, and with whoever it is bought of; and none
        beside."""
        owners = {token.of("owner") or token.of("whose") for token in self.tokens}
        if any(pick.owner not in (self.seat, *owners) for pick in self.picks):
            return False
        return self._matches(list(self.picks), self._wishes)

    def _matches(self, picks: list[Pick], wishes: Sequence[DieWish]) -> bool:
        """Whether each wish is one of the dice, and each die wished for; a number may be said of a die that is not."""
        if not wishes:
            return all(self._is_told_by_number(pick) for pick in picks)
        first, *rest = wishes
        for at, pick in enumerate(picks):
            fits = first.is_so(pick.die) and first.owner in ("", pick.owner)
            certain = first.value or pick.owner in (self.seat, self.state.neutral) or self._buys or self._is_only(first)
            if fits and certain and self._matches([*picks[:at], *picks[at + 1 :]], rest):
                return True
        # «relance mon 2 rouge, c'est nul un 2», where no other die shows it.
        lying = [die for die in self.state.dice.get(self.seat, []) if int(die[1:]) == first.value]
        again = not (first.letter or first.owner) and bool(lying) and lying == [pick.die for pick in self.picks]
        return again and self._matches(picks, rest)

    def _is_only(self, wish: DieWish) -> bool:
        """Whether it is told whose a die is and what colour, and he has one such die: «Geoffrey's white die»."""
        return bool(wish.letter) and sum(map(wish.is_so, self.state.dice.get(wish.owner, ()))) == 1

    def strange_dice(self) -> Iterator[str]:
        """What is wrong with its dice: an owner or dice that are not named, a die that is named beside."""
        owners = {token.of("owner") or token.of("whose") for token in self.tokens}
        yield from ("whose" for pick in self.picks if pick.owner not in (self.seat, *owners))
        left, missing = list(self.picks), list[DieWish]()
        for wish in self._wishes:
            fits = [pick for pick in left if wish.is_so(pick.die) and wish.owner in ("", pick.owner)]
            if fits:
                left.remove(fits[0])
            if fits and fits[0].owner != self.seat and self._is_one_of_several(wish, fits[0].owner):
                yield "whose"
            missing += [] if fits else [wish]
        # A number alone may count something else.
        yield from ("die beside" if wish.letter and wish.value else "named beside" for wish in missing)
        more = [pick for pick in left if not self._is_told_by_number(pick)]
        if self._wishes:
            yield from ("more dice" for _ in more)
        else:
            yield from ("die unsaid" for _ in more)
        if not (missing or more):
            yield "die in doubt"

    def _is_one_of_several(self, wish: DieWish, owner: str) -> bool:
        """Whether somebody has different dice that are called so: «Faye's die»."""
        return len({die for die in self.state.dice.get(owner, ()) if wish.is_so(die)}) > 1

    @cached_property
    def _buys(self) -> bool:
        """Whether it is said that something is bought: then a colour alone may name a die of somebody else."""
        return any(token.of("role") in ("buy", "bought_from", "costs", "price") for token in self.tokens)

    def _is_told_by_number(self, pick: Pick) -> bool:
        value = int(pick.die[1:])
        spent = self._faces.spent
        return any(token.of("number") == value and at not in spent for at, token in enumerate(self.tokens))

    def _names_source(self) -> bool:
        """Whether whoever is hired or moved is said to be: nobody is hired unasked. Where no other place of a citizen
        is named, he comes from the supply."""
        if isinstance(self.order, orders.Activate) and self.order.hiring:
            hires = {token.of("clause") for token in self.tokens} & {"hiring", "lying"}
            hires |= {token.of("role") for token in self.tokens} & {"hire", "citizen"}
            return bool(hires) and (self.is_from() or self._is_fresh())
        return not isinstance(self.order, orders.Station) or self.is_from() or self._is_fresh()

    def is_from(self) -> bool:
        """Whether a word names where a citizen comes from, and not only where he goes: «my man to the City Hall»."""
        named = [token for token in self.tokens if self._is_source(token)]
        goal = isinstance(self.order, orders.Station) and places.BUILDING_OF.get(self._goal_colour(self.order))
        bare = [token.of("place") for token in named if token.of("place") == goal]
        return len(named) > (bool(goal) and bare == [token.of("place") for token in named])

    @staticmethod
    def _goal_colour(order: orders.Station) -> str:
        return order.die.colour or dice.COLOUR_OF.get(order.die.die[0], "")

    def _is_fresh(self) -> bool:
        """Whether the citizen is of the supply, and no word says that somebody comes from elsewhere."""
        spots = any(" " in str(token.of("place")) or token.of("spot") for token in self.tokens)
        lies = any(token.of("clause") == "lying" for token in self.tokens)
        return self.source == places.SUPPLY and not spots and not lies

    def _is_source(self, token: Wordlet) -> bool:
        place = str(token.of("place"))
        lies = self.source.endswith(places.LYING) and token.of("clause") == "lying"
        return lies or (bool(place) and place in (self.source, self.source.partition(" ")[0]))
