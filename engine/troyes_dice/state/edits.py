"""What a moderator may repair at a table (engine.kit.edits), and the answers that a repair makes void."""

from __future__ import annotations

from engine.event_log import LogEntry
from engine.kit.edits import StateEdits
from engine.troyes_dice.state import serialization
from engine.troyes_dice.state.dice_state import DiceState

KEPT = frozenset(
    ("schema", "number", "asked", "options", "box", "scores", "phase", "day", "half", "crier", "first_number")
)
SECRET = frozenset(("sealed", "plans"))
RESTS_ON = frozenset(("dice", "plazas", "numbering", "options", "box"))
"""Tables that every answer rests on."""
REPAIRS = StateEdits(serialization.dump, serialization.load, KEPT, SECRET)


def forget_answers(state: DiceState, path: str) -> None:
    """Forget the answers that rest on what a repair at `path` changed, so that none becomes impossible.

    This depends on the path alone, so that nobody learns who had answered.
    """
    head, _, rest = path.removeprefix("seats.").partition(".")
    if head in state.names and rest != "name":
        state.sealed = {seat: answer for seat, answer in state.sealed.items() if seat != head}
    elif head in RESTS_ON:
        state.sealed = {}


def without_plans(state: DiceState) -> tuple[LogEntry, ...]:
    """Return the entry that forgets every sealed answer and standing order; the same whoever has any."""
    return (LogEntry("forgets"),) if state.phase == "half day" else ()
