"""The order language of Troyes: reading a line against the position, and writing the canonical line and the title.

`read(write(order)) == order` and `read(title(order)) == order` for every legal order. Words of both languages are
accepted from anybody; no word means two things.
"""

from __future__ import annotations

from engine.troyes.actions.order_defaults import best_space
from engine.troyes.notation.standing_parser import parse_order
from engine.troyes.notation.title import order_title
from engine.troyes.notation.writing import order_message, write_order

__all__ = ["best_space", "order_message", "order_title", "parse_order", "write_order"]
