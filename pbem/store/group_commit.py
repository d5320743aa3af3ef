"""Publishes commits on the disk: those of several games together, each whole or not at all.

The steps, with what a kill or a power cut leaves after each (`GameRepo.settle` looks into it):

1. each commit is staged in a folder beside its place, and the game's journal says so: the old commit stands, and the
   folder is thrown away;
2. one sync: the same; from here on all of the commit is whole, and so is what was written before it elsewhere;
3. objects, branch and work files are moved to their places, in an order that a power cut does not keep: where the
   branch moved the commit is completed, where it did not the work files go back;
4. one sync: the commits stand, whatever comes;
5. the journals say so, the games are unlocked, and whatever was to follow the commits is done.

Outside a batch each commit is published at once. In a batch it waits for those after it, and its game stays locked.
The batch is published early when somebody wants to look at one of its games, commits what cannot wait, or when it lasts
long.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol

from pbem.store.durable_files import Disks
from pbem.store.errors import StoreError

log = logging.getLogger(__name__)

MAX_BATCH_SECONDS = 3.0
"""Seconds after which a batch is published with its next commit: other programs wait ten for a game that it holds."""


class BatchedGame(Protocol):
    """The part of a game (`pbem.store.game_repo.GameRepo`) that a group commit needs."""

    name: str
    folder: Path

    def hold(self) -> AbstractContextManager[object]: ...
    def stage(self, old: str, new: str) -> None: ...
    def publish(self, old: str, new: str) -> None: ...
    def finish(self, old: str, new: str) -> None: ...
    def forget(self) -> None: ...


class GroupCommit:
    """The group commit of one store, for commits of one thread at a time."""

    def __init__(self) -> None:
        self._folders: list[Path] = []
        self._batch = False
        self._games: dict[str, tuple[BatchedGame, str, str]] = {}
        self._marks: set[str] = set()
        self._after: list[tuple[str, Callable[[], object]]] = []
        self._held = ExitStack()
        self._disks: Disks | None = None
        self._troubles: dict[str, StoreError] = {}
        self._since = 0.0
        self.max_seconds = MAX_BATCH_SECONDS
        self.news: set[str] = set()
        """The games that this process has made or moved on; whoever has looked at them takes them out."""

    def cover(self, folder: Path) -> None:
        """Bring whatever is written in another folder from now on to the disk before the next commit is published."""
        disks = self._open()
        if folder not in self._folders:
            self._folders.append(folder)
            disks.add(folder)

    def _open(self) -> Disks:
        if self._disks is None:
            self._disks = Disks(self._folders)
        return self._disks

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Commits in this block may wait for each other; they are published when it ends.

        Raises StoreError when one that waited could not be published, or not whole; OSError.
        """
        self._batch, self._troubles = True, {}
        try:
            yield
        finally:
            self._batch = False
            self.flush()
        if self._troubles:
            raise StoreError("; ".join(map(str, self._troubles.values())))

    def add(self, game: BatchedGame, old: str, new: str, waits: str = "") -> None:
        """Stage the commit `new` of a locked game, and publish it.

        In a batch it may wait if `waits` is a mark (see `is_waiting`). Raises StoreError when it could not be
        published, or not whole; OSError.
        """
        try:
            # A game may lie on a disk of its own.
            self._open().add(game.folder)
            game.stage(old, new)
        except BaseException:
            game.forget()
            raise
        self._held.enter_context(game.hold())
        if not self._games:
            self._since = time.monotonic()
        self._games[game.name] = game, old, new
        if self._batch and waits and time.monotonic() - self._since < self.max_seconds:
            self._marks.add(waits)
            return
        troubles = self._publish()
        odd = troubles.pop(game.name, None)
        self._troubles |= troubles
        if odd:
            raise odd

    def after_commit(self, game: str, act: Callable[[], object]) -> None:
        """Call `act` once the waiting commit of a game is published; now, if none waits."""
        if game in self._games:
            self._after.append((game, act))
        else:
            act()

    @property
    def busy(self) -> bool:
        """Whether any commit waits."""
        return bool(self._games)

    def is_waiting(self, mark: str) -> bool:
        """Whether a commit under that mark waits."""
        return mark in self._marks

    def flush_game(self, game: str) -> None:
        """Publish the batch if a commit of that game waits. Raises OSError."""
        if game in self._games:
            self.flush()

    def flush(self) -> None:
        """Publish what waits; `batch` tells what went wrong. Raises OSError: then nobody knows what was moved."""
        self._troubles |= self._publish()

    def _publish(self) -> dict[str, StoreError]:
        games, after = self._games, self._after
        self._games, self._after = {}, []
        self._marks.clear()
        troubles: dict[str, StoreError] = {}
        if not games:
            return troubles
        with self._held.pop_all(), closing(self._open()) as disks:
            self._disks = None
            try:
                disks.sync()
                for name, (game, old, new) in games.items():
                    try:
                        game.publish(old, new)
                    except StoreError as odd:
                        log.warning("%s", odd)
                        troubles[name] = odd
                disks.sync()
            finally:
                for game, _, _ in games.values():
                    game.forget()
            for name, (game, old, new) in games.items():
                if name not in troubles:
                    game.finish(old, new)
                    self.news.add(name)
            for name, act in after:
                if name not in troubles:
                    act()
        return troubles
