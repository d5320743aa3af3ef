"""What can happen in Troyes: one class a kind of entry, with what it says and what it does to a state.

Kinds are never renamed once released. This is the only code that changes a state, but for what is pending.
Positions share all that lies on the table (`TroyesState.fork`): a fact puts what it changes there anew.
"""

from __future__ import annotations

from engine.troyes.entries.play import KINDS, Play, facts, fold, gone_with, without_plans

__all__ = ["KINDS", "Play", "facts", "fold", "gone_with", "without_plans"]
