"""The verbs of Troyes: recording a fact and letting it happen is one thing."""

from __future__ import annotations

from engine.troyes.verbs.folds import FOLDS
from engine.troyes.verbs.play import Play
from engine.troyes.verbs.play import begun
from engine.troyes.verbs.play import fold

__all__ = ["FOLDS", "Play", "begun", "fold"]
