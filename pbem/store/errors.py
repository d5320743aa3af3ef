"""The errors of the store. Each says what was met, and what has or has not happened."""

from __future__ import annotations

from collections.abc import Sequence


class StoreError(Exception):
    """The store cannot do what was asked; nothing was written unless the text says so."""


class NoSuchGame(StoreError):  # noqa: N818 - reads as the sentence it is
    """There is no game of that name."""


class GameExists(StoreError):  # noqa: N818
    """There is a game of that name already."""


class LockHeld(StoreError):  # noqa: N818
    """Another process holds the game or the store; `holder` says which one, if that is known."""

    def __init__(self, what: str, holder: str, waited: float) -> None:
        super().__init__(f"{what} is locked by {holder}; waited {waited:g} s, nothing was changed")
        self.holder = holder


class HandEdited(StoreError):  # noqa: N818
    """Somebody changed work files of a game, or its branch, by hand. The game is parked: nothing is overwritten."""

    def __init__(self, game: str, files: Sequence[str], detail: str = "") -> None:
        says = detail or f"{', '.join(files)} {'differs' if len(files) == 1 else 'differ'} from the last commit"
        super().__init__(f"{game}: {says}; the game is parked and nothing was overwritten")
        self.game = game
        self.files = tuple(files)


class Damaged(StoreError):  # noqa: N818
    """The repository of a game lacks what was written: a truncated file, a missing object, no branch."""
