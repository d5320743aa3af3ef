"""What each Activity card does when it is activated: small functions by card id, one module per colour and box.

The walk over an effect happens once, on a copy of the town: it refuses (NotAllowed) wherever something is in the way,
and then nothing has happened. Cards with a delayed effect only take cubes; what those do to a group of dice stands in
`engine.troyes.group`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes.effects import bonus
from engine.troyes.effects import red
from engine.troyes.effects import white
from engine.troyes.effects import yellow
from engine.troyes.effects.act import Act
from engine.troyes.verbs import Play

EFFECTS: dict[str, Callable[[Play, Act], None]] = {**yellow.EFFECTS, **white.EFFECTS, **red.EFFECTS, **bonus.EFFECTS}

PRICED = frozenset({"artisan", "innkeeper", "journeyman", "diplomat", "troubadour"})
"""Cards whose every activation offers something for a price, which may be left (`: nothing`)."""

CHOOSES = {"miller": "building", "chivalry": "event", "diplomat": "event", "archer": "event"}
"""Cards that ask for a choice for each activation, and of what."""

__all__ = ["CHOOSES", "EFFECTS", "PRICED", "Act"]
