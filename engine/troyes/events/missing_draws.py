"""Draws that the rules make and no entry records: `verify` has only the entries, and finds them missing."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.kit.events import Event
from engine.troyes.events import dice_events
from engine.troyes.events.citizen_events import BuildingReseated
from engine.troyes.events.order_events import Ordered, order_of_entry
from engine.troyes.events.round_events import MattersPending, PhaseBegins
from engine.troyes.state.orders import Reroll
from engine.troyes.state.troyes_state import Frame, TroyesState


def check_draws_complete(state: TroyesState, past: Sequence[LogEntry], fact: Event[TroyesState]) -> None:
    """Raises PositionError where a draw must come before this event, or be recorded by it, and is missing."""
    due = _due(state, past)
    if due is not None and not isinstance(fact, due):
        raise PositionError(f"«{due.kind}» must follow on «{past[-1].kind}», and with it a draw")
    if isinstance(fact, PhaseBegins):
        working = [one for one in (*state.seats, state.neutral) if state.workforce(one)]
        lacking = [one for one in working if f"workforce/{one}" not in state.draws]
        if state.phase == "workforce" and lacking:
            raise PositionError(f"no dice were rolled for the citizens of {lacking[0]}")
        if state.phase == "events" and (fact.phase == "black dice") is not (dice_events.black_dice_sent(past) > 0):
            raise PositionError(f"the events send {dice_events.black_dice_sent(past)} black dice")
    if isinstance(fact, MattersPending) and not _shooting(fact.pending) and _not_shot(state, past):
        raise PositionError("fewer arrows were shot than were ordered")


def _due(state: TroyesState, past: Sequence[LogEntry]) -> type[Event[TroyesState]] | None:
    """The kind of event that must come next because it records a draw, or None."""
    last = past[-1]
    if dice_events.throwing_event(state, past):
        return dice_events.FateRolled
    if last.kind == dice_events.FateRolled.kind and last.data["event"] == dice_events.UPRISING:
        return BuildingReseated
    if last.kind == PhaseBegins.kind and last.data["phase"] == "black dice":
        return dice_events.BlackRolled
    if dice_events.is_le_roys(last) and state.phase != "black dice":
        return dice_events.LeRoyActs
    if last.kind == "influence" and _rolls_again(past, last.data["seat"]):
        return dice_events.DiceRerolled
    return dice_events.DiceRolled if len(past) > 2 and dice_events.tile_die_user(state, past)[1] else None


def _rolls_again(past: Sequence[LogEntry], seat: str) -> bool:
    """Whether the last order of a seat is to roll a die again."""
    order = next((one for one in reversed(past) if one.kind == Ordered.kind), None)
    return order is not None and order.data["seat"] == seat and isinstance(order_of_entry(order), Reroll)


def _shooting(pending: Sequence[Frame]) -> bool:
    return any(frame["step"] == "archery" for frame in pending)


def _not_shot(state: TroyesState, past: Sequence[LogEntry]) -> bool:
    """Whether arrows are left of an order that is no longer pending, since the rules last waited for somebody."""
    for at in range(len(past) - 1, -1, -1):
        if past[at].kind == MattersPending.kind:
            if not _shooting(past[at].data["pending"]):
                return False
        elif past[at].kind in (dice_events.ArrowShot.kind, Ordered.kind):
            return dice_events.arrows_left(state, past)[2] > 0
    return False
