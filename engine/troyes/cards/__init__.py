"""What each card does and asks: one declared function a card (`board.card_declaration`), by colour and box.

An effect is carried out on a copy of the state, and may refuse (NotAllowed) at any point. Importing this package
compares every declaration with the row of its card.
"""

from __future__ import annotations

from engine.troyes.board.card_declaration import Activation, check_declarations
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.cards import bonus, delayed, ladies_red, ladies_white, ladies_yellow, red, white, yellow  # noqa: F401
from engine.troyes.cards.card_effect import perform_activation

__all__ = ["Activation", "perform_activation"]

check_declarations(load_box().activities)
