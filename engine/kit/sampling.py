"""Picking by numbers that were drawn elsewhere, for random games and simple computers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

C = TypeVar("C")


class NumberStream:
    """A stream of numbers to pick by; when it runs out it begins again, shifted, so it never ends."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers or (0,)
        self._at = 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        at = self._at
        self._at = at + 1
        if at < len(self._numbers):
            return self._numbers[at] % limit
        lap, at = divmod(at, len(self._numbers))
        return (self._numbers[at] + lap * 7919) % limit

    def pick(self, choices: Sequence[C]) -> C:
        """Return one of the choices."""
        return choices[self.below(len(choices))]
