"""The exact cover of a line: the one order that explains each word of it and says nothing that matters beyond it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import OrderRefused
from engine.game import Step
from engine.kit import cover
from engine.troyes.actions.order_defaults import most_cubes, most_times
from engine.troyes.board.card_choices import PLACE, USE
from engine.troyes.notation import lexicon
from engine.troyes.notation.lexicon import WordToken
from engine.troyes.notation.word_senses import NAMED
from engine.troyes.options.legal_orders import asked_kind
from engine.troyes.state import dice as dicing
from engine.troyes.state import orders
from engine.troyes.state.dice import OPPOSITE
from engine.troyes.state.orders import Order, Pick
from engine.troyes.state.places import LYING, SUPPLY
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.suggest import candidate_orders
from engine.troyes.suggest.line_parts import LineParts, repetitions
from engine.troyes.suggest.named_dice import NamedDie
from engine.troyes.suggest.similarity import OrderParts, Similarity

_NEVER = (orders.Pass, orders.React, orders.Use, orders.Guard)
"""Orders that only their own words play; so does each that uses a cube of a card or tile."""
_ALSO = {"fight": ("counter",), "place": ("settle",), "build": ("place",), "activate": ("use",)}
"""Other verbs for a verb of a turn, where all the rest is of that order. An answer has its own verb alone."""
_ITS_OWN = {"counter": "black", "reroll": "again", "give": "take", "release": "free"}
"""Small words that stand for a verb."""
_SAYS_NOTHING = {
    *("with", "on", "from", "take", "put", "play", "die", "value", "exploit", "mine", "mine_too", "same"),
    *("courtesy", "turn", "event", "for", "to", "as"),
}
"""Roles and clauses of words that every order explains."""
_HIRES, _TIMES = {"hire", "hired", "hiring", "fresh"}, {"times", "cubes", "once", "twice"}


def covered_order(
    state: TroyesState, seat: str, line: str, apply: Callable[[TroyesState, str, Order, Chance], Step[TroyesState]]
) -> Order | None:
    """The one legal order that a line names whole; None for none, and for more than one. `apply` plays an order."""
    text, asked = cover.coverable_text(line), asked_kind(state, seat)
    words = list(lexicon.tokenize_all(state, text)) if text and asked else []
    if not words or any(token is None and not cover.is_small(word) for word, token in words):
        return None
    said = LineParts(state, seat, asked)
    said.add(lexicon.join_names(token for _, token in words if token is not None))

    def plays(order: Order) -> bool:
        """Whether an order is covered, legal, and costs and brings what the line says."""
        if not _Covered(said, order).holds():
            return False
        try:
            after = apply(state, seat, order, BlindChance()).state.houses[seat]
        except OrderRefused:
            return False
        except UnknownDraw:
            return not said.amounts
        before = state.houses[seat]
        return all(abs(getattr(after, unit) - getattr(before, unit)) == number for unit, number in said.amounts)

    every = dict.fromkeys(candidate_orders.candidates_like(Similarity(state, seat, said)))
    order = cover.only_order(filter(plays, every))
    if said.is_unsure() or not isinstance(order, orders.Activate | orders.Build | orders.Fight | orders.Farm):
        return None if said.is_unsure() else order
    left = list(order.dice)
    for one in said.dice:  # in the order in which they are said
        if pick := next((pick for pick in left if _is(one, pick, seat)), None):
            left.remove(pick)
            left.append(pick)
    return replace(order, dice=tuple(left))


def _is(one: NamedDie, pick: Pick, seat: str) -> bool:
    """Whether a die is the named one. Without an owner it is one's own."""
    return one.is_so(pick.die) and pick.owner == (one.owner or seat)


