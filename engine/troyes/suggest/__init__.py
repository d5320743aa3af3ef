"""Legal orders nearest to a refused line: what a line says (`line`) is compared with what an order says (`parts`).

Everything here reads the position as the seat sees it, and is bounded by counts.
"""

from engine.troyes.suggest.cover import covered_order
from engine.troyes.suggest.ranking import suggested_orders

__all__ = ["covered_order", "suggested_orders"]
