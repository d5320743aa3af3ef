"""The order language of Troyes Dice: reading a line against the position, and writing the canonical line.

`read(write(order)) == order` for every legal order. Words of both languages are accepted from anybody; no word means
two things.
"""

from __future__ import annotations

from engine.troyes_dice.notation.reading import read
from engine.troyes_dice.notation.writing import worded, write

__all__ = ["read", "worded", "write"]
