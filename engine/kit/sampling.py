"""Picking by numbers that somebody else has drawn, for random games and simple computers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

C = TypeVar("C")


class Lot:
    """A stream of numbers used to pick; when it runs out it begins again, shifted, so it never ends."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers or (0,)
        self._at = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        at, numbers = self._at, self._numbers
        self._at = at + 1
        if at >= len(numbers):
            lap, at = divmod(at, len(numbers))
            return (numbers[at] + lap * 7919) % limit
        return numbers[at] % limit

    def pick(self, choices: Sequence[C]) -> C:
        """One of the choices."""
        return choices[self.below(len(choices))]
