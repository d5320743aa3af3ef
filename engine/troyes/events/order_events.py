"""Orders and answers: what a seat has ordered, and what others may not see, or not yet."""

from __future__ import annotations

from dataclasses import field

from engine.event_log import LogEntry
from engine.kit.codec import Codec
from engine.kit.events import ONLY, Event
from engine.troyes.state.kept_plans import StandingPlan
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState
from engine.values import fixed


@fixed
class Ordered(Event[TroyesState]):
    """An order, as far as the table sees it. What follows is its doing.

    `given` says why nobody had to give it (`only` one was possible, le Roy's `dice`). `why` is the same where only its
    seat may know: `wish`, `standing`, or the standing order that fired (`pass`, `dieless`, `counter`, `later 2`).
    """

    kind = "order"
    seat: str
    order: Order
    given: str = ""
    why: dict[str, str] = field(default_factory=dict, metadata=ONLY)


_ORDER = Codec(Ordered, "order", sparse=True)


def order_of_entry(entry: LogEntry) -> Order:
    """The order in an entry of this kind. Raises PositionError."""
    order: Order = _ORDER.values({"order": entry.data["order"]})["order"]
    return order


@fixed
class WishesKept(Event[TroyesState]):
    """The places that seats prefer for the rest of the initial placement."""

    kind = "wishes"
    places: dict[str, tuple[str, ...]] = field(default_factory=dict, metadata=ONLY)

    def apply(self, state: TroyesState) -> None:
        state.wishes = wishes = state.wishes.copy()
        for seat, places in self.places.items():
            if places:
                wishes[seat] = list(places)
            else:
                wishes.pop(seat, None)


@fixed
class AnswerSealed(Event[TroyesState]):
    """A sealed answer, or that it is `withdrawn`. All are shown together when the last one is in."""

    kind = "sealed"
    answer: dict[str, str] = field(default_factory=dict, metadata=ONLY)
    withdrawn: dict[str, bool] = field(default_factory=dict, metadata=ONLY)

    def apply(self, state: TroyesState) -> None:
        answers = state.sealed | self.answer
        state.sealed = {seat: answer for seat, answer in answers.items() if seat not in self.withdrawn}


@fixed
class AnswersShown(Event[TroyesState]):
    """The last answer to `event` is in, and the answers follow."""

    kind = "unsealed"
    shows = True
    event: str

    def apply(self, state: TroyesState) -> None:
        state.sealed = {}


@fixed
class StandingOrder(Event[TroyesState]):
    """Standing answers for some tiles: `always` or `never`; `ask` or nothing takes them back."""

    kind = "standing"
    react: dict[str, str] = field(default_factory=dict, metadata=ONLY)
    tiles: dict[str, tuple[str, ...]] = field(default_factory=dict, metadata=ONLY)

    def apply(self, state: TroyesState) -> None:
        state.reacts = reacts = state.reacts.copy()
        for seat, react in self.react.items():
            kept = {tile: word for tile, word in reacts.pop(seat, {}).items() if tile not in self.tiles[seat]}
            if react not in ("", "ask"):
                kept |= dict.fromkeys(self.tiles[seat], react)
            if kept:
                reacts[seat] = kept


@fixed
class PlansKept(Event[TroyesState]):
    """A seat's standing orders after it has given one (`said` is its kind) or taken some back (`cancel`), after they
    were cancelled for all by a rollback (`back`), or because orders were taken back (`undo`)."""

    kind = "plans"
    plans: dict[str, tuple[StandingPlan, ...]] = field(default_factory=dict, metadata=ONLY)
    said: dict[str, str] = field(default_factory=dict, metadata=ONLY)

    def apply(self, state: TroyesState) -> None:
        state.plans = kept = state.plans.copy()
        for seat, plans in self.plans.items():
            kept.pop(seat, None)
            if plans:
                kept[seat] = plans
