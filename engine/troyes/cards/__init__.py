"""What each Activity card does when it is activated: small functions by card id, one module per colour and box.

The walk over an effect happens once, on a copy of the state: it refuses (NotAllowed) wherever something is in the way,
and then nothing has happened. Cards with a delayed effect only take cubes; what those do to a group of dice stands in
`engine.troyes.board.delayed`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes.cards import bonus, ladies_red, ladies_white, ladies_yellow, red, white, yellow
from engine.troyes.cards.act import Activation, take_cubes
from engine.troyes.entries import Play

EFFECTS: dict[str, Callable[[Play, Activation], None]] = {
    **yellow.EFFECTS,
    **white.EFFECTS,
    **red.EFFECTS,
    **bonus.EFFECTS,
    **ladies_yellow.EFFECTS,
    **ladies_white.EFFECTS,
    **ladies_red.EFFECTS,
}
"""What a card does, by id; for a mixed card what its cubes do when they are used."""

__all__ = ["EFFECTS", "Activation", "take_cubes"]
