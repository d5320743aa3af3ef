"""Events in groups, each a heading with what belongs to it, and what such a group adds up to, seat by seat.

The event log is flat: its order alone says that a payment belongs to an order, or a lost point to an event card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from engine.catalog import Msg, T
from engine.kit.events import Event
from engine.troyes.events.card_events import EventCountered, EventResolves
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.money_events import CoinsCollected, InfluenceChanges, Pays, PointsChange, SeatPasses
from engine.troyes.events.order_events import AnswersShown, Ordered
from engine.troyes.news import sentence_parts as say
from engine.troyes.news.sentence_parts import Voice
from engine.troyes.state import places
from engine.troyes.state.troyes_state import BANK, GRAY, TroyesState

Sums = Counter[str]
"""Numbers by seat. A missing seat counts as 0 and is not added."""


@dataclass(slots=True)
class Tally:
    """Net changes by seat, without payments for dice and hire. `bought` is what was paid for dice, by payee."""

    deniers: Sums = field(default_factory=Sums)
    influence: Sums = field(default_factory=Sums)
    wasted: Sums = field(default_factory=Sums)
    points: Sums = field(default_factory=Sums)
    bought: Sums = field(default_factory=Sums)
    hire: int = 0

    def changes(self, seat: str) -> tuple[Msg, ...]:
        """What changed for one seat, in words."""
        sums = self.deniers[seat], self.influence[seat], self.wasted[seat], self.points[seat]
        words = say.deniers_text, say.influence_text, _lost, say.points_text
        return tuple(told(by) for by, told in zip(sums, words, strict=True) if by)

    def touched(self) -> list[str]:
        """Seats for which something changed, sellers of dice included."""
        seats = (*self.deniers, *self.influence, *self.wasted, *self.points, *self.bought)
        return [seat for seat in dict.fromkeys(seats) if seat != BANK]

    def others(self, voice: Voice, but: Container[str | None] = ()) -> list[Msg]:
        """What changed for all seats `but` some, each with its name. Dice sold count as deniers."""
        told: list[Msg] = []
        for seat in self.touched():
            sold = self.bought[seat]
            changed = ((say.deniers_text(sold),) if sold else ()) + self.changes(seat)
            if changed and seat not in but:
                told.append(T("{who} {changes}", who=voice.name(seat), changes=changed))
        return told

    def without_sale(self, seller: str) -> Tally:
        """The same without what this seller was paid for dice."""
        return replace(self, bought=Sums({seat: paid for seat, paid in self.bought.items() if seat != seller}))

    def net(self, seat: str) -> Tally:
        """The same with what `seat` paid for dice and hire among its deniers."""
        paid = sum(self.bought.values()) + self.hire
        return replace(self, deniers=Sums({**self.deniers, seat: self.deniers[seat] - paid}))


def tally(facts: Iterable[Event[TroyesState]]) -> Tally:
    """Add up payments, influence and points."""
    sums = Tally()
    for fact in facts:
        match fact:
            case Pays(reason="hire"):
                sums.hire += fact.deniers
            case Pays(reason="dice"):
                sums.bought[fact.payee] += fact.deniers
            case Pays():
                for owner, by in ((fact.payer, -fact.deniers), (fact.payee, fact.deniers)):
                    if owner not in (BANK, GRAY):
                        sums.deniers[owner] += by
            case InfluenceChanges():
                _add(sums.influence, fact.seat, fact.by)
                _add(sums.wasted, fact.seat, fact.wasted)
            case PointsChange():
                sums.points[fact.seat] += fact.by
            case CoinsCollected():
                sums.deniers[fact.seat] += fact.deniers
    return sums


def _lost(n: int) -> Msg:
    return T("{n} influence lost beyond the most one may have", n=n)


def _add(sums: Sums, seat: str, by: int) -> None:
    if by:
        sums[seat] += by


F = TypeVar("F")


@dataclass
class EventGroup:
    """A heading event, the events that follow it, and the number of the last entry."""

    head: Any
    last: int
    facts: list[Event[TroyesState]] = field(default_factory=list)
    counters: list[EventGroup] = field(default_factory=list)
    """Event cards countered meanwhile, with the points they gave; they are told afterwards."""
    done: bool = False
    """Whether nobody had a choice where all were to answer this event card at once."""

    def of(self, kind: type[F]) -> list[F]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @cached_property
    def sums(self) -> Tally:
        """What the group adds up to."""
        return tally(self.facts)


def group_events(facts: Sequence[Event[TroyesState]], heads: Collection[type], first: int = 0) -> list[EventGroup]:
    """Group events by the `heads` that open groups, without those before; `first` numbers the first event."""
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


def _opens(fact: Event[TroyesState], here: EventGroup | None) -> bool:
    """Whether an event opens a group where it stands. Some kinds do so only in certain places."""
    if isinstance(fact, SeatPasses):
        return fact.again
    if isinstance(fact, CitizenMoves):
        # A neutral citizen comes with an event, or by himself before the first round.
        alone = here is None or not isinstance(here.head, EventResolves | CitizenMoves)
        return alone and fact.owner == GRAY and fact.source.on == places.SUPPLY
    return True
