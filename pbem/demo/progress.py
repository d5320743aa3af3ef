"""How far the demo is, on stderr: a line per stage of the game."""

from __future__ import annotations

import sys


class Progress:
    """Tells each stage once."""

    def __init__(self) -> None:
        self._heading = ""
        self._paused = False

    def pause(self) -> None:
        """Leave a terminal to the person who plays."""
        self._paused = sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Print one line."""
        print(text, file=sys.stderr, flush=True)

    def at(self, heading: str, letters: int) -> None:
        """Tell where the game stands and how many letters were written."""
        if heading and heading != self._heading and not self._paused:
            self.say(f"{heading}, {letters} letters so far")
        self._heading = heading or self._heading
