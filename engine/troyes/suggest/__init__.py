"""Legal orders nearest to a line that was refused: what it wishes for, and what could be meant by it.

What a line says is one value (`line`, its dice in `dice`), what an order says another (`parts`); orders are made of the
first (`candidates`) and compared with it: by the exact cover (`cover`), or by likeness. Everything here reads the
position as the seat sees it, and is bounded by counts.
"""

from __future__ import annotations

from engine.troyes.suggest.cover import sole
from engine.troyes.suggest.suggesting import repairs

__all__ = ["repairs", "sole"]
