"""What each Activity card does when it is activated: small functions by card id, one module per colour and box.

The walk over an effect happens once, on a copy of the town: it refuses (NotAllowed) wherever something is in the way,
and then nothing has happened. Cards with a delayed effect only take cubes; what those do to a group of dice stands in
`engine.troyes.delayed`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes.effects import bonus
from engine.troyes.effects import ladies_red
from engine.troyes.effects import ladies_white
from engine.troyes.effects import ladies_yellow
from engine.troyes.effects import red
from engine.troyes.effects import white
from engine.troyes.effects import yellow
from engine.troyes.effects.act import Act
from engine.troyes.effects.act import take_cubes
from engine.troyes.verbs import Play

EFFECTS: dict[str, Callable[[Play, Act], None]] = {
    **yellow.EFFECTS,
    **white.EFFECTS,
    **red.EFFECTS,
    **bonus.EFFECTS,
    **ladies_yellow.EFFECTS,
    **ladies_white.EFFECTS,
    **ladies_red.EFFECTS,
}
"""What a card does, by id; for a mixed card what its cubes do when they are used."""

__all__ = ["EFFECTS", "Act", "take_cubes"]
