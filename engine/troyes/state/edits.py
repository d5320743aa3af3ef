"""What a moderator may put right in a state (engine.kit.edits), and the private plans that a way back cancels."""

from __future__ import annotations

from engine.chronicle import Entry
from engine.kit.edits import Repairs
from engine.troyes.state import serialization
from engine.troyes.state.state import TroyesState

KEPT = frozenset(
    ("schema", "number", "asked", "agenda", "draws", "rolled", "options", "box", "scores", "phase", "round")
)
SECRET = frozenset({"decks", "characters", "wishes", "reacts", "sealed"})
REPAIRS = Repairs(serialization.dump, serialization.load, KEPT, SECRET)


def without_plans(state: TroyesState) -> tuple[Entry, ...]:
    """The entries that cancel every private plan. The same whoever has made one, so that nobody can tell."""
    found: list[Entry] = []
    if not state.round:
        found.append(Entry("wishes", {}, {seat: {"places": []} for seat in state.seats}))
    if state.answering:
        found.append(Entry("standing", {}, {seat: {"react": "", "tiles": state.answering} for seat in state.seats}))
    return tuple(found)
