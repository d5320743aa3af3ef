"""Troyes: the rules of the base game and its bonus cards for 2 to 4 players, and of the solo game."""

from __future__ import annotations

from engine.troyes.game import Troyes

GAME = Troyes()

__all__ = ["GAME", "Troyes"]
