"""What each seat is asked, and its sealed answer so far."""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Answer, Fallback

NUMBERING = "numbering"
HALF_DAY = "half-day"
BONUS = "bonus"


def asked_kind(state: DiceState, seat: str) -> str:
    """Return what the seat is asked now, or "". While a choice of its answer is missing, it is `bonus`."""
    kind = state.asked.get(seat, "")
    found = state.sealed.get(seat)
    return BONUS if kind and found is not None and found.open else kind


def has_answered(state: DiceState, seat: str) -> bool:
    """True if the seat's sealed answer is complete. Secret until the half day closes."""
    found = state.sealed.get(seat)
    return found is not None and not found.open and not found.unknown


def is_unknown(state: DiceState, seat: str) -> bool:
    """True in a redacted position, where nobody may know whether the seat has answered."""
    found = state.sealed.get(seat)
    return found is not None and found.unknown


def sealed_answer(state: DiceState, seat: str) -> Answer | None:
    """Return the seat's sealed answer so far; a seat that can pay for no die has one without giving it."""
    found = state.sealed.get(seat)
    if found is not None and not found.unknown:
        return found.order
    return Fallback() if state.asked.get(seat, BONUS) == BONUS else None


def not_asked_reason(state: DiceState, seat: str) -> Msg:
    """Return why a seat cannot order anything now."""
    if state.phase == "over":
        return T("The game is over.")
    if state.phase == "numbering":
        return T("{name} numbers the columns first.", name=state.names[state.crier])
    return T(
        "You can pay for no die this half day, so you gain {n} of each resource without an order.", n=state.box.fallback
    )
