"""What a game waits for, as plain data, and the loop that runs it.

An agenda is a list of frames, the present matter last. A frame is a table with the name of its step and what the step
needs to remember; it is stored with the state, so a restart, an upgrade or a moderator can read it. A step looks at
the top frame and either does something (changing the agenda) or opens a decision and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.errors import PositionError

Frame = dict[str, Any]
P = TypeVar("P")
Step = Callable[[P, Frame], bool]
"""Runs the top frame. True: a decision is open and the loop rests; False: look at the agenda again."""

LONGEST = 10_000
"""More steps than any run of any game needs; past it the rules go round in circles."""


def run(play: P, agenda: list[Frame], steps: Mapping[str, Step[P]]) -> None:
    """Run the agenda until a decision is open or nothing is pending.

    Raises PositionError for a frame no step knows, and when the agenda never comes to rest.
    """
    for _ in range(LONGEST):
        if not agenda:
            return
        frame = agenda[-1]
        step = steps.get(frame.get("step", ""))
        if step is None:
            raise PositionError(f"no step is called {frame.get('step')!r}", "agenda")
        if step(play, frame):
            return
    raise PositionError(f"still running after {LONGEST} steps", "agenda")
