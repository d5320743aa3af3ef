"""What a game says of itself: cards and words explained, card data, every legal order, rule tests.

A game offers it as `Game.reference`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.values import fixed

S = TypeVar("S", contravariant=True)


@fixed
class CardText:
    """A card, place or rule word explained: its title, and a few sentences with its numbers."""

    title: Msg
    lines: tuple[Msg, ...]


@fixed
class Spelling:
    """How an order is written: its verb or topic, and an order to imitate; `now` if that can be given at present.

    `verb` is what is asked for. `word` (the same) and `order` are shown, in every language that orders are written in.
    """

    verb: str
    word: Msg
    order: Msg
    now: bool = True

    @classmethod
    def of(cls, verb: str, order: Msg, now: bool, written: Mapping[str, Mapping[str, str]]) -> Spelling:
        """Make one; `written` maps a language to its words for English verbs, where they differ."""
        word = T.each(verb, **{language: words.get(verb, verb) for language, words in written.items()})
        return cls(verb, word, order, now)


@fixed
class Achievement:
    """Something to collect over several games: it must be reached in `times` of them."""

    id: str
    text: CardText
    times: int = 1


@fixed
class Verdict:
    """The outcome of a rule test: `pass`, `fail` or `unsupported`, and each difference."""

    id: str
    outcome: str
    differences: tuple[str, ...] = ()


class Reference(Protocol[S]):
    """The words, cards and data of one game; methods with a body suit a game without cards."""

    achievements: tuple[Achievement, ...] = ()
    """All achievements in the order to list them. `explain` knows their ids too."""

    def explain(self, word: str, state: S | None = None) -> CardText | None:
        """Explain the card, place, event or rule word of that name, with the numbers of this game; None if there is
        none.

        Every word that orders are written with is explained, dice and small words too.
        """
        return None

    def words(self) -> tuple[str, ...]:
        """Every word that `explain` and `Game.read` know, for suggestions and completion."""
        return tuple(sorted(self.verbs()))

    def verbs(self) -> frozenset[str]:
        """The words that can begin an order, in all languages."""

    def reserved(self) -> frozenset[str]:
        """Words that no seat may have as its name: order words, ids, dice, districts."""
        return self.verbs()

    def examples(self, state: S, seat: str, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        """Two orders to imitate in this position; `offered` are the texts of `Game.offers` in the same language."""
        return tuple(offered[:2])

    def spellings(self, state: S, seat: str) -> tuple[Spelling, ...]:
        """Every verb once, with an order that the seat can give now, or else one that shows how it is written."""

    def facts(self) -> tuple[Data, ...]:
        """Every number of the cards as rows `{group, id, name, color, field, value, confidence, source, text}`."""
        return ()

    def every(self, state: S, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        """The legal orders of the seat, for computers and tests: all, or one or a few picked by the numbers in
        `sample`."""

    def repairs(self, state: S, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        """Return the legal orders nearest to a refused line, at most three, the nearest first; empty if none is near.

        Each is complete, legal now and not the line itself, as `Game.write` writes it in that language. `state` may be
        redacted for the seat, so that a suggestion tells nothing that the seat does not know.
        """

    def topics(self, order: str) -> frozenset[str]:
        """Words of either language, folded, by which people search for an order that is written without them: the
        colour of `W3`, the event of `fight`. `order` is in English."""
        return frozenset()

    def rule_test(self, scenario: Data, defaults: Data) -> Verdict:
        """Run one rule test: a position, orders, and their expected results, as data."""
        return Verdict(str(scenario.get("id", "?")), "unsupported", ("this game has no rule tests",))
