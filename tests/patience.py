"""How long a test waits before it calls a wait a hang.

No test may depend on how fast the machine is: what is awaited is an event, and this limit only ends a test that would
never end. What must not take long is told by what it does (calls, answers, one time-out), not by a clock.
"""

from __future__ import annotations

PATIENCE = 300.0
"""Seconds, longer than anything takes on a machine that is busy with other things."""

AGES = 36_000.0
"""Seconds that a wait is given where something must end it before: a test that lasts so long is seen to hang."""
