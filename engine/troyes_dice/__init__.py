"""Troyes Dice: the rules of the base game and of Banquets and Raids, for 1 to 10 players."""

from __future__ import annotations

from engine.troyes_dice.game import TroyesDice

GAME = TroyesDice()

__all__ = ["GAME", "TroyesDice"]