class _Covered(OrderParts):
    """An order compared with a line: it must explain each word, and each part that matters must be named."""

    def __init__(self, said: LineParts, order: Order) -> None:
        super().__init__(said.seat, order)
        self.said, self.state, self.seat = said, said.state, said.seat
        self.buys = any(pick.owner != self.seat for pick in self.picks)
        self.owners = {pick.owner for pick in self.picks} | {*self.freed, *self.targets}
        self.numbers = Counter[int]()
        """Numbers that explain one word each."""
        self.told = set[str]()
        """What the places of the line tell: `source`, `end`."""

    def holds(self) -> bool:
        """Whether the line covers the order."""
        if isinstance(self.order, _NEVER) or self.tiles or self.using.card:
            return False
        if not self.said.may_be(len(self.picks), self.goals):
            return False
        if not (self._dice() and self._verb() and self._names() and self._counts() and self._in_order()):
            return False
        return all(map(self._explains, self.said.left)) and self._placed()

    # What must be said.

    def _dice(self) -> bool:
        """Whether each die is named, another's with its owner, and nobody else is named."""
        said = self.said
        if not {*self.freed} <= said.owners <= self.owners:
            return False
        if said.counts_as and not any(pick.colour == dicing.COLOUR_OF.get(said.counts_as) for pick in self.picks):
            return False
        return cover.can_pair(said.dice, self.picks, partial(_is, seat=self.seat))

    def _verb(self) -> bool:
        """Whether the line says what is done, by its verb or by what it is done to."""
        flags = self.said.flags
        if self.said.says(self.verb):
            return True
        match self.order:
            case orders.Activate() | orders.Fight():
                return True  # its card or event is named
            case orders.Build() | orders.Station():
                return self.ends[0] in self.said.places
            case orders.Recruit():
                return "citizen" in flags and bool(flags & {"hire", "more", "fresh", "take", "buy", "again"})
            case orders.Settle():
                return bool(flags & {"citizen", "put", "take", "same"})
        return _ITS_OWN.get(self.verb) in flags

    def _names(self) -> bool:
        """Whether cards and events are named, and hiring is said."""
        said, order, flags = self.said, self.order, self.said.flags
        if not all(map(said.names, self.goals)):
            return False
        own = Counter((*self.goals, *self.targets, self.source.partition(" ")[0]))
        called = Counter(id_ for token in said.tokens for id_ in said.whole(token) if id_ in own)
        if called - own:
            return False  # named once more than it is of the order: «… using confession»
        if isinstance(order, orders.Activate) and order.hiring:
            return bool(flags & _HIRES) or (bool(flags & {"citizen", "same"}) and bool(said.places))
        return True

    def _counts(self) -> bool:
        """Whether each number that is not a default is named. Named numbers then explain their words."""
        said, order, state, seat = self.said, self.order, self.state, self.seat
        told = said.repeats()
        counted = bool(told or said.flags & _TIMES)
        try:
            match order:
                case orders.Activate():
                    most = most_times(state, seat, order.card, order.dice, order.using)
                    if (order.times != most and not counted) or told - {order.times}:
                        return False
                    self.numbers[order.times] += counted
                    if order.hiring and order.space != state.best_space(order.card):
                        return False
                    if self.mixed == USE and not (said.says("use") and "cubes" in said.flags):
                        return False
                    card = state.card(order.card)
                    if self.mixed == PLACE and card is not None and card.cubes.get(seat, 0):
                        return said.says("place") or "put" in said.flags
                case orders.Fight():
                    most = most_cubes(state, seat, order.event, order.dice, order.using)
                    if (order.cubes != most and not counted) or told - {order.cubes}:
                        return False
                    self.numbers[order.cubes] += counted
                case orders.Recruit():
                    self.numbers[order.citizens] += 1
                    return order.citizens in said.numbers if said.numbers else order.citizens == 1
                case orders.Counter():
                    # Each black die is told, or all are, or the only one.
                    self.numbers.update(order.black)
                    every = len(order.black) == len(state.black)
                    if not said.numbers:
                        return every and (len(order.black) == 1 or bool({"both", "everything"} & said.flags))
                    return sorted(said.numbers) == sorted(order.black)
                case orders.Reroll() if order.until:
                    return False
        except OrderRefused:
            return False
        return True

    def _in_order(self) -> bool:
        """Whether choices, and the places of a list, are named in their order."""
        chosen = list(self.order.events if isinstance(self.order, orders.Support) else self.targets)
        if not chosen or isinstance(self.order, orders.Settle):
            return not chosen
        told = list[str]()
        for at in self.said.left:
            token = self.said.tokens[at]
            meant = {*token.of("event", ()), *token.of("activity", ()), token.of("place"), token.of("owner")}
            meant |= {token.of("clause"), str(token.of("number", ""))}
            told += [one for one in dict.fromkeys(chosen) if one in meant or (one == "points" and "vp" in meant)]
        return told == chosen

    def _placed(self) -> bool:
        """Whether the line says where somebody comes from, unless it is the supply."""
        if isinstance(self.order, orders.Settle):
            named = (self.said.tokens[at].of("place") for at in self.said.left)
            return [place for place in named if " " in place] == list(self.order.places)
        assumed = ("",) if isinstance(self.order, orders.Give) else ("", SUPPLY)
        hired = self.said.says("recruit") or bool(self.said.flags & {"hire", "buy", "fresh"})
        return self.source in assumed or "source" in self.told or (self.source == "recruit" and hired)

    # Whether a word is of it.

    def _explains(self, at: int) -> bool:
        """Whether the order explains a word in one of its senses."""
        token = self.said.tokens[at]
        if token.of("against"):
            return False
        if at in self.said.results:
            shown = OPPOSITE - (token.of("plural") or token.of("number", 0))
            return self.verb == "flip" and any(int(pick.die[1:]) == shown for pick in self.picks)
        return any(self._senses(at, token))

    def _senses(self, at: int, token: WordToken) -> Iterator[bool]:
        """For each sense of a word, whether the order explains it."""
        number = token.of("number", 0) or repetitions(token)
        named = {id_ for kind in NAMED for id_ in token.of(kind, ()) if id_ in self.said.here[kind]}
        behind = self.said.at(at + 1)
        if token.text == "i" and self.state.tiles and at and not any(map(behind.of, ("verb", "role", "filler"))):
            return  # a tile, not the writer
        if named:
            own = (*self.goals, *self.targets, self.source.partition(" ")[0])
            verb = token.of("verb")
            # «farm» may be the name of a tile as well, «artisan» that of a card.
            yield not named.isdisjoint(own)
            yield bool(verb) and verb == self.verb and sum(verb == one.of("verb") for one in self.said.tokens) == 1
            return
        if place := token.of("place"):
            yield self._is_place(place, self.said.leads(at))
        if token.of("spot"):
            yield any(one.endswith(token.of("spot")) for one in (self.source, *self.ends))
        if owner := token.of("owner"):
            yield owner in self.owners
        if number:
            yield self._is_number(number)
            near = {self.said.at(at + step).of("clause") for step in (1, 2)}
            yield number == 1 and not token.text.isdigit() and near.isdisjoint(_TIMES)
            return
        if verb := token.of("verb"):
            yield verb == self.verb or verb in _ALSO.get(self.verb, ()) or (verb == "use" and bool(self.said.amounts))
            yield verb == "place" and self.verb == "activate" and bool(self.mixed or self.source)  # a cube, a citizen
        yield cover.is_small(token.text) or bool(token.of("mark") and at + 1 < len(self.said.tokens))
        small = (word for word in (token.of("role"), token.of("clause")) if word)
        yield any(word in _SAYS_NOTHING or (word in _OF and _OF[word](self)) for word in small)
        others = map(token.of, ("ordinal", "role", "clause", "colour"))
        if not (place or owner or verb or any(others)):
            yield bool(token.of("filler") or token.of("noise"))

    def _is_place(self, place: str, leads: str) -> bool:
        """Whether somebody of this order goes to or comes from a place, as the word before it tells."""
        houses = {one.partition(" ")[0] for one in self.ends} if self.verb == "settle" else set()
        ends = place in houses or place in self.ends
        if leads != "from" and ends and (leads == "to" or "end" not in self.told):
            self.told.add("end")
            return True
        comes = place in (self.source, SUPPLY if self.verb == "recruit" else "")
        comes = comes or (" " not in place and place == self.source.partition(" ")[0])
        # «place R4 palace 4» may name where he comes from or where he goes.
        sure = leads == "from" or "end" in self.told or not isinstance(self.order, orders.Station)
        if leads != "to" and comes and "source" not in self.told and sure:
            self.told.add("source")
            return True
        return False

    def _is_number(self, number: int) -> bool:
        """Whether a number counts something in this order. Each explains one word."""
        if self.numbers[number] > 0:
            self.numbers[number] -= 1
            return True
        return str(number) in self.targets


_OF: dict[str, Callable[[_Covered], bool]] = {
    **dict.fromkeys(("citizen", "he_goes", *_HIRES), lambda one: bool(one.source or one.verb in ("recruit", "settle"))),
    "buy": lambda one: one.buys or one.source == "recruit" or one.verb == "recruit",
    "bought_from": lambda one: one.buys,
    "more": lambda one: one.verb == "recruit",
    "again": lambda one: one.verb in ("recruit", "reroll"),
    "lying": lambda one: one.source.endswith(LYING),
    **dict.fromkeys(("black", "highest"), lambda one: one.verb == "counter"),
    **dict.fromkeys(("both", "everything"), lambda one: one.verb == "counter"),
    "free": lambda one: one.verb == "release" or bool(getattr(one.order, "freed", ())),
    "column": lambda one: any(target.isdecimal() for target in one.targets),
    "times": lambda one: one.verb in ("fight", "activate"),
    "cubes": lambda one: one.verb in ("fight", "activate", "discard"),
    "none": lambda one: orders.NOTHING in one.targets,
    "costs": lambda one: bool(one.said.amounts),
    **dict.fromkeys(("makes", "make"), lambda one: one.verb == "flip"),
}
"""Small words that only some orders explain, by role and clause."""
