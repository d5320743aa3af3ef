"""What most games have alike, so that a new one need not say it: a base for games, and for what stands beside them.

A game overrides what it has; `staticmethod(function)` names a function that does it, and is checked like a method.
`engine.turns.TurnGame` goes further for games in which one seat after the other acts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from engine.catalog import Msg, T
from engine.chance import Chance
from engine.chronicle import Data, Entry
from engine.game import NO_KIND, Offer, Option, Says, Seat, Step
from engine.kit import settings
from engine.kit.edits import Repairs
from engine.kit.nearness import MOST
from engine.kit.sampling import Lot
from engine.kit.words import near
from engine.reference import Achievement, CardText, Spelling, Verdict
from engine.thinking import Thinking
from engine.values import fixed

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


class SimpleGame(Generic[S, O]):
    """A game without options, in which no order is suspicious and no answer is sealed."""

    title: str
    schema = 1
    seats: range
    options: tuple[Option, ...] = ()

    def settle_options(self, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value. Raises NotAllowed for unknown names, values or a wrong number of players."""
        return settings.settled(self.title, self.seats, self.options, players, chosen)

    def write(self, state: S, seat: Seat, order: O, language: str) -> str:
        """The canonical text of an order."""
        raise NotImplementedError

    def title_of(self, state: S, seat: Seat, order: O, language: str) -> str:
        """The canonical text."""
        return self.write(state, seat, order, language)

    def choices(self, state: S, seat: Seat) -> Iterable[tuple[O, Says]]:
        """A short ranked list that covers every kind of thing the seat can do now: orders, and what each would do."""
        raise NotImplementedError

    def offers(self, state: S, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
        """The choices in a reader's language."""
        return tuple(
            Offer(
                partial(self.write, state, seat, order, language),
                says,
                self.kind_of(order),
                partial(self.title_of, state, seat, order, language),
            )
            for order, says in self.choices(state, seat)
        )

    def kind_of(self, order: O) -> Msg:
        """What a list of options calls the group of an order; nothing where there are no groups."""
        return NO_KIND

    @property
    def thinking(self) -> Thinking[S, O]:
        """The choices in their order, with nothing hidden."""
        found: SimpleThinking[S, O] = SimpleThinking(self)
        return found

    def estimate(self, state: S, seat: str) -> float:
        """Nothing is known of what a position is worth."""
        return 0.0

    def story(self, state: S, entries: Sequence[Entry]) -> Mapping[str, Msg]:
        """None is told."""
        return {}

    def suspicious(self, state: S, seat: Seat, orders: Sequence[O]) -> Msg | None:
        """Nothing is."""
        return None

    def withdraw(self, state: S, seat: Seat) -> Step[S] | None:
        """Nothing: whoever has answered is not asked any more, and what is taken back is taken back as any order."""
        return None


@fixed
class SimpleThinking(Generic[S, O]):
    """A game in which nothing is hidden, and nothing is known of what an order is worth: the first choice is best."""

    game: Any
    horizon: int = 1

    def ranked(self, state: S, seat: str) -> list[tuple[O, float]]:
        """The choices as they stand."""
        return [(order, 0.0) for order, _ in self.game.choices(state, Seat(seat))]

    def groups(self, state: S, seat: str) -> list[list[tuple[O, float]]]:
        """Each choice is a kind of its own."""
        return [[choice] for choice in self.ranked(state, seat)]

    def likely(self, state: S, seat: str) -> O:
        """The first choice."""
        return self.ranked(state, seat)[0][0]

    def asked(self, state: S) -> tuple[str, str] | None:
        """The first who has not answered."""
        return next(((one.seat, one.kind) for one in self.game.waiting(state) if not one.answered), None)

    def after(self, state: S, seat: str, order: O, chance: Chance) -> S:
        """With what was written down on the way."""
        found: S = self.game.apply(state, Seat(seat), order, chance).state
        return found

    def shown(self, state: S) -> Hashable:
        """All that the position holds."""
        return str(self.game.dump(state))

    def imagined(self, state: S, seat: str, chance: Chance) -> S:
        """The position itself."""
        return state

    def rivals(self, state: S, seat: str) -> tuple[str, ...]:
        """Nobody is known."""
        return ()


@fixed
class SimpleModeration(Generic[S]):
    """Repairs of a state in which nothing is hidden, which keeps its number as `number`, and in which no one plans."""

    repairs: Repairs[S]

    def renumber(self, state: S, number: int) -> S:
        """A copy with a higher number."""
        changed: Any = deepcopy(state)
        changed.number = max(changed.number, number) + 1
        found: S = changed
        return found

    def redacted(self, state: S, seat: str | None = None) -> S:
        """A copy: there is no secret."""
        return deepcopy(state)

    def violations(self, state: S) -> tuple[str, ...]:
        """None is known."""
        return ()

    def settable(self, state: S) -> Mapping[str, Any]:
        """What `dump` holds."""
        return self.repairs.settable(state)

    def change(self, state: S, path: str, value: Any, reason: str = "") -> Entry:
        """Raises NotAllowed."""
        return self.repairs.change(state, path, value, reason)

    def without_plans(self, state: S) -> tuple[Entry, ...]:
        """Nothing."""
        return ()

    def gone_with(self, before: S, after: S) -> tuple[Entry, ...]:
        """Nothing."""
        return ()


@dataclass(slots=True)
class SimpleReference(Generic[S]):
    """A game without cards: its words are those that begin an order, and its legal orders are those offered."""

    verbs_: frozenset[str]
    offered: Callable[[S, str], Sequence[Offer]]
    achievements: tuple[Achievement, ...] = ()

    def explain(self, word: str, state: S | None = None) -> CardText | None:
        """Nothing."""
        return None

    def words(self) -> tuple[str, ...]:
        """Those that begin an order."""
        return tuple(sorted(self.verbs_))

    def verbs(self) -> frozenset[str]:
        """In all languages."""
        return self.verbs_

    def reserved(self) -> frozenset[str]:
        """The same words."""
        return self.verbs_

    def examples(self, state: S, seat: str, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        """The first two."""
        return tuple(offered[:2])

    def spellings(self, state: S, seat: str) -> tuple[Spelling, ...]:
        """Of each verb what is offered, if it is."""
        texts = {text.split()[0]: text for text in reversed([offer.text for offer in self.offered(state, seat)])}
        return tuple(
            Spelling(verb, T.each(verb), T.each(texts.get(verb, verb)), verb in texts) for verb in sorted(self.verbs_)
        )

    def facts(self) -> tuple[Data, ...]:
        """No box."""
        return ()

    def every(self, state: S, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        """What is offered, or one of it."""
        texts = [offer.text for offer in self.offered(state, seat)]
        return iter(texts if sample is None else [Lot(sample).pick(texts)])

    def repairs(self, state: S, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        """What is offered, where it looks like the line."""
        return near(text, [offer.text for offer in self.offered(state, seat)], MOST)

    def topics(self, order: str) -> frozenset[str]:
        """An order says all of it."""
        return frozenset()

    def rule_test(self, scenario: Data, defaults: Data) -> Verdict:
        """Of another game."""
        return Verdict(str(scenario.get("id", "?")), "unsupported", ("this game has no rule tests",))
