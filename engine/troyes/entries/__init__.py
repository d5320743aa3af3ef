"""What can happen in Troyes: one class a kind of entry, with what it says and what it does to a state.

Kinds are never renamed once released. This is the only code that changes a state, but for what is pending.
Positions share lists and tables (`TroyesState.fork`): a fact that changes one that is shared puts another in its place.
"""

from __future__ import annotations

from engine.troyes.entries.play import KINDS, Play, facts, fold, gone_with, without_plans

__all__ = ["KINDS", "Play", "facts", "fold", "gone_with", "without_plans"]
