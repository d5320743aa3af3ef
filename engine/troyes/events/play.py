"""A run of the rules on one state (`engine.kit.transaction`), and entries read back as events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.event_log import LogEntry
from engine.kit import rolls
from engine.kit.events import Event, EventTypes
from engine.kit.rolls import Rolled
from engine.kit.transaction import Transaction
from engine.troyes.events import card_events, citizen_events, dice_events, money_events, order_events, round_events
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.missing_draws import check_draws_complete
from engine.troyes.events.order_events import PlansKept, StandingOrder, WishesKept
from engine.troyes.state.kept_plans import CANCELLED, StandingPlan
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState

KINDS: EventTypes[TroyesState] = EventTypes(
    money_events, dice_events, citizen_events, card_events, order_events, round_events
)
"""All kinds of events."""


class Play(Transaction[TroyesState]):
    """A run of the rules on one state."""

    __slots__ = ()
    kinds = KINDS

    @staticmethod
    def counts(state: TroyesState, rolled: Rolled) -> None:
        drawn = rolled.purpose
        state.draws = {**state.draws, f"{drawn.kind}/{drawn.seat or '-'}": drawn.n}

    def move(self, owner: str, source: Place, to: Place) -> None:
        """Record that a citizen goes from one place to another."""
        self.record(CitizenMoves(owner, source, to))

    def ask(self, seat: str, kind: str) -> None:
        """Open a decision for a seat; its number is new, so that older answers are late."""
        self.ask_all([seat], kind)

    def ask_all(self, seats: Sequence[str], kind: str) -> None:
        """Open a decision that several seats answer at once, each under a number of its own."""
        first = self.state.number + 1
        self.state.number += len(seats)
        self.state.asked = [OpenQuestion(seat, kind, number) for number, seat in enumerate(seats, first)]

    def rolls(self, kind: str, seat: str = "", dice: int = 1, sides: int = 6) -> Rolled:
        """Dice for the next draw of this kind."""
        return self.roll(rolls.next_draw(self.state, kind, seat), dice, sides)

    def shuffles(self, kind: str, seat: str, count: int) -> Rolled:
        """The numbers 0 to `count` - 1 in a random order, for the next draw of this kind."""
        return self.shuffle(rolls.next_draw(self.state, kind, seat), count)

    @classmethod
    def follows(cls, state: TroyesState, past: Sequence[LogEntry], fact: Event[TroyesState]) -> None:
        check_draws_complete(state, past, fact)


def fold_entries(state: TroyesState | None, entries: Sequence[LogEntry]) -> TroyesState:
    """The state after `entries`, without changing `state`. Raises PositionError where one does not fit."""
    return Play.fold(state and state.fork(), entries)


def read_entries(entries: Iterable[LogEntry]) -> list[Event[TroyesState]]:
    """Read entries as events. Raises PositionError where one does not fit."""
    return list(KINDS.read(entries))


def without_plans(state: TroyesState) -> tuple[LogEntry, ...]:
    """The entries that cancel every standing order, the same whoever has given one."""
    found: list[Event[TroyesState]] = [PlansKept(dict.fromkeys(state.seats, ()), dict.fromkeys(state.seats, "back"))]
    if not state.round:
        found.append(WishesKept(dict.fromkeys(state.seats, ())))
    if state.answering:
        tiles = tuple(state.answering)
        found.append(StandingOrder(dict.fromkeys(state.seats, ""), dict.fromkeys(state.seats, tiles)))
    return tuple(map(KINDS.entry, found))


def changed_plans(before: TroyesState, after: TroyesState) -> tuple[LogEntry, ...]:
    """The entries for standing orders that taking back changes. Public facts alone decide which entries there are."""
    plans: dict[str, tuple[StandingPlan, ...]] = {}
    said: dict[str, str] = {}
    for seat in before.seats:
        had, stood = before.plans.get(seat, ()), after.plans.get(seat, ())
        # Orders cancelled since then hold again; those that their owner has taken back or replaced do not.
        known = [replace(plan, off="") for plan in had]
        holds = tuple(plan for plan in stood if replace(plan, off="") in known)
        if _firing(had) != _firing(holds) or before.wishes.get(seat) != after.wishes.get(seat):
            said[seat] = "undo"
        if seat in said or holds != stood:
            plans[seat] = holds
    found: list[Event[TroyesState]] = [PlansKept(plans, said)]
    # Lists for placements and standing answers given since are gone and must be given anew.
    if not after.round:
        found.append(WishesKept(dict.fromkeys(_other(before.wishes, after.wishes), ())))
    if after.answering:
        other, tiles = _other(before.reacts, after.reacts), tuple(after.answering)
        found.append(StandingOrder(dict.fromkeys(other, ""), dict.fromkeys(other, tiles)))
    return tuple(map(KINDS.entry, found))


def _other(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return sorted(seat for seat in {*before, *after} if before.get(seat) != after.get(seat))


def _firing(plans: Iterable[StandingPlan]) -> list[StandingPlan]:
    return [replace(plan, off="") for plan in plans if plan.off != CANCELLED]
