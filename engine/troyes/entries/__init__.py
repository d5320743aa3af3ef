"""The verbs of Troyes: recording a fact and letting it happen is one thing."""

from __future__ import annotations

from engine.troyes.entries.applied import APPLIED
from engine.troyes.entries.play import Play, begun, fold

__all__ = ["APPLIED", "Play", "begun", "fold"]
