"""What a moderator may put right in a state (engine.kit.edits)."""

from __future__ import annotations

from engine.kit.edits import Edited, Repairs
from engine.troyes.state import serialization
from engine.values import fixed

KEPT = frozenset(
    ("schema", "number", "asked", "agenda", "draws", "rolled", "options", "box", "scores", "phase", "round")
)
SECRET = frozenset({"decks", "characters", "wishes", "reacts", "plans", "sealed"})
REPAIRS = Repairs(serialization.dump, serialization.load, KEPT, SECRET)


@fixed
class TroyesEdited(Edited):
    """A moderator's repair."""

    repairs = REPAIRS
