"""Troyes: the rules of the base game and its bonus cards for 2 to 4 players, and of the solo game."""

from __future__ import annotations

from engine.game import Game
from engine.troyes.game import Troyes
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState

GAME: Game[TroyesState, Order] = Troyes()

__all__ = ["GAME", "Troyes"]
