"""A program in a terminal of its own (tmux): keys go in, and what stands on the screen is waited for."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.patience import PATIENCE

COLUMNS, ROWS = 100, 44
END = "its end"
"""What is awaited where a program ends."""


class Terminal:
    """One screen. Waiting ends when the text stands there, and fails with the screen when the program is gone."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "tmux"

    def start(self, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        """Run a program in `folder`, which is its home."""
        named = [part for name, value in environment.items() for part in ("-e", f"{name}={value}")]
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        self._tmux("-f", "/dev/null", "new-session", "-d", *size, *named, "-c", str(folder), command)

    def press(self, *keys: str) -> None:
        """Keys by their names: `r`, `Enter`, `C-x`, `M-/`."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Text as it stands."""
        self._tmux("send-keys", "-l", text)

    @property
    def screen(self) -> str:
        """What can be seen now; empty when the program has ended."""
        return self._tmux("capture-pane", "-p", check=False)

    def see(self, text: str) -> None:
        """Wait until a text can be seen."""
        self._until(text, lambda screen: text in screen)

    def lose(self, text: str) -> None:
        """Wait until a text can be seen no longer."""
        self._until(f"no {text}", lambda screen: bool(screen.strip()) and text not in screen)

    def ended(self) -> None:
        """Wait until the program has ended."""
        self._until(END, lambda screen: not screen and not self._runs())

    def stop(self) -> None:
        """End whatever runs there."""
        self._tmux("kill-server", check=False)

    def _until(self, what: str, good: Callable[[str], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not good(screen := self.screen):
            # Each look is a process: whether the program has gone is asked where there is nothing to see, not even blanks.
            gone = what != END and not screen and not self._runs()
            assert time.monotonic() < end and not gone, f"{what} is awaited in:\n{screen}"
            time.sleep(0.02)

    def _runs(self) -> bool:
        return bool(self._tmux("list-sessions", check=False))

    def _tmux(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout


@contextlib.contextmanager
def terminal(folder: Path) -> Iterator[Terminal]:
    """A terminal whose socket lies in `folder`."""
    made = Terminal(folder)
    try:
        yield made
    finally:
        made.stop()


def missing(*programs: str) -> str:
    """The first of some programs that is not installed here; empty when all are."""
    return next((name for name in ("tmux", *programs) if shutil.which(name) is None), "")
