"""A short ranked list of good, complete, legal orders for a seat, covering every kind of thing it can do.

Ranking is a rule of thumb (`estimate`), nothing more: it orders the list and lets a simple computer player take the
first. Every offer was walked on a copy of the state before it is shown.
"""

from __future__ import annotations

from engine.troyes.moves.options.offers import examples, offers

__all__ = ["examples", "offers"]
