"""Whose eyes an export is written for: the public's, one seat's, or everybody's at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PUBLIC = "public"
FULL = "full"
_SEAT = "seat:"

EVERYBODY = "*"
"""Key of what everybody may read where readers are told apart; no seat can be called so."""


class NoSight(Exception):  # noqa: N818 - a refusal, not a defect
    """Something asks for a view that there is not, or that is not open yet; the text says what would work."""


@dataclass(frozen=True, slots=True)
class Sight:
    """`seat` is empty for the public and for the full view; `full` holds the secrets of every seat."""

    seat: str = ""
    full: bool = False

    @classmethod
    def parse(cls, word: str, seats: Sequence[str]) -> Sight:
        """Read `public`, `full` or `seat:NAME`. Raises NoSight naming what there is."""
        if word == PUBLIC:
            return cls()
        if word == FULL:
            return cls(full=True)
        seat = word.removeprefix(_SEAT)
        if word.startswith(_SEAT) and seat in seats:
            return cls(seat)
        known = ", ".join([PUBLIC, *(f"{_SEAT}{seat}" for seat in seats), FULL])
        raise NoSight(f"there is no view {word!r}; there are: {known}")

    def __str__(self) -> str:
        if self.full:
            return FULL
        return f"{_SEAT}{self.seat}" if self.seat else PUBLIC

    def seats(self, seats: Sequence[str]) -> tuple[str, ...]:
        """The seats whose secrets may be seen."""
        if self.full:
            return tuple(seats)
        return (self.seat,) if self.seat else ()

    def readers(self, seats: Sequence[str]) -> tuple[str | None, ...]:
        """For whom the news are told: one reader, or the table and then each seat."""
        return (None, *seats) if self.full else (self.seat or None,)
