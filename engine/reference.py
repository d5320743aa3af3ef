"""What a game can say of itself: its cards and words explained, the facts of its box, every legal order, rule tests.

A game offers it as `Game.reference`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.values import fixed

S = TypeVar("S", contravariant=True)


@fixed
class CardText:
    """A card, place or rule word explained: its title and a few sentences with its numbers."""

    title: Msg
    lines: tuple[Msg, ...]


@fixed
class Spelling:
    """How an order is written: its verb, or what it is about, and one to imitate; `now` where it could be given.

    `verb` is asked for; `word`, which is the same, and `order` are shown, in every language that orders are written in.
    """

    verb: str
    word: Msg
    order: Msg
    now: bool = True

    @classmethod
    def of(cls, verb: str, order: Msg, now: bool, written: Mapping[str, Mapping[str, str]]) -> Spelling:
        """`written`: by language, how verbs are written in it, where otherwise than in English."""
        word = T.each(verb, **{language: words.get(verb, verb) for language, words in written.items()})
        return cls(verb, word, order, now)


@fixed
class Achievement:
    """Something a player can collect over several games: `times` is in how many of them it must be reached."""

    id: str
    text: CardText
    times: int = 1


@fixed
class Verdict:
    """What became of a rule test (design/positions): `pass`, `fail` or `unsupported`, and each difference."""

    id: str
    outcome: str
    differences: tuple[str, ...] = ()


class Reference(Protocol[S]):
    """The words, cards and facts of one game; methods with a body do for a game without cards."""

    achievements: tuple[Achievement, ...] = ()
    """All there are, in the order to list them; empty for a game that has none. `explain` knows their ids too."""

    def explain(self, word: str, state: S | None = None) -> CardText | None:
        """The card, place, event or rule word of that name, with the numbers of this game; None if there is none.

        Every word that an order is written with is explained, dice and small words too.
        """
        return None

    def words(self) -> tuple[str, ...]:
        """Every word `explain` and `Game.read` know, for suggestions and completion."""
        return tuple(sorted(self.verbs()))

    def verbs(self) -> frozenset[str]:
        """The words that can begin an order, all languages."""

    def reserved(self) -> frozenset[str]:
        """Words that no seat may be called: order words, ids, dice, districts."""
        return self.verbs()

    def examples(self, state: S, seat: str, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        """Two orders to imitate, from this very position; `offered` are the texts that `Game.offers` gave for it in the
        same language."""
        return tuple(offered[:2])

    def spellings(self, state: S, seat: str) -> tuple[Spelling, ...]:
        """Every verb once, with an order that the seat could give now, or else one that shows how it is written."""

    def facts(self) -> tuple[Data, ...]:
        """Every number of the box as rows `{group, id, name, color, field, value, confidence, source, text}`."""
        return ()

    def every(self, state: S, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        """Orders open to the seat, for computers and tests: all of them, or a few picked by the numbers in `sample`."""

    def repairs(self, state: S, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        """The orders nearest to a line that was refused, at most three, the nearest first; none where nothing is near.

        Each is complete, legal now and not the line itself, as `Game.write` writes it in that language. `state` may be
        redacted for the seat, so that what is suggested tells nothing that the seat does not know.
        """

    def topics(self, order: str) -> frozenset[str]:
        """Words of either language, folded, by which people look for an order though it is written without them: the
        colour of `W3`, the event of `fight`. `order` is written in English."""
        return frozenset()

    def rule_test(self, scenario: Data, defaults: Data) -> Verdict:
        """Run one rule test: a position, orders and what must come of them, as data."""
        return Verdict(str(scenario.get("id", "?")), "unsupported", ("this game has no rule tests",))
