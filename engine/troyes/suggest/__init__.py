"""Legal orders nearest to a line that was refused: what it wishes for, and what could be meant by it.

A line is taken for a bag of what it names (`notation.bag`), orders are made of that (`candidates`) and compared with
it part by part (`likeness`). Everything here reads the position as the seat sees it, and is bounded by counts.
"""

from __future__ import annotations

from engine.troyes.suggest.cover import sole
from engine.troyes.suggest.suggesting import nearest, repairs

__all__ = ["nearest", "repairs", "sole"]
