"""What a line says, word by word, as far as an exact cover asks for it: numbers, amounts, where words lead."""

from __future__ import annotations

from itertools import pairwise

from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.senses import NAMED
from engine.troyes.state.orders import Order
from engine.troyes.suggest.bag import DieWish
from engine.troyes.suggest.naming import Naming

_UNITS = {"price": "deniers", "influence": "influence", "vp": "vp"}
"""Words for what is paid and gained, to the parts of a family."""
_TO, _FROM = frozenset(("to", "into", "onto", "vers", "toward", "towards")), frozenset(("from", "bought_from"))
_LEADING = ("de", "du", "d", "of", "a", "au", "in", "at", "on", "sur", "en", *_TO)
"""Small words that lead to a place."""


def number_of(token: Wordlet) -> int:
    """The number that a word is; 0 for none, and for an article."""
    if token.of("clause") in ("once", "twice"):
        return 1 if token.of("clause") == "once" else 2
    number: int = token.of("often", 0) or token.of("number", 0)
    return 0 if number == 1 and not token.text.isdigit() else number


class SaidLine:
    """What a line says: its words, what they name, and the numbers that count something."""

    def __init__(self, naming: Naming) -> None:
        self.state, self.seat, self.tokens, self.wish = naming.state, naming.seat, naming.tokens, naming.wish
        self.results, self.last_die, tokens = naming.results, naming.last, naming.tokens
        self.amounts = list[tuple[str, int]]()
        """What is said to be paid or gained: the unit and the number."""
        self.spent = set(naming.spent)
        self._price()
        self.left = [at for at in range(len(tokens)) if at not in self.spent]
        self.roles = {token.of(kind) for at, token in enumerate(tokens) for kind in ("role", "clause")} - {""}
        self.verbs = {token.of("verb") for token in tokens} - {""}
        self.here = {one.id for rows in (self.state.cards, self.state.queue, self.state.tiles) for one in rows}
        self.ids = {id_ for token in tokens for kind in NAMED for id_ in token.of(kind, ())}
        self.numbers = [number for at in self.left if (number := number_of(tokens[at]))]
        self.takes = bool(self.roles & {"citizen", "put", "take", "same"} or self.verbs & {"place", "give", "discard"})
        """Whether it is said that somebody goes, or is taken."""

    @property
    def recruits(self) -> bool:
        """Whether it is said that a new citizen is there."""
        return "recruit" in self.verbs or bool(self.roles & {"hire", "buy", "fresh"})

    def is_on_a_die(self, card: str) -> bool:
        """Whether a die is named behind a card that is used: «using priest on Y4» may be of that die alone."""
        named = (at for at, token in enumerate(self.tokens) if card in token.of("activity", ()))
        return next(named, 0) < self.last_die

    def _price(self) -> None:
        """Numbers before deniers, influence and points, with what stands there for these, are spent."""
        for at, token in enumerate(self.tokens):
            unit = _UNITS.get(token.of("role")) or _UNITS.get(token.of("clause"))
            back = at - 1
            if not unit:
                continue
            while back >= 0 and self.tokens[back].of("role") in ("from", "more") and not self.tokens[back].of("number"):
                back -= 1
            if back >= 0 and (number := self.tokens[back].of("number", 0)) and back not in self.spent:
                self.spent |= {at, back}
                self.amounts.append((unit, number))

    def may_be(self, order: Order) -> bool:
        """Whether an order has as many dice as are named, and its card or event is named: told soon, of many orders."""
        dice = len(getattr(order, "dice", ())) or (getattr(order, "die", None) is not None)
        goals = {getattr(order, "card", ""), getattr(order, "event", "")} - {""}
        return dice <= len(self.wish.dice) <= dice + 1 and goals <= self.ids

    def is_unsure(self) -> bool:
        """Whether a die that is named behind another's may be the same one's, «Faye's W6 and W2»; or «both» only leads
        to an «and»: «both W3 and W5»."""
        for before, one in pairwise(self.wish.dice):
            lying = self.state.dice.get(before.owner, ()) if before.owner != self.seat and not one.owner else ()
            if any(map(one.is_so, lying)):
                return True
        if any(map(self._is_vague, (*self.wish.dice, *self.wish.every))):
            return True
        both = (at for at, token in enumerate(self.tokens) if token.of("role") == "both" and self.at(at + 1).of("die"))
        return any(self.at(at + 2).of("mark") == "and" for at in both)

    def at(self, at: int) -> Wordlet:
        return self.tokens[at] if 0 <= at < len(self.tokens) else Wordlet("")

    def _is_vague(self, one: DieWish) -> bool:
        """Whether a die called by its colour alone may be another: «my white» of two, «two white dice» of three."""
        if one.value:
            return False
        there = sum(map(one.is_so, self.state.dice.get(one.owner or self.seat, ())))
        called = self.wish.dice.count(one) or there
        everywhere = sum(sum(map(one.is_so, dice)) for dice in self.state.dice.values())
        words = {token.text for token in self.tokens}
        if called == 1 or one.owner:
            return there > called and words.isdisjoint(("a", "one", "un", "une"))
        mine = one.owner or "mine" in self.roles or not words.isdisjoint(("the", "les", "les-deux", "both"))
        return there > called or (everywhere > called and not mine)

    def names(self, id_: str) -> bool:
        """Whether a card, event or tile is named, and nothing else here that it is called like; but for which of the
        events of one name, which is told by its place."""
        some = [
            self.here.intersection(token.of(kind))
            for token in self.tokens
            for kind in NAMED
            if id_ in token.of(kind, ())
        ]
        nth = any(token.of("ordinal") or token.of("role") == "event" for token in self.tokens)
        return any(len(one) == 1 or nth for one in some) or (nth and any(one.id == id_ for one in self.state.queue))

    def leads(self, at: int) -> str:
        """Whether what stands at a place is where somebody goes (`to`) or comes from (`from`); empty for neither."""
        at -= 1
        while at >= 0 and self.tokens[at].of("noise") and self.tokens[at].text not in _LEADING:
            at -= 1
        word = self.at(at)
        if word.text in _TO or word.of("clause") == "to":
            return "to"
        return "from" if word.of("role") in _FROM or word.of("clause") == "from" or word.text == "de" else ""
