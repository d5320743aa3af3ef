"""A simulated clock that moves while a program works, as a real one does: a second with every look at it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

SECOND = timedelta(seconds=1)
MOST = timedelta(minutes=50)
"""How far it goes at most before it is set again, so that it is never set back."""


class Ticking:
    """What time it is; `at` tells when it was set last, an hour or more after the time before."""

    def __init__(self, at: Callable[[], datetime]) -> None:
        self._at = at
        self._set = at()
        self._ticks = 0

    def __call__(self) -> datetime:
        if (at := self._at()) != self._set:
            self._set, self._ticks = at, 0
        self._ticks += 1
        return at + min(self._ticks * SECOND, MOST)
