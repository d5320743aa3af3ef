"""What can happen in Troyes: one class a kind of entry, with what it says and what it does to a state.

Kinds are never renamed once released. This is the only code that changes a state, but for what is pending.
Positions share all that lies on the table (`TroyesState.fork`): a fact puts what it changes there anew.
"""

from __future__ import annotations

from engine.troyes.events.play import KINDS, Play, changed_plans, fold_entries, read_entries, without_plans

__all__ = ["KINDS", "Play", "changed_plans", "fold_entries", "read_entries", "without_plans"]
