"""Computer players of several levels, the same for every game.

A player is a function of what its seat may see and of a stream of chance of its own, apart from the game's dice: the
same position and stream give the same order, and what the seat may not see changes nothing. Levels know a game through
`engine.game` alone: what is worth considering and what may lie face down says `Game.thinking`, what a position is worth
`Game.estimate`.
"""

from __future__ import annotations

from engine.levels.naming import NAMES, SEATED, in_words, level
from engine.levels.simple import Player
from engine.levels.strong import MOST, Strong

__all__ = ["MOST", "NAMES", "SEATED", "Player", "Strong", "in_words", "level"]
