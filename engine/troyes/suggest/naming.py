"""Reading what a line names: words cut by the lexicon of the order language, each for all that it can mean."""

from __future__ import annotations

from collections.abc import Sequence

from engine.kit.words import folded
from engine.troyes.notation import lexicon
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.state.state import TroyesState
from engine.troyes.suggest.bag import Bag
from engine.troyes.suggest.faces import Faces

_DENIES = frozenset(("not", "no", "never", "without", "except", "don't", "dont", "pas", "sans", "sauf", "jamais", "ni"))
_ROLE_VERBS = {
    "put": ("place", 0.4), "hire": ("activate", 0.4), "citizen": ("place", 0.3), "highest": ("counter", 0.3),
    "black": ("counter", 0.6), "steps": ("guard", 0.5), "gate": ("guard", 0.5), "more": ("recruit", 0.3),
}  # fmt: skip
"""What small words make likely, and how much."""
_WEAK = {"use": 0.3, "place": 0.7, "activate": 0.7, "target": 0.4, "give": 0.4, "support": 0.6, "react": 0.6}
"""Verbs that are said of other things too."""
_PART, _NAME = 0.6, 0.6
"""How surely a part of a name names it, and a verb that is a name as well is said."""
_MOST = 20
"""Places and numbers that are kept."""


def wish_of(state: TroyesState, seat: str, asked: str, line: str) -> Bag:
    """What a line names in a position, as the seat would that is asked something (a kind of decision)."""
    wish = Bag()
    for at, part in enumerate(_between_denials(line)):
        Naming(state, seat, asked, wish, lexicon.tokens(state, part, loose=True)).name(denied=at > 0)
    flags, counted = wish.flags, bool(wish.numbers)
    people = "citizen" in flags and (counted or "supply" in wish.places or flags & {"more", "fresh", "take", "buy"})
    if people or ("hire" in flags and not (wish.ids or wish.dice)):
        wish.recruits = not wish.ids
        wish.verb("recruit", 0.2 if wish.dice else 0.9)
    if "again" in flags and wish.dice:
        wish.verb("reroll", 0.8)
    return wish


def _between_denials(line: str) -> list[str]:
    """A line cut before each word that denies what follows."""
    parts: list[list[str]] = [[]]
    for word in line.split():
        if folded(word.strip(",;:.!?")) in _DENIES and word != line:
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(words) for words in parts]


class Naming(Faces):
    """One stretch of a line, passed once."""

    def __init__(self, state: TroyesState, seat: str, asked: str, wish: Bag, tokens: Sequence[Wordlet]) -> None:
        super().__init__(state, seat, asked, wish, tokens)
        self.sign = 1.0

    def name(self, *, denied: bool) -> None:
        """Add what is named; where something is denied, that is the first thing, before a comma."""
        dice = self.dice()
        (self.wish.unwanted if denied and dice else self.wish.dice).extend(dice)
        self.sign = -1.0 if denied and not dice else 1.0
        for at, token in enumerate(self.tokens):
            if token.text == ",":
                self.sign = 1.0
            if at not in self.spent and len(self.wish.places) + len(self.wish.numbers) < _MOST:
                self._word(at, token)

    def _word(self, at: int, token: Wordlet) -> None:
        wish, named = self.wish, self._named(at, token)
        if verb := token.of("verb"):
            wish.verb(verb, self.sign * _WEAK.get(verb, 1.0) * (_NAME if named else 1.0))
        if place := token.of("place"):
            wish.places.append(place)
            if place == "cathedral":
                wish.verb("build", self.sign)
        if role := token.of("role"):
            wish.flags.add(role)
            if role in _ROLE_VERBS:
                word, weight = _ROLE_VERBS[role]
                wish.verb(word, self.sign * weight)
        self._small(at, token)
        self.sign = 1.0 if named or verb or place else self.sign

    def _named(self, at: int, token: Wordlet) -> bool:
        """Whether cards, events or tiles that are here are named; they are then told."""
        here = {
            "activity": [card.id for card in self.state.cards],
            "event": [threat.id for threat in self.state.queue],
            "outdoor": [tile.id for tile in self.state.tiles],
        }
        found = False
        for kind, some in here.items():
            ids = [id_ for id_ in some if id_ in token.of(kind, ())]
            sure = self.sign * (_PART if token.of("part") else 1.0) / max(1, len(ids)) ** 0.5
            for id_ in ids:
                self.wish.ids[id_] = max(self.wish.ids.get(id_, 0.0), sure, key=abs)
                if kind != "event" and self._is_used(at):
                    self.wish.used.add(id_)
            found = found or bool(ids)
        return found

    def _small(self, at: int, token: Wordlet) -> None:
        """Owners, clauses, spots, levels and numbers."""
        wish, clause = self.wish, token.of("clause")
        if owner := token.of("owner"):
            wish.owners.add(owner)
        if clause:
            wish.flags.add(clause)
        if spot := token.of("spot"):
            wish.places.append(spot)
        if (level := token.of("level", 0)) and (token.text != "i" or self._is_level(at)):
            wish.levels.append(level)
        if self.asked == "counter" and self._blacks(at, token):
            return
        if number := token.of("number", 0) or token.of("ordinal", 0) or token.of("often", 0):
            self._number(at, number)
        elif clause in ("once", "twice"):
            wish.numbers.append(1 if clause == "once" else 2)

    def _number(self, at: int, number: int) -> None:
        """A number that is no die: of an event, of pips, or one that counts; a price is passed over."""
        before, after = self.at(at - 1), self.at(at + 1)
        counts = after.of("role") in ("citizen", "steps", "more", "fresh") or after.of("clause") in ("cubes", "times")
        article = number == 1 and self.at(at).of("noise") and not counts
        if before.of("role") == "event" and 1 <= number <= len(self.state.queue):
            self.wish.ids[self.state.queue[number - 1].id] = self.sign
        elif before.of("mark") == "plus" or before.of("role") == "adds":
            self.wish.pips.append(number)
        elif not article and after.of("clause") != "influence" and after.of("role") != "price":
            self.wish.numbers.append(number)

    def _blacks(self, at: int, token: Wordlet) -> bool:
        """Whether black dice are told by how many there are, or as the highest; they are then counted."""
        numbers, value = self.wish.numbers, token.of("plural", 0)
        if token.of("role") == "highest":
            numbers.extend(self.state.black[:1])
            return True
        if value not in self.state.black:
            return False
        before = self.at(at - 1).of("number", 0)
        if before and numbers[-1:] == [before]:
            numbers.pop()
        numbers.extend([value] * min(before or _MOST, self.state.black.count(value)))
        return True

    def _is_level(self, at: int) -> bool:
        """Whether «I» is a tile: it does not begin what somebody says of himself."""
        before = self.at(at - 1)
        return at > 0 and not before.of("mark") and before.of("role") not in ("then", "courtesy")

    def _is_used(self, at: int) -> bool:
        """Whether what is named here is said to be used, or its cube."""
        return any(
            token.of("role") == "using" or token.of("clause") in ("using", "cubes") or token.of("verb") == "use"
            for token in (self._near(at, -1), self._near(at, -2), self.at(at + 1))
        )
