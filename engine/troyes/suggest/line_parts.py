"""What a line says: its words cut by the lexicon, each with all that it can mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.kit.words import fold_text
from engine.troyes.notation import lexicon
from engine.troyes.notation.lexicon import WordToken
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.suggest.named_dice import NamedDice, NamedDie

_DENIES = frozenset(("not", "no", "never", "without", "except", "don't", "dont", "pas", "sans", "sauf", "jamais", "ni"))
_PART = 0.6
"""The weight of a part of a name, and of a verb that is also a name."""
_MOST = 20
"""The most places and numbers that are kept."""
_UNITS = {"price": "deniers", "influence": "influence", "vp": "vp"}
"""Words for what is paid and gained, to the field of a house."""
_TO, _FROM = frozenset(("to", "into", "onto", "vers", "toward", "towards")), frozenset(("from", "bought_from"))
_COUNTED = ("times", "cubes")
_LEADING = ("de", "du", "d", "of", "a", "au", "in", "at", "on", "sur", "en", *_TO)
"""Small words that lead to a place."""


def read_line_parts(state: TroyesState, seat: str, asked: str, text: str) -> LineParts:
    """What a line says in a position, to a seat that is asked a kind of decision."""
    line = LineParts(state, seat, asked)
    parts: list[list[str]] = [[]]
    for word in text.split():
        if fold_text(word.strip(",;:.!?")) in _DENIES and word != text:
            parts.append([])
        else:
            parts[-1].append(word)
    for at, words in enumerate(parts):
        line.add(lexicon.tokenize(state, " ".join(words), loose=True), denied=at > 0)
    flags = line.flags
    people = line.numbers or "supply" in line.places or flags & {"more", "fresh", "take", "buy"}
    if ("citizen" in flags and people) or ("hire" in flags and not (line.ids or line.dice)):
        line.verb("recruit", 0.2 if line.dice else 0.9)
    if "again" in flags and line.dice:
        line.verb("reroll", 0.8)
    return line


class LineParts:
    """What a line says. Weights are from 0 to 1, for how surely something is named; below 0 where it is denied."""

    def __init__(self, state: TroyesState, seat: str, asked: str) -> None:
        self.state, self.seat, self.asked = state, seat, asked
        self.tokens: Sequence[WordToken] = ()
        self.here = {
            "activity": [card.id for card in state.cards],
            "event": [threat.id for threat in state.queue],
            "outdoor": [tile.id for tile in state.tiles],
        }
        """Ids in play by kind."""
        self.verbs = dict[str, float]()
        self.ids = dict[str, float]()
        """Cards, events and tiles."""
        self.places = list[str]()
        self.dice, self.every, self.unwanted = list[NamedDie](), list[NamedDie](), list[NamedDie]()
        """Named dice; colours said for all of somebody's dice (these stand in `dice` too); dice that are denied."""
        self.owners = set[str]()
        self.counts_as = ""
        """The colour that a die is said to count as."""
        self.numbers, self.levels, self.pips = list[int](), list[int](), list[int]()
        """Numbers that are neither a die nor a price; levels of outdoor tiles; pips added to a die."""
        self.flags = set[str]()
        """Roles and clauses of the line's small words."""
        self.spent, self.results = set[int](), set[int]()
        """Positions of words that belong to dice and amounts, and of numbers that flipped dice will show."""
        self.amounts = list[tuple[str, int]]()
        """What is said to be paid or gained: unit and number."""
        self._sign = 1.0

    @property
    def left(self) -> list[int]:
        """Positions of words that belong neither to dice nor to amounts."""
        return [at for at in range(len(self.tokens)) if at not in self.spent]

    @property
    def aims(self) -> float:
        """How much of an order it names besides dice."""
        goals, verbs = (max(map(abs, some.values()), default=0.0) for some in (self.ids, self.verbs))
        spots = 1.0 if any(" " in place or "." in place for place in self.places) else 0.5 * bool(self.places)
        return goals + verbs + spots + bool(self.levels)

    @property
    def weight(self) -> float:
        """How much of an order it names."""
        return self.aims + sum(1.0 if die.value else 0.5 for die in self.dice)

    def verb(self, word: str, weight: float) -> None:
        """Note a verb with its weight."""
        self.verbs[word] = max(self.verbs.get(word, 0.0), weight, key=abs)

    def at(self, at: int) -> WordToken:
        """The word at a place; an empty one beyond either end."""
        return self.tokens[at] if 0 <= at < len(self.tokens) else WordToken("")

    # Reading the words.

    def add(self, tokens: Sequence[WordToken], *, denied: bool = False) -> None:
        """Add what some words name. If they are denied, only the first thing before a comma is."""
        self.tokens, dice = tokens, NamedDice(self.state, self.seat, self.asked, tokens)
        found = dice.named()
        (self.unwanted if denied and found else self.dice).extend(found)
        self.every += dice.every
        self.owners |= dice.owners
        self.counts_as = dice.counts_as or self.counts_as
        self.spent, self.results = dice.spent, dice.results
        self._sign = -1.0 if denied and not found else 1.0
        for at, token in enumerate(tokens):
            self.flags |= {token.of("role"), token.of("clause")} - {""}
            if token.text == ",":
                self._sign = 1.0
            if at not in self.spent and len(self.places) + len(self.numbers) < _MOST:
                self._word(at, token)
        self._amounts()

    def _word(self, at: int, token: WordToken) -> None:
        """Names, a verb, a place."""
        named, verb = self._named(token), token.of("verb")
        if verb:
            self.verb(verb, self._sign * (_PART if named else 1.0))
        if place := token.of("place"):
            self.places.append(place)
            if place == "cathedral":
                self.verb("build", self._sign)
        self._small(at, token)
        self._sign = 1.0 if named or verb or place else self._sign

    def _named(self, token: WordToken) -> bool:
        """Note the cards, events and tiles in play that a word names. Returns whether there are any."""
        found = False
        for kind, some in self.here.items():
            ids = [id_ for id_ in some if id_ in token.of(kind, ())]
            sure = self._sign * (_PART if token.of("part") else 1.0) / max(1, len(ids)) ** 0.5
            for id_ in ids:
                self.ids[id_] = max(self.ids.get(id_, 0.0), sure, key=abs)
            found = found or bool(ids)
        return found

    def _small(self, at: int, token: WordToken) -> None:
        """Owners, spots, levels and numbers."""
        if owner := token.of("owner"):
            self.owners.add(owner)
        if spot := token.of("spot"):
            self.places.append(spot)
        if (level := token.of("level", 0)) and (token.text != "i" or (at and not self.at(at - 1).of("mark"))):
            self.levels.append(level)  # at the beginning «I» is the writer
        black, several = self.state.black if self.asked == "counter" else [], token.of("plural", 0)
        if black and token.of("role") == "highest":
            self.numbers.append(black[0])
        elif several in black:
            self.numbers.extend([several] * black.count(several))
        elif number := token.of("number", 0) or token.of("ordinal", 0) or repetitions(token):
            self._number(at, number)

    def _number(self, at: int, number: int) -> None:
        """Note a number that is no die: of an event, of pips, or a count. A price is skipped."""
        before, after = self.at(at - 1), self.at(at + 1)
        counts = after.of("role") in ("citizen", "steps", "more", "fresh") or after.of("clause") in ("cubes", "times")
        article = number == 1 and self.at(at).of("noise") and not counts
        if before.of("role") == "event" and 1 <= number <= len(self.state.queue):
            self.ids[self.state.queue[number - 1].id] = self._sign
        elif before.of("mark") == "plus" or before.of("role") == "adds":
            self.pips.append(number)
        elif not article and after.of("clause") != "influence" and after.of("role") != "price":
            self.numbers.append(number)

    def _amounts(self) -> None:
        """Note numbers before deniers, influence and points, and mark their words as used."""
        for at, token in enumerate(self.tokens):
            unit = _UNITS.get(token.of("role")) or _UNITS.get(token.of("clause"))
            back = at - 1
            while self.at(back).of("role") in ("from", "more") and not self.at(back).of("number"):
                back -= 1
            if unit and (number := self.at(back).of("number", 0)) and back not in self.spent:
                self.spent |= {at, back}
                self.amounts.append((unit, number))

    # What an exact cover asks for.

    def may_be(self, dice: int, goals: Sequence[str]) -> bool:
        """A quick check of the number of dice and of what the order is done to."""
        return dice <= len(self.dice) <= dice + 1 and all(id_ in self.ids for id_ in goals)

    def says(self, verb: str) -> bool:
        """Whether the line has this verb."""
        return any(token.of("verb") == verb for token in self.tokens)

    def names(self, id_: str) -> bool:
        """Whether a word names this card, event or tile, and nothing else in play."""
        return any(
            {id_} == {one for kind, some in self.here.items() for one in token.of(kind, ()) if one in some}
            for token in self.tokens
        )

    def whole(self, token: WordToken) -> list[str]:
        """Cards, events and tiles here that a word names whole."""
        some = () if token.of("part") else self.here.items()
        return [id_ for kind, ids in some for id_ in token.of(kind, ()) if id_ in ids]

    def repeats(self) -> set[int]:
        """How often, or with how many cubes, it is said to be done: by a word, or by the number before one."""
        words = (
            (at, repetitions(one))
            for at, one in enumerate(self.tokens)
            if repetitions(one) or one.of("clause") in _COUNTED
        )
        return {number or self.at(at - 1).of("number", 0) for at, number in words} - {0}

    def leads(self, at: int) -> str:
        """Whether somebody goes to a place (`to`) or comes from it (`from`); empty for neither."""
        at -= 1
        while at >= 0 and self.tokens[at].of("noise") and self.tokens[at].text not in _LEADING:
            at -= 1
        word = self.at(at)
        if word.text in _TO or word.of("clause") == "to":
            return "to"
        return "from" if word.of("role") in _FROM or word.of("clause") == "from" or word.text == "de" else ""

    def is_unsure(self) -> bool:
        """Whether the owner or the number of dice is ambiguous.

        In «Faye's W6 and W2» both may be hers; in «both W3 and W5» the «both» only leads to the «and»; and a die named
        by its colour alone may be another.
        """
        for before, one in pairwise(self.dice):
            lying = self.state.dice.get(before.owner, ()) if before.owner != self.seat and not one.owner else ()
            if any(map(one.is_so, lying)):
                return True
        both = (at for at, token in enumerate(self.tokens) if token.of("role") == "both" and self.at(at + 1).of("die"))
        listed = any(self.at(at + 2).of("mark") == "and" for at in both)
        return listed or any(map(self._is_vague, (*self.dice, *self.every)))

    def _is_vague(self, one: NamedDie) -> bool:
        """Whether a die named by its colour alone may be another: «my white» of two, «two white dice» of three."""
        if one.value:
            return False
        there = sum(map(one.is_so, self.state.dice.get(one.owner or self.seat, ())))
        called = self.dice.count(one) or there
        everywhere = sum(sum(map(one.is_so, dice)) for dice in self.state.dice.values())
        words = {token.text for token in self.tokens}
        if called == 1 or one.owner:
            return there > called and words.isdisjoint(("a", "one", "un", "une"))
        mine = "mine" in self.flags or not words.isdisjoint(("the", "les", "les-deux", "both"))
        return there > called or (everywhere > called and not mine)


def repetitions(token: WordToken) -> int:
    """How often, said in one word; 0 for none."""
    number: int = token.of("often", 0) or {"once": 1, "twice": 2}.get(token.of("clause"), 0)
    return number
