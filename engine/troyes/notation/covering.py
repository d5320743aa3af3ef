"""An order of Troyes held against the words of a line: whether all of it is named there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.kit.gist import HARMLESS
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


_DYED = orders.Farm | orders.Build | orders.Fight | orders.Activate
"""Orders by which dice of one colour are used."""
_INDEFINITE = frozenset(("a", "an", "one", "un", "une"))
_YOURS = frozenset(("your", "yours", "ton", "ta", "tes", "votre", "vos", "te", "t'"))
"""What says of the dice of who is spoken to that they are his."""
PARTING = frozenset((",", ";", ".", "!", "(", ")", ":", "-", "–", "—", "->"))
"""What parts a line."""


def parted(words: Sequence[Word]) -> list[int]:
    """In which part of a line each word stands that means anything."""
    part, found = 0, list[int]()
    for text, token in words:
        part += text in PARTING
        found += [part] if token is not None else []
    return found


def _names(token: Wordlet, die: str) -> bool:
    """Whether a word names a die, its colour or what it shows."""
    colour = token.of("colour") if len(token.text) > 1 else ""
    return die in (token.of("die"), token.of("dice")) or colour == die[0] or token.of("number") == int(die[1:])


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
        return self.tells_cubes() and (not self.used or any(_uses(token) for token in self.tokens))

    def tells_cubes(self) -> bool:
        """Whether each cube that is used is of a card that is named: «the gray W6 and my monk»."""
        if not self.used:
            return True
        using = getattr(self.order, "using", NOTHING_USED)
        if isinstance(using, str) or using.tiles or not self._takes_named(using):
            return False
        named = sum(using.card in token.of("activity", ()) for token in self.tokens)
        return named > (using.card == getattr(self.order, "card", ""))

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
        """What is wrong with its dice: dice that are not named, or a die that is named beside."""
        left, missing = list(self.picks), list[DieWish]()
        for wish in self._wishes:
            fits = [pick for pick in left if wish.is_so(pick.die) and wish.owner in ("", pick.owner)]
            if fits:
                left.remove(fits[0])
            missing += [] if fits else [wish]
        # A number alone may count something else.
        yield from ("die beside" if wish.letter and wish.value else "named beside" for wish in missing)
        more = [pick for pick in left if not self._is_told_by_number(pick, strictly=bool(self._wishes))]
        if self._wishes:
            yield from ("more dice" for _ in more)
        else:
            yield from ("die unsaid" for _ in more)
        if not (missing or more):
            yield "die in doubt"

    def doubtful_dice(self) -> Iterator[str]:
        """Its dice of which the line does not tell whose they are, or which of several."""
        yield from ("whose" for pick in self.picks if not self._tells_owner(pick))
        left, digits = list(self.picks), any(token.text == "1" for token in self.tokens)
        for wish in self._wishes:
            if not (wish.letter or wish.owner or digits) and wish.value == 1:
                continue
            fits = [pick for pick in left if wish.is_so(pick.die) and wish.owner in ("", pick.owner)]
            left = [pick for pick in left if pick is not fits[0]] if fits else left
            if fits and self._is_one_of_several(wish, fits[0].owner):
                yield "which"
        # «one yellow six» is no die that shows 1, and a number that is said of black dice is none of one's own.
        black = getattr(self.order, "black", ())
        for pick in left if self._wishes else ():
            if int(pick.die[1:]) in black or not self._is_told_by_number(pick, strictly=True):
                yield "more dice"

    def _tells_owner(self, pick: Pick) -> bool:
        """Whether the line tells whose a die is: where others have such a die too, in the part that names it; and one's
        own is not «a red 6» where somebody else has one."""
        alike = [owner for owner, dice in self.state.dice.items() if owner != pick.owner and pick.die in dice]
        if pick.owner == self.seat:
            pairs = pairwise(self.tokens)
            return not (alike and any(two.of("die") == pick.die and one.text in _INDEFINITE for one, two in pairs))
        rows = list(zip(parted(self.words), self.tokens, strict=True))
        parts = {part for part, token in rows if pick.owner in (token.of("owner"), token.of("whose"))}
        spoken = any(text in _YOURS for text, _ in self.words) or self._in_possessive(pick.owner)
        if not alike or spoken or not parts:
            return bool(parts)
        return any(part in parts and _names(token, pick.die) for part, token in rows)

    def _in_possessive(self, owner: str) -> bool:
        """Whether something is said to be somebody's: «mine and Faye's», «celui de Faye»."""
        for one, two in pairwise((Wordlet(""), *self.tokens)):
            if two.of("owner") == owner and (two.of("owns") or "from" in (one.of("role"), one.of("clause"))):
                return True
            if one.of("owner") == owner and two.of("mark") == "owns":
                return True
        return False

    def _is_one_of_several(self, wish: DieWish, owner: str) -> bool:
        """Whether somebody has more different dice that are called so than the order takes: «Faye's die». What is done
        with dice of one colour says which that is."""
        there = {die for die in self.state.dice.get(owner, ()) if wish.is_so(die)}
        letters = {pick.die[0] for pick in self.picks}
        if isinstance(self.order, _DYED) and wish.value and len(letters) == 1:
            there = {die for die in there if die[0] in letters}
        return len(there) > len({pick.die for pick in self.picks if pick.owner == owner and wish.is_so(pick.die)})

    @cached_property
    def _buys(self) -> bool:
        """Whether it is said that something is bought: then a colour alone may name a die of somebody else."""
        return any(token.of("role") in ("buy", "bought_from", "costs", "price") for token in self.tokens)

    def _is_told_by_number(self, pick: Pick, *, strictly: bool = False) -> bool:
        """Whether a number of the line is what the die shows; `strictly` only one that counts nothing and is no
        article."""
        value, spent = int(pick.die[1:]), self._faces.spent
        told = (at for at, token in enumerate(self.tokens) if token.of("number") == value and at not in spent)
        return any(not (strictly and self._counts(at)) for at in told)

    def _counts(self, at: int) -> bool:
        """Whether a number is an article, or says how many there are of what stands behind it: «two black dice»."""
        behind = self.tokens[at + 1] if at + 1 < len(self.tokens) else Wordlet("")
        counted = behind.of("colour") or behind.of("dice") or behind.of("plural")
        return bool(counted) or behind.of("role") in ("black", "die") or self.tokens[at].text in _INDEFINITE

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
        lies = self.source.endswith(places.LYING) and token.of("clause") == "lying"
        return lies or (bool(place) and place in (self.source, self.source.partition(" ")[0]))
