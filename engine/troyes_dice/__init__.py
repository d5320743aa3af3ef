"""Troyes Dice: the rules of the base game and of Banquets and Raids, for 1 to 10 players."""

from __future__ import annotations

from engine.game import Game
from engine.troyes_dice.game import TroyesDice
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Order

GAME: Game[DiceState, Order] = TroyesDice()

__all__ = ["GAME", "TroyesDice"]
