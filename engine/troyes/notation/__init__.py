"""The order language of Troyes: reading a line against the position, and writing the canonical line and the title.

`read(write(order)) == order` and `read(title(order)) == order` for every legal order. Words of both languages are
accepted from anybody; no word means two things.
"""

from __future__ import annotations

from engine.troyes.actions.unsaid import best_space
from engine.troyes.notation.standing import read
from engine.troyes.notation.title import title
from engine.troyes.notation.writing import worded, write

__all__ = ["best_space", "read", "title", "worded", "write"]
