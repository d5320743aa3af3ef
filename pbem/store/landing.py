"""How commits come down on the disk: several games' together, each whole or not at all.

In this order, with what a kill or a power cut leaves after each step (`GameRepo.settle` looks into it):

1. each commit is laid down in a folder of its own beside its place, and the game's journal says so: the old commit
   stands, and the folder is thrown away;
2. one sync: the same; from here on all of it is known to be whole, and so is what was written before it elsewhere;
3. objects, branch and work files are moved to their places, in no order that a power cut would keep: where the branch
   was moved the commit is taken on to its end, where it was not the work files go back;
4. one sync: the commits stand, whatever comes;
5. the journals say so, the games are let go, and whatever was to follow on the commits is done.

Outside a row each commit lands at once, in a row it waits for those after it, and its game stays locked until then. The
row lands earlier when somebody wants to look at one of its games, or commits what cannot wait, or when it lasts long.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol

from pbem.store.durable import Disks
from pbem.store.trouble import StoreError

log = logging.getLogger(__name__)

LONGEST = 3.0
"""Seconds after which a row lands with the next commit: other programs wait ten for a game that it holds."""


class Lands(Protocol):
    """What a landing needs of a game (`pbem.store.repo.GameRepo`); the old and the new commit by their ids."""

    name: str
    folder: Path

    def hold(self) -> AbstractContextManager[object]: ...
    def lay_down(self, old: str, new: str) -> None: ...
    def move(self, old: str, new: str) -> None: ...
    def landed(self, old: str, new: str) -> None: ...
    def forget(self) -> None: ...


class Landing:
    """The landing of one store. Commits of one thread at a time."""

    def __init__(self) -> None:
        self._folders: list[Path] = []
        self._row = False
        self._games: dict[str, tuple[Lands, str, str]] = {}
        self._marks: set[str] = set()
        self._then: list[tuple[str, Callable[[], object]]] = []
        self._held = ExitStack()
        self._disks: Disks | None = None
        self._troubles: dict[str, StoreError] = {}
        self._since = 0.0
        self.longest = LONGEST
        self.news: set[str] = set()
        """The games that have come or moved on by this process; who has looked at them takes them out."""

    def cover(self, folder: Path) -> None:
        """What is written in another folder from now on has to be on the disk before the next commit is moved."""
        if folder not in self._folders:
            self._folders.append(folder)
            if self._disks is not None:
                self._disks.add(folder)
        self._open()

    def _open(self) -> Disks:
        if self._disks is None:
            self._disks = Disks(self._folders)
        return self._disks

    @contextmanager
    def row(self) -> Iterator[None]:
        """Commits in this block may wait for each other; they have landed when it ends.

        Raises StoreError when one that waited did not land, or not whole; OSError.
        """
        self._row, self._troubles = True, {}
        try:
            yield
        finally:
            self._row = False
            self.land()
        if self._troubles:
            raise StoreError("; ".join(map(str, self._troubles.values())))

    def add(self, game: Lands, old: str, new: str, waits: str = "") -> None:
        """A commit was made of a game that is locked: bring it down.

        In a row it may wait, where `waits` is a mark (`waiting` tells whether such a one waits). Raises StoreError when
        it did not land, or not whole; OSError.
        """
        try:
            # A game may lie on a disk of its own.
            self._open().add(game.folder)
            game.lay_down(old, new)
        except BaseException:
            game.forget()
            raise
        self._held.enter_context(game.hold())
        if not self._games:
            self._since = time.monotonic()
        self._games[game.name] = game, old, new
        if self._row and waits and time.monotonic() - self._since < self.longest:
            self._marks.add(waits)
            return
        troubles = self._bring_down()
        odd = troubles.pop(game.name, None)
        self._troubles |= troubles
        if odd:
            raise odd

    def then(self, game: str, act: Callable[[], object]) -> None:
        """Do that once the commit of a game has landed; now, if none waits."""
        if game in self._games:
            self._then.append((game, act))
        else:
            act()

    @property
    def busy(self) -> bool:
        """Whether any commit has not landed yet."""
        return bool(self._games)

    def waiting(self, mark: str) -> bool:
        """Whether a commit under that mark has not landed yet."""
        return mark in self._marks

    def before(self, game: str) -> None:
        """Somebody wants to look at a game: the row lands, if a commit of it waits. Raises OSError."""
        if game in self._games:
            self.land()

    def land(self) -> None:
        """Bring down what was laid down; `row` tells what is wrong. Raises OSError: then nobody knows what was moved.
        """
        self._troubles |= self._bring_down()

    def _bring_down(self) -> dict[str, StoreError]:
        games, then = self._games, self._then
        self._games, self._then = {}, []
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
                        game.move(old, new)
                    except StoreError as odd:
                        log.warning("%s", odd)
                        troubles[name] = odd
                disks.sync()
            finally:
                for game, _, _ in games.values():
                    game.forget()
            for name, (game, old, new) in games.items():
                if name not in troubles:
                    game.landed(old, new)
                    self.news.add(name)
            for name, act in then:
                if name not in troubles:
                    act()
        return troubles
