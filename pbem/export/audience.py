"""The audience of an export: the public, one seat, or everybody with all secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PUBLIC = "public"
FULL = "full"
_SEAT = "seat:"

EVERYBODY = "*"
"""The key of what everybody may read; no seat has this name."""


class NoAudience(Exception):  # noqa: N818 - a refusal, not a defect
    """There is no such view, or it is not open yet; the text says what would work."""


@dataclass(frozen=True, slots=True)
class Audience:
    """`seat` is empty for the public and the full view; `full` includes all secrets."""

    seat: str = ""
    full: bool = False

    @classmethod
    def parse(cls, word: str, seats: Sequence[str]) -> Audience:
        """Parse `public`, `full` or `seat:NAME`. Raises NoAudience naming the possible views."""
        if word == PUBLIC:
            return cls()
        if word == FULL:
            return cls(full=True)
        seat = word.removeprefix(_SEAT)
        if word.startswith(_SEAT) and seat in seats:
            return cls(seat)
        known = ", ".join([PUBLIC, *(f"{_SEAT}{seat}" for seat in seats), FULL])
        raise NoAudience(f"there is no view {word!r}; there are: {known}")

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
        """The readers of the news: one, or the table (None) and each seat."""
        return (None, *seats) if self.full else (self.seat or None,)
