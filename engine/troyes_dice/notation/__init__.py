"""The order language of Troyes Dice: reading a line against the position, and writing the canonical line and the title.

`read(write(order)) == order` and `read(title(order)) == order` for every legal order. Anybody may use words of both
languages; no word means two things.
"""

from __future__ import annotations

from dataclasses import replace

from engine.game import Reading
from engine.troyes_dice.notation import grammar, standing
from engine.troyes_dice.notation.writing import title, worded, write
from engine.troyes_dice.state.orders import Order
from engine.troyes_dice.state.state import DiceState

__all__ = ["read", "title", "worded", "write"]


def read(state: DiceState, seat: str, line: str) -> Reading[Order]:
    """Parse one line. Raises NotUnderstood, Unclear, NotAllowed or TooLate (the seat is not asked)."""
    if (kept := standing.read(line)) is not None:
        return replace(kept, text=write(state, seat, kept.order))
    return grammar.understood(state, seat, line)
