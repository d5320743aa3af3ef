"""What each seat is asked, and its sealed answer so far."""

from __future__ import annotations

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes_dice import orders
from engine.troyes_dice.orders import Act
from engine.troyes_dice.orders import Fallback
from engine.troyes_dice.state import Table

NUMBERING = "numbering"
HALF_DAY = "half-day"
BONUS = "bonus"


def asked_kind(table: Table, seat: str) -> str:
    """What the seat is asked now; empty when nothing is. While a choice of its answer is missing, it is `bonus`."""
    kind = next((row["kind"] for row in table.asked if row["seat"] == seat), "")
    return BONUS if kind and table.sealed.get(seat, {}).get("open") else kind


def has_answered(table: Table, seat: str) -> bool:
    """Whether the seat's sealed answer lacks nothing. Secret until the half day closes."""
    found = table.sealed.get(seat)
    return found is not None and not found["open"] and not is_unknown(table, seat)


def is_unknown(table: Table, seat: str) -> bool:
    """Whether nobody may know here if the seat has answered: in a redacted position."""
    return bool(table.sealed.get(seat, {}).get("unknown"))


def answer(table: Table, seat: str) -> Act | Fallback | None:
    """The seat's sealed answer so far; one is given for a seat that can pay for no die."""
    found = table.sealed.get(seat)
    if found is not None and not is_unknown(table, seat):
        return orders.unsealed(found)
    kind = next((row["kind"] for row in table.asked if row["seat"] == seat), BONUS)
    return Fallback() if kind == BONUS else None


def not_asked(table: Table, seat: str) -> Msg:
    """Why a seat cannot order anything now."""
    if table.phase == "over":
        return T("The game is over.")
    if table.phase == "numbering":
        return T("{name} numbers the columns first.", name=table.names[table.crier])
    return T(
        "You can pay for no die this half day, so you gain {n} of each resource without an order.", n=table.box.fallback
    )
