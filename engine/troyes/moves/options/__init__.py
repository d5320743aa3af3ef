"""A short ranked list of good, complete, legal orders for a seat, covering every kind of thing it can do.

Options are ranked by the points they promise (`estimate`). Every offer was walked on a copy of the state before it is
shown.
"""

from __future__ import annotations

from engine.troyes.moves.options.offers import examples, for_later, groups, kind_of, likely, offers, ranked
from engine.troyes.moves.options.prospect import estimate

__all__ = ["estimate", "examples", "for_later", "groups", "kind_of", "likely", "offers", "ranked"]
