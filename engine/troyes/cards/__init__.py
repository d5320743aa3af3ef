"""What each card does and asks: one declared function a card (`engine.troyes.board.declared`), by colour and box.

The walk over an effect happens once, on a copy of the state: it refuses (NotAllowed) wherever something is in the way,
and then nothing has happened. Importing this room holds every declaration against the row of its card.
"""

from __future__ import annotations

from engine.troyes.board.declared import Activation, check
from engine.troyes.box import load_box
from engine.troyes.cards import bonus, delayed, ladies_red, ladies_white, ladies_yellow, red, white, yellow
from engine.troyes.cards.act import perform

__all__ = [
    "Activation",
    "bonus",
    "delayed",
    "ladies_red",
    "ladies_white",
    "ladies_yellow",
    "perform",
    "red",
    "white",
    "yellow",
]

check(load_box().activities)
