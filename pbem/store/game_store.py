"""The games of a host: a folder with one repository a game, and one daemon at most.

Only its owner can read it, whatever the umask, because hands, decks and seeds lie in it.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from weakref import WeakValueDictionary

from pbem.store.durable_files import file_stamp, private_umask, sync_folder, sync_tree
from pbem.store.errors import Damaged, GameExists, NoSuchGame, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.git_objects import root_files
from pbem.store.group_commit import GroupCommit
from pbem.store.history import BRANCH, branch_tip
from pbem.store.locks import Lock, process_exists
from pbem.store.permissions import owner_problem

MAX_OPEN = 64
"""How many repositories stay open; each takes a few files and a few hundred kB."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_NEW = ".new-"
_LEAVING = "LEAVING"
"""The name of HEAD in a game that was put out."""

# A reflog would cost two synced files a commit and tells no more than the history. Folders are not checked out.
_CONFIG = """\
[core]
	repositoryformatversion = 0
	filemode = false
	bare = false
	autocrlf = false
	logAllRefUpdates = false
	fsync = all
	sparseCheckout = true
	sparseCheckoutCone = true
[index]
	sparse = true
[gc]
	auto = 0
[status]
	showUntrackedFiles = normal
"""


class GameStore:
    """The games under `root`, which is made if need be. `wait`: seconds to wait for a game's lock."""

    def __init__(self, root: Path, *, wait: float = 10.0) -> None:
        self.root = root
        self._wait = wait
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.group_commit = GroupCommit()
        self._daemon = Lock(root / ".pbem.lock", f"the store {root}")
        self._guard = threading.Lock()
        # The weak map keeps one object a game, and so one lock, as long as anybody uses it.
        self._alive: WeakValueDictionary[str, GameRepo] = WeakValueDictionary()
        self._recent: OrderedDict[str, GameRepo] = OrderedDict()

    def names(self) -> tuple[str, ...]:
        """The names of all games, sorted."""
        with os.scandir(self.root) as found:
            return tuple(sorted(item.name for item in found if _NAME.fullmatch(item.name) and _is_game(item.path)))

    def has(self, name: str) -> bool:
        return bool(_NAME.fullmatch(name)) and _is_game(f"{self.root}/{name}")

    def head(self, name: str) -> str:
        """The last commit of a game; cheap enough to ask for every game at each start. Raises NoSuchGame, Damaged."""
        tip = branch_tip(f"{self.root}/{name}/.git") if _NAME.fullmatch(name) else ""
        return tip or self.open(name).head

    def peek(self, name: str, commit: str, *files: str) -> tuple[bytes, ...]:
        """Files at the root of a commit, without opening the game. Raises Damaged, KeyError."""
        return root_files(f"{self.root}/{name}/.git", name, commit, files)

    def stamp(self, name: str, *files: str) -> str:
        """A text that stays the same while nobody touches these work files of a game, its HEAD or its journal."""
        return " ".join(file_stamp(f"{self.root}/{name}/{one}") for one in (".git/HEAD", ".git/pbem/journal", *files))

    def open(self, name: str) -> GameRepo:
        """The repository of a game. Nothing is changed before it is locked. Raises NoSuchGame, Damaged, OSError."""
        self.group_commit.flush_game(name)
        if not self.has(name):
            raise NoSuchGame(f"there is no game {name!r} in {self.root}")
        return self._opened(name)

    def _opened(self, name: str) -> GameRepo:
        folder = self.root / name
        with self._guard:
            try:
                repo = self._alive.get(name) or GameRepo(folder, self._wait, self.group_commit)
            except PermissionError as odd:
                raise Damaged(f"{name}: cannot be opened: {owner_problem(folder / '.git') or odd}") from None
            self._alive[name] = self._recent[name] = repo
            self._recent.move_to_end(name)
            if len(self._recent) > MAX_OPEN:
                self._recent.popitem(last=False)
            return repo

    def create(self, name: str, files: Mapping[str, bytes], message: str, at: datetime | None = None) -> GameRepo:
        """Make a game with its first commit: there whole and on the disk, or not at all.

        Raises GameExists, and StoreError for a name that is not made of a-z, 0-9 and «-».
        """
        _check(name)
        return self._make(name, lambda repo: repo.found(files, message, at))

    def book(self, name: str) -> GameRepo | None:
        """A repository of the host itself beside the games, such as `achievements`; None before its first commit."""
        return self._opened(f"_{name}") if _is_game(self.root / f"_{name}") else None

    def create_book(self, name: str, files: Mapping[str, bytes], message: str, at: datetime | None = None) -> GameRepo:
        """Make such a repository with its first commit, as `create` makes a game. Raises GameExists."""
        return self._make(f"_{name}", lambda repo: repo.found(files, message, at))

    def adopt(self, name: str, source: Path, ref: str) -> GameRepo:
        """Make a game, or a book (`_NAME`), with the history that another repository has under `ref`.

        Raises GameExists, and StoreError for a wrong name or when the history cannot be fetched.
        """
        _check(name.removeprefix("_"))
        return self._make(name, lambda repo: repo.inherit(source, ref))

    def put_out(self, name: str) -> None:
        """Hide a game in one step, under its lock; its files stay whole until `drop`."""
        git = self.root / name / ".git"
        (git / "HEAD").rename(git / _LEAVING)
        sync_folder(git)

    def leaving(self, name: str) -> bool:
        """Whether the files of a game that was put out are still there."""
        return (self.root / name / ".git" / _LEAVING).is_file()

    def drop(self, name: str) -> None:
        """Remove the files of a game that was put out."""
        if self.leaving(name):
            nursery = self.root / f"{_NEW}{os.getpid()}"
            shutil.rmtree(nursery, ignore_errors=True)
            (self.root / name).rename(nursery)
            shutil.rmtree(nursery)
            sync_folder(self.root)

    def _make(self, name: str, begin: Callable[[GameRepo], object]) -> GameRepo:
        with self._guard, private_umask():
            if (self.root / name).exists():
                raise GameExists(f"there is a game {name} already in {self.root}; nothing was changed")
            nursery = self.root / f"{_NEW}{os.getpid()}"
            shutil.rmtree(nursery, ignore_errors=True)
            folder = nursery / name
            _lay_out(folder)
            begin(GameRepo(folder))
            sync_tree(folder)
            try:
                folder.rename(self.root / name)
            except OSError:
                raise GameExists(f"there is a game {name} already in {self.root}; nothing was changed") from None
            finally:
                shutil.rmtree(nursery, ignore_errors=True)
            sync_folder(self.root)
            self.group_commit.news.add(name)
            # A game of this name may have gone and come back.
            self._alive.pop(name, None)
        return self._opened(name)

    @contextmanager
    def daemon_lock(self, why: str = "the daemon") -> Iterator[None]:
        """Hold the store as its one daemon, and remove games that a crash left half made. Raises LockHeld at once."""
        with private_umask(), self._daemon.taken(why, 0):
            for left in self.root.glob(f"{_NEW}*"):
                if not process_exists(left.name.removeprefix(_NEW)):
                    shutil.rmtree(left, ignore_errors=True)
            yield


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise StoreError(f"{name!r} cannot name a game: only a-z, 0-9 and «-», at most 64 of them")


def _is_game(folder: str | Path) -> bool:
    return os.path.isfile(f"{folder}/.git/HEAD")  # noqa: PTH113 - thousands of times at each start


def _lay_out(folder: Path) -> None:
    """Make an empty repository as `git init` does, without templates, whose folders are not checked out."""
    git = folder / ".git"
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "pbem"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text(f"ref: {BRANCH}\n")
    (git / "config").write_text(_CONFIG)
    (git / "info" / "sparse-checkout").write_text("/*\n!/*/\n")
    (git / "info" / "exclude").write_text("*~\n.*.sw?\n#*#\n.#*\n")
