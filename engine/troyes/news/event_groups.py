"""Facts put into groups: a heading, and what belongs to it until the next heading.

A chronicle is flat; that a payment belongs to an order, or a lost point to an event, is said by where it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from engine.kit.facts import Fact
from engine.troyes.events.card_events import EventCountered, EventResolves
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.money_events import PointsChange, SeatPasses
from engine.troyes.events.order_events import AnswersShown, Ordered
from engine.troyes.news.tally import Tally, tally
from engine.troyes.state import places
from engine.troyes.state.troyes_state import GRAY, TroyesState

F = TypeVar("F")


@dataclass
class EventGroup:
    """One matter: its head, the number of its last entry, and the facts that follow the head."""

    head: Any
    last: int
    facts: list[Fact[TroyesState]] = field(default_factory=list)
    counters: list[EventGroup] = field(default_factory=list)
    """Events countered on the way, each with the points it gave: told after it, as matters of their own."""
    done: bool = False
    """An event that all answer at once, and in which nobody had a choice: what came of it follows at once."""

    def of(self, kind: type[F]) -> list[F]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @cached_property
    def sums(self) -> Tally:
        """What it adds up to."""
        return tally(self.facts)


def group_events(facts: Sequence[Fact[TroyesState]], heads: Collection[type], first: int = 0) -> list[EventGroup]:
    """The groups in order, each opened by one of the `heads`; `first` is the number of the first fact.

    Facts before any heading are passed over.
    """
    groups: list[EventGroup] = []
    counter: EventGroup | None = None
    for number, fact in enumerate(facts, start=first):
        here = groups[-1] if groups else None
        if type(fact) in heads and _opens(fact, here):
            groups.append(EventGroup(fact, number))
            counter = None
        elif here is not None:
            here.last = number
            if isinstance(fact, EventCountered):
                counter = EventGroup(fact, number)
                here.counters.append(counter)
            elif counter is not None and isinstance(fact, PointsChange) and fact.by > 0:
                counter.facts.append(fact)
            else:
                counter = None
                here.facts.append(fact)
    for event, shown, answer in zip(groups, groups[1:], [*groups[2:], None], strict=False):
        if isinstance(event.head, EventResolves) and isinstance(shown.head, AnswersShown):
            given = answer is not None and isinstance(answer.head, Ordered)
            event.done = given or bool(shown.of(PointsChange))
    return groups


def _opens(fact: Fact[TroyesState], here: EventGroup | None) -> bool:
    """Whether the fact begins a matter where it stands: some do only there."""
    if isinstance(fact, SeatPasses):
        return fact.again
    if isinstance(fact, CitizenMoves):
        # A neutral citizen comes with an event, or by himself before the first round.
        alone = here is None or not isinstance(here.head, EventResolves | CitizenMoves)
        return alone and fact.owner == GRAY and fact.source.on == places.SUPPLY
    return True
