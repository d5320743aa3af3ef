"""How far the demo is, on stderr: one changing line on a terminal, a line per stage of the game when piped."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.status import Status


class Progress:
    """Use it as a context."""

    def __init__(self) -> None:
        self._drawn = sys.stderr.isatty()
        self._status: Status | None = None
        self._heading = ""

    def __enter__(self) -> Self:
        if self._drawn:
            from rich.console import Console

            self._status = Console(stderr=True).status("starting")
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, odd: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    def pause(self) -> None:
        """Leave the terminal to somebody else."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        self._drawn = False

    def say(self, text: str) -> None:
        """One line that stays."""
        print(text, file=sys.stderr, flush=True)

    def at(self, heading: str, letters: int) -> None:
        """Where the game stands and how many letters were written."""
        if self._status is not None:
            self._status.update(f"{heading or 'invitations'}, {letters} letters")
        elif heading and heading != self._heading:
            self.say(f"{heading}, {letters} letters so far")
        self._heading = heading or self._heading
