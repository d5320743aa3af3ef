"""Computer players of several levels, the same for every game.

A player is a function of what its seat may see and of a chance of its own: the same position and stream give the same
order, and hidden things change nothing. Levels know a game through `engine.game` alone: `Game.thinking` gives the
orders worth considering and deals hidden cards anew, `Game.estimate` says what a position is worth.
"""

from __future__ import annotations

from engine.levels.baselines import Player
from engine.levels.level_names import LEVELS, SEATED_LEVELS, find_level, level_text
from engine.levels.tree_search import MOST, Strong

__all__ = ["LEVELS", "MOST", "SEATED_LEVELS", "Player", "Strong", "find_level", "level_text"]
