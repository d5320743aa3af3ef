"""The stack of what a game still waits for, as plain data, and the loop that runs it.

A frame is a table with the name of its step and what the step has to remember; the last one is the present matter.
Frames are stored with the state, so a restart, an upgrade or a moderator can read them. A step looks at the top frame
and either does something (and changes the stack) or opens a decision and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.errors import PositionError

Frame = dict[str, Any]
P = TypeVar("P")
Step = Callable[[P, Frame], bool]
"""Runs the top frame. Returns True when a decision is open and the loop rests, False to look at the stack again."""

MAX_STEPS = 10_000
"""More steps than any run of any game needs; past it the rules go round in circles."""


def run_pending(play: P, agenda: list[Frame], steps: Mapping[str, Step[P]]) -> None:
    """Run the top frame again and again until a decision is open or nothing is pending.

    Raises PositionError for a frame that no step knows, and when the stack never comes to rest.
    """
    for _ in range(MAX_STEPS):
        if not agenda:
            return
        frame = agenda[-1]
        step = steps.get(frame.get("step", ""))
        if step is None:
            raise PositionError(f"no step is called {frame.get('step')!r}", "agenda")
        if step(play, frame):
            return
    raise PositionError(f"still running after {MAX_STEPS} steps", "agenda")
