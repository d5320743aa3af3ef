"""An order of Troyes held against the words of a line: whether all of it is named there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from engine.kit.gist import HARMLESS
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.opposing import opposes
from engine.troyes.notation.picked import PARTING, Picked, tells
from engine.troyes.state import dice, orders, places
from engine.troyes.state.picks import NOTHING_USED, TileUse, Using

_COUNTED = re.compile(r"\b(?:once|\d+ (?:times|cubes?))\b")
"""How an order is written that does not do as much as it could."""
_COUNTING = ("times", "once", "twice", "cubes", "often")
_NEAR = 3
"""Words between that somebody lies and where, with one of them."""


def _uses(token: Wordlet) -> bool:
    """Whether a word says that something is used."""
    role, clause = token.of("role"), token.of("clause")
    return "using" in (role, clause) or token.of("verb") == "use" or clause == "cubes"


@dataclass
class Named(Picked):
    """An order held against the words of a line: all of it but its dice."""

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
        return self.tells_cubes() and (not self.used or any(_uses(token) for token in self.tokens))

    def tells_cubes(self) -> bool:
        """Whether each cube that is used is of a card that is named, or of a tile that is and is said to be used: «the
        gray W6 and my monk», «and a Harvest cube»."""
        if not self.used:
            return True
        using = getattr(self.order, "using", NOTHING_USED)
        if isinstance(using, str):
            return False
        named = sum(using.card in token.of("activity", ()) for token in self.tokens)
        often = named > (using.card == getattr(self.order, "card", ""))
        of_card = not using.card or (often and self._takes_named(using))
        return of_card and all(map(self._names_tile, using.tiles))

    def _names_tile(self, use: TileUse) -> bool:
        """Whether a tile is named by its name or level, and said to be used, with the card on which a cube of it goes;
        the die that it turns over is the only one that is bought."""
        if use.tile not in [tile.id for tile in self.state.tiles]:
            return False
        pairs = list(pairwise((Wordlet(""), *self.tokens)))
        level = self.state.outdoor(use.tile).level
        by_level = any(two.of("level") == level and (two.text != "i" or _uses(one)) for one, two in pairs)
        named = by_level or any(use.tile in token.of("outdoor", ()) for token in self.tokens)
        card = not use.card or any(use.card in token.of("activity", ()) for token in self.tokens)
        bought = [pick for pick in self.picks if pick.owner != self.seat]
        turned = use.die is None or bought == [use.die]
        return named and card and turned and not use.swaps and any(map(_uses, self.tokens))

    @cached_property
    def turned_over(self) -> tuple[str, ...]:
        """The dice that a cube turns over."""
        using = getattr(self.order, "using", NOTHING_USED)
        return tuple(use.die.die for use in using.tiles if use.die is not None) if isinstance(using, Using) else ()

    def _takes_named(self, using: Using) -> bool:
        """Whether the die that a cube takes for nothing, if any, is the only one of others."""
        return using.die is None or [pick for pick in self.picks if pick.owner != self.seat] == [using.die]

    def counts_so(self, text: str) -> bool:
        """Whether a line counts what the order does fewer times than it could, names a space of a card that is not the
        best, or leaves an effect unused: then that is written in `text`."""
        kinds = {token.of("clause") for token in self.tokens} | {"often" for token in self.tokens if token.of("often")}
        counted = not _COUNTED.search(text) or not (self.used or kinds.isdisjoint(_COUNTING))
        left = text.endswith(": nothing") and not any(token.of("clause") in ("none", "no") for token in self.tokens)
        return counted and not left and self._tells_space(text)

    def _tells_space(self, text: str) -> bool:
        """Whether a space of a card that is not the best is told, by its number, which is not that of a building."""
        _, to, number = text.partition(" to space ")
        pairs = pairwise(self.tokens)
        told = any(one.of("clause") == "space" and str(two.of("number")) == number[:1] for one, two in pairs)
        return not to or (told and not self.source.endswith(f" {number[:1]}"))

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
                return verb or self._names_more_than_source(order)
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

    def _names_more_than_source(self, order: orders.Station) -> bool:
        """Whether a place is named, and somebody put there or the place not only whence he comes: «celui de l'évêché»
        goes nowhere."""
        goal = places.BUILDING_OF.get(self._goal_colour(order), "")
        told = [str(token.of("place")) for token in self.tokens if token.of("place") and tells(token)]
        named = [place.partition(" ")[0] for place in told]
        moves = any(token.of("role") in ("put", "on", "he_goes") or token.of("clause") == "to" for token in self.tokens)
        return bool(named) and (moves or goal != order.source.partition(" ")[0] or named.count(goal) > 1)

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
        # «three citizens standing» are counted, and none is wanted.
        said = any(
            one is not None and one.of("role") == "citizen" and two is None and text not in PARTING | HARMLESS
            for (_, one), (text, two) in pairwise(self.words)
        )
        counts = not said and any(token.of("number") for token in self.tokens)
        counts = counts or bool(kinds & {"more", "fresh", "hire", "buy"})
        return counts and "citizen" in kinds and self._asked == "turn"

    def _has(self, sense: str) -> bool:
        return any(token.of(sense) and tells(token) for token in self.tokens)

    def _names_source(self) -> bool:
        """Whether whoever is hired or moved is said to be: nobody is hired unasked. Where no other place of a citizen
        is named, he comes from the supply."""
        if isinstance(self.order, orders.Activate) and self.order.hiring:
            hires = {token.of("clause") for token in self.tokens} & {"hiring", "lying"}
            hires |= {token.of("role") for token in self.tokens} & {"hire", "hired", "citizen"}
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
        lies = self.source.endswith(places.LYING) and token.of("clause") == "lying" and self._tells_where_he_lies
        return lies or (bool(place) and place in (self.source, self.source.partition(" ")[0]))

    @cached_property
    def _tells_where_he_lies(self) -> bool:
        """Whether only one citizen of the seat lies, or it is told where the one does who is meant: beside that he
        lies, or in a building that is not only where he goes."""
        if sum(str(place).endswith(places.LYING) for place in self.state.whereabouts(self.seat)) < 2:
            return True
        building, goal = self.source.partition(" ")[0], ""
        if isinstance(self.order, orders.Station):
            goal = places.BUILDING_OF.get(self._goal_colour(self.order), "")
        there = [at for at, one in enumerate(self.tokens) if str(one.of("place")).partition(" ")[0] == building]
        lying = [at for at, one in enumerate(self.tokens) if one.of("clause") == "lying"]
        near = any(abs(one - two) <= _NEAR for one in there for two in lying)
        return near or len(there) > (building == goal)
