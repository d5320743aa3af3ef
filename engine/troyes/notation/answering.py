"""What a word is by the question that is asked, or by what lies on the board."""

from __future__ import annotations

from engine.troyes.notation.counting import Counting
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.saying import Unplaced
from engine.troyes.notation.words import ARTICLES
from engine.troyes.state import places

_ALIKE = {"no", "keep"}
"""«No, I keep it» is one answer."""


class ToTheQuestion(Counting):
    """A line that is passed once, as far as the question tells what its words are."""

    def _verb_of(self, token: Wordlet) -> str:
        """The verb that a word is. The name of an event is one only where that is asked («Support»), and that of a card
        or tile («Harvest») as the first verb of a line where none such lies."""
        verb: str = token.of("verb")
        if token.of("role") == "put" and (self.asked == "counter" or self._has_goal()):
            return ""  # «throw R6 at the marauding»
        if token.of("event"):
            return verb if verb == self.asked else ""
        named = {*token.of("activity", ()), *token.of("outdoor", ())}
        lies = named & {*(card.id for card in self.state.cards), *(tile.id for tile in self.state.tiles)}
        return "" if named and (lies or self.said.verb or self._next().of("clause") == "cubes") else verb

    def _has_goal(self) -> bool:
        """Whether what something is thrown or turned at is named behind it."""
        rest = self.tokens[self.at :]
        return any(token.of("role") == "on" for token in rest[:-1]) and not self.said.verb

    def _answer(self, answer: str) -> None:
        if {self.said.answer, answer} != _ALIKE:
            self._once("answer", answer)

    def _lying(self) -> set[str]:
        """Where anybody of the seat lies."""
        return {str(place) for place in self.state.whereabouts(self.seat) if place.spot == places.LYING}

    def _lies(self) -> str:
        """Where somebody of the seat lies, if that is one place. Raises Unplaced."""
        if len(found := self._lying()) != 1:
            raise Unplaced
        return found.pop()

    def _is_source(self, place: str) -> bool:
        """Whether nobody can be put there; raises Unplaced where «put the lying one in the Palace» may be his way."""
        if not place.endswith(f" {places.LYING}"):
            return place == places.SUPPLY
        puts = self.said.verb == "place" or "put" in self.said.flags
        if puts and not self.said.spots and len(self._lying()) > 1 and self.before != "from":
            raise Unplaced
        return True

    def _is_his(self, place: str) -> bool:
        """Whether it is named with who stands there: «palace 4 guy»."""
        him = self._next().of("role") == "citizen" and self.before in ("", "with")
        return him and " " in place and not self.said.source

    def _counts_citizens(self) -> bool:
        """Whether so many citizens follow."""
        whom = self._next(int(bool(self._next().of("number"))))
        return bool(whom.of("role") == "citizen")

    def _ends_here(self) -> bool:
        """Whether a part of the line ends before the next word."""
        return self.at == len(self.tokens) or self._next().of("mark") in ("and", "colon")

    def _behind_mark(self) -> bool:
        """Whether a part of the line begins with the word that was taken."""
        return self.at > 1 and bool(self.tokens[self.at - 2].of("mark"))

    def _is_whom(self, token: Wordlet) -> bool:
        """Whether it is who is hired: «hire the one in palace 4»."""
        before = self.tokens[self.at - 2]
        articled = self.at > 1 and (before.text in ARTICLES or before.of("clause") == "lying")
        return token.text == "one" and articled and "hire" in self.said.flags and not self._die_follows()

    def _is_me(self, token: Wordlet) -> bool:
        """Whether «I» is somebody and no tile."""
        after = self._next()
        before = self.tokens[self.at - 2]  # not «do I build», but «so I build»
        led = self.at == 1 or any(map(before.of, ("mark", "die"))) or before.of("role") == "courtesy"
        does = bool(after.of("verb")) or after.of("role") in ("hire", "buy", "take", "put")
        return led and does and token.text == "i"
