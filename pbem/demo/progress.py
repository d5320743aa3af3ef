"""How far the demo is, on stderr: one changing line on a terminal, a line per stage of the game when piped."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self


class Progress:
    """Use it as a context."""

    def __init__(self) -> None:
        self._drawn = sys.stderr.isatty()
        self._heading = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, odd: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    def pause(self) -> None:
        """Leave the terminal to somebody else."""
        self._clear()
        self._drawn = False

    def say(self, text: str) -> None:
        """Print one line that stays."""
        self._clear()
        print(text, file=sys.stderr, flush=True)

    def at(self, heading: str, letters: int) -> None:
        """Tell where the game stands and how many letters were written."""
        if self._drawn:
            print(f"\r\x1b[K{heading or 'invitations'}, {letters} letters", end="", file=sys.stderr, flush=True)
        elif heading and heading != self._heading:
            self.say(f"{heading}, {letters} letters so far")
        self._heading = heading or self._heading

    def _clear(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
