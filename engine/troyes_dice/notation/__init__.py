"""The order language of Troyes Dice: reading a line against the position, and writing the canonical line and the title.

`read(write(order)) == order` and `read(title(order)) == order` for every legal order. Anybody may use words of both
languages; no word means two things.
"""

from __future__ import annotations

from dataclasses import replace

from engine.game import Reading
from engine.troyes_dice.notation import grammar, standing_parser
from engine.troyes_dice.notation.writing import order_message, order_title, write_order
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Order

__all__ = ["order_message", "order_title", "parse_order", "write_order"]


def parse_order(state: DiceState, seat: str, line: str) -> Reading[Order]:
    """Parse one line. Raises NotUnderstood, Unclear, NotAllowed or TooLate (the seat is not asked)."""
    if (kept := standing_parser.parse_standing(line)) is not None:
        return replace(kept, text=write_order(state, seat, kept.order))
    return grammar.parse_line(state, seat, line)
