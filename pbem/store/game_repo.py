"""The repository of one game, written so that a kill or a power cut leaves the old commit or the new one.

A commit is staged beside its place (a pack, the branch, the work files) with a journal that says so, and published once
all of that is on the disk (`pbem.store.group_commit`). Whoever locks the game after a crash finds the journal open, and
completes the commit, or puts the work files back where the branch has not moved. Readers read the history by commit id,
and so never mix two positions.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path

from pbem.store.durable_files import Disks, private_umask
from pbem.store.errors import Damaged, HandEdited, LockHeld, NoSuchGame, StoreError
from pbem.store.git import run_git
from pbem.store.group_commit import GroupCommit
from pbem.store.history import BRANCH, Commit, History
from pbem.store.journal import NO_COMMIT, Journal
from pbem.store.locks import Lock
from pbem.store.repack import count_packs, repack_game
from pbem.store.worktree import KEPT_PREFIX, Difference, WorkTree

MAX_PACKS = 64
"""The most packs of single commits side by side; each slows the first reading of an object a little."""

_WORK = "work"


class GameRepo:
    """The game in `folder`. `wait`: seconds to wait for its lock; `group_commit` publishes its commits with others."""

    def __init__(self, folder: Path, wait: float = 10.0, group_commit: GroupCommit | None = None) -> None:
        self.name = folder.name
        self.folder = folder
        self.gitdir = folder / ".git"
        self.own = self.gitdir / "pbem"
        """Our own folder, on the disk of the repository."""
        self.own.mkdir(exist_ok=True, mode=0o700)
        self._wait = wait
        self._lock = Lock(self.own / "lock", f"the game {self.name}")
        self._journal = Journal(self.own / "journal")
        self._tree = WorkTree(folder, self.own)
        self._over: Collection[str] = ()
        self.group_commit = group_commit or GroupCommit()
        self.history = History(self.gitdir, self.name)

    def reopen(self) -> None:
        """Forget what was read: libgit2 does not notice packs that come and go."""
        self.history = History(self.gitdir, self.name)

    @contextmanager
    def lock(self, why: str = "pbem", wait: float | None = None, check: bool = True) -> Iterator[GameRepo]:
        """Hold the game. Completes a commit that a crash interrupted, then compares the work files.

        Raises LockHeld, NoSuchGame when it was put out meanwhile, and HandEdited unless `check` is false (for the
        tools that mend).
        """
        self.group_commit.flush_game(self.name)
        with private_umask(), ExitStack() as held:
            first = self._take(held, why, self._wait if wait is None else wait)
            if not (self.gitdir / "HEAD").is_file():
                raise NoSuchGame(f"{self.name} was put out of the games; nothing was changed")
            if first:
                self.settle()
                if check:
                    self._compare(self.head)
            yield self

    def _take(self, held: ExitStack, why: str, wait: float) -> bool:
        """Take the lock into `held`; whether it was not held before. Raises LockHeld."""
        if self.group_commit.busy:
            try:
                return held.enter_context(self._lock.taken(why, 0))
            except LockHeld:
                # Whoever holds this game may be waiting for one that our batch holds.
                self.group_commit.flush()
        return held.enter_context(self._lock.taken(why, wait))

    def settle(self) -> None:
        """Complete or undo an interrupted commit, in files that nobody has touched since. Under the lock.

        What it finds is on the disk when it returns: nobody promises what a power cut could still take back. Raises
        OSError, Damaged.
        """
        said = self._journal.read()
        if said is None or said.done:
            return
        # Only a writer that died under this lock can have left these.
        for name in (f"{BRANCH}.lock", "HEAD.lock", "packed-refs.lock"):
            (self.gitdir / name).unlink(missing_ok=True)
        tip, place = self.history.tip, self.own / said.new
        if tip == said.old and self._moved(said.old, said.new):
            self.history.move_branch(said.old, place)
            tip = said.new
        if tip == said.new:
            self.history.take_in(place)
            old, new = self.history.roots(said.old)[0], self.history.roots(said.new)[0]
            stale = {name for name in old.keys() | new.keys() if self._tree.found(name) == old.get(name, "")}
            self._checkout(said.old, said.new, stale)
        elif tip == said.old:
            self.history.take_back(place)
        if tip in (said.old, said.new):
            with closing(Disks([self.folder])) as disks:
                disks.sync()
            shutil.rmtree(place, ignore_errors=True)
            self._journal.done(said.old, tip)

    def _moved(self, old: str, new: str) -> bool:
        """Whether a work file of a new commit is in its place already. Then all of that commit is on the disk."""
        differ = self._tree.changes(self.history.roots(old)[0])
        if not differ:
            return False
        try:
            self.history.take_in(self.own / new)
            coming = self.history.roots(new)[0]
        except Damaged:
            return False
        return any(self._tree.found(one.path) == coming.get(one.path, "") for one in differ)

    def _compare(self, head: str, over: Collection[str] = ()) -> None:
        """Raises HandEdited when somebody changed work files, committed, or moved HEAD to another branch."""
        branch = (self.gitdir / "HEAD").read_text().strip()
        if branch != f"ref: {BRANCH}":
            raise HandEdited(self.name, ("HEAD",), f"HEAD says «{branch}», not the branch main")
        said = self._journal.read()
        if said is not None and said.new != head:
            raise HandEdited(self.name, (), f"the commit {head[:10]} was made by hand after {said.new[:10]}")
        self._unedited(head, over)

    def _unedited(self, head: str, over: Collection[str]) -> None:
        """Raises HandEdited when somebody changed the work files of a commit, except those in `over`."""
        changes = self._tree.changes(self.history.roots(head)[0])
        if files := [change.path for change in changes if change.path not in over]:
            raise HandEdited(self.name, files)

    @property
    def head(self) -> str:
        """The last commit of the game. Raises Damaged when the branch is gone or names nothing."""
        if tip := self.history.tip:
            return tip
        hint = f"; the last commit written here was {last}" if (last := self.last_written) else ""
        raise Damaged(f"{self.name}: the branch main is missing or empty{hint}")

    @property
    def last_written(self) -> str:
        """The last commit this program wrote, by the journal; empty when that does not say."""
        said = self._journal.read()
        return said.new if said and said.new != NO_COMMIT else ""

    def read(self, path: str, commit: str | None = None) -> bytes:
        """A committed file. Raises KeyError when the commit has none of that path; Damaged."""
        return self.history.read(path, commit or self.head)

    def id_of(self, path: str, commit: str | None = None) -> str:
        """The git id of a file or folder of the commit; empty when it has none of that path. Raises Damaged."""
        return self.history.id_of(path, commit or self.head)

    def work(self, name: str) -> bytes:
        """A work file as it lies there, edited or not. Raises FileNotFoundError."""
        return (self.folder / name).read_bytes()

    def status(self) -> tuple[Difference, ...]:
        """How the work files differ from the last commit."""
        return self._tree.changes(self.history.roots(self.head)[0])

    def log(self, limit: int | None = None, start: str | None = None) -> Iterator[Commit]:
        """The commits, newest first, from `start` or the last one. Raises Damaged where one is missing."""
        return self.history.log(limit, start or self.head)

    def commit(
        self, files: Mapping[str, bytes], message: str, removed: Iterable[str] = (), at: datetime | None = None,
        over: Collection[str] = (), waits: str = "",
    ) -> str:  # fmt: skip
        """Write one commit and check it out; its id. Under `lock` only; on the disk when it returns.

        Files at the root are checked out, files in folders stand in the history only. `over` names hand-edited work
        files that this commit may replace; HandEdited when others were edited, and then nothing was committed. Once the
        branch has moved the commit stands, also when an error is raised after it. With `waits` it may wait in a batch
        (`GroupCommit.add`); then edits are looked for again when it is published.
        """
        if not self._lock.held:
            raise StoreError(f"{self.name}: a commit needs the lock of the game")
        old = self.head
        self._compare(old, over)
        new = self.history.write(files, removed, message, at, old)
        self._over = over
        self.group_commit.add(self, old, new, waits)
        return new

    # The steps of a commit, which `pbem.store.group_commit` takes.

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock, which is held already, until the commit is published."""
        with private_umask(), self._lock.taken("a commit", self._wait):
            yield

    def stage(self, old: str, new: str) -> None:
        """Write a commit beside its place, and say so in the journal. Raises StoreError, and nothing was committed."""
        try:
            with os.scandir(self.own) as found:
                left = [one.path for one in found if one.is_dir() and not one.name.startswith(KEPT_PREFIX)]
            for folder in left:
                shutil.rmtree(folder)
            place = self.own / new
            place.mkdir()
            self.history.stage(new, place)
            self._tree.stage(self._changed(old, new), place / _WORK)
            self._journal.begin(old, new)
        except OSError as error:
            raise StoreError(f"{self.name}: could not write, nothing was committed: {error}") from None

    def publish(self, old: str, new: str) -> None:
        """Move a staged commit to its place. Raises StoreError, OSError."""
        place = self.own / new
        try:
            self._unedited(old, self._over)
            self.history.take_in(place)
            self.history.move_branch(old, place)
        except (StoreError, OSError) as error:
            if self.history.tip == old:
                self._journal.done(old, old)
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{self.name}: could not write, nothing was committed: {error}") from None
        try:
            self._tree.publish(place / _WORK, self._gone(old, new))
            self._tree.write_index(*self.history.roots(new))
            # Both are empty now.
            (place / _WORK).rmdir()
            place.rmdir()
        except OSError as error:
            text = "is made, but its files could not be written and will be at the next opening"
            raise StoreError(f"{self.name}: the commit {new[:10]} {text}: {error}") from error

    def finish(self, old: str, new: str) -> None:
        """Note that a commit is on the disk."""
        self._journal.done(old, new)

    def forget(self) -> None:
        """Drop the objects of a commit in the making, which is published or given up."""
        self.history.forget()

    def found(self, files: Mapping[str, bytes], message: str, at: datetime | None = None) -> str:
        """Make the first commit of a repository that nobody else can see yet."""
        new = self.history.write(files, (), message, at, None)
        place = self.own / new
        place.mkdir()
        self.history.stage(new, place)
        self.history.take_in(place)
        self.history.forget()
        shutil.rmtree(place)
        return self._begin_at(new)

    def inherit(self, source: Path, ref: str) -> str:
        """Begin a repository that nobody else can see yet with the history of another one. Raises StoreError."""
        quietly = ("--quiet", "--no-tags", "--no-write-fetch-head", "--update-head-ok")
        self._git("-c", "fetch.unpackLimit=1", "fetch", *quietly, str(source.absolute()), f"{ref}:{BRANCH}")
        self.reopen()
        return self._begin_at(self.head)

    def _begin_at(self, new: str) -> str:
        self.history.point_at(new)
        self._checkout(NO_COMMIT, new)
        self._journal.done(NO_COMMIT, new)
        return new

    def _changed(self, old: str, new: str) -> dict[str, bytes]:
        """The work files of a commit that another one has not, or otherwise."""
        before, after = self.history.roots(old)[0], self.history.roots(new)[0]
        return {name: self.history.blob(one) for name, one in after.items() if before.get(name) != one}

    def _gone(self, old: str, new: str) -> set[str]:
        """The work files of a commit that another one has no more."""
        return self.history.roots(old)[0].keys() - self.history.roots(new)[0].keys()

    def _checkout(self, old: str, new: str, only: Collection[str] | None = None) -> None:
        """Write the work files that differ between two commits (`only` some of them), on the disk, and the index."""
        files, gone = self._changed(old, new), self._gone(old, new)
        if only is not None:
            files, gone = {name: files[name] for name in files if name in only}, gone.intersection(only)
        self._tree.write(files, gone)
        self._tree.write_index(*self.history.roots(new))

    def restore(self, names: Iterable[str]) -> tuple[Path, ...]:
        """Put the committed text back into work files; what lay there is kept aside, at the paths returned."""
        wanted, folders = self.history.roots(self.head)
        kept = []
        for name in names:
            if aside := self._tree.set_aside(name):
                kept.append(aside)
            if name in wanted:
                self._tree.write({name: self.history.blob(wanted[name])}, ())
        self._tree.write_index(wanted, folders)
        return tuple(kept)

    def point_at(self, commit: str) -> None:
        """Put the branch on an existing commit, after it was lost, or to accept a commit made by hand.

        The work files stay as they are. Raises Damaged when there is no such commit.
        """
        self.history.point_at(commit)
        self._tree.write_index(*self.history.roots(commit))
        self._journal.done(commit, commit)

    @property
    def crowded(self) -> bool:
        """Whether it is time for `pack`."""
        return count_packs(self.folder) >= MAX_PACKS

    def pack(self) -> None:
        """Join the packs, under the lock. Raises StoreError, and then nothing was removed; OSError."""
        with self.lock("packing", check=False):
            repack_game(self.gitdir, self.own, self._git)
            # This frees the room of the old packs on the disk, too.
            self.reopen()

    def _git(self, *words: str) -> None:
        """Call git without the user's settings. Raises StoreError when it fails."""
        try:
            run_git(self.gitdir, f"--work-tree={self.folder}", *words)
        except StoreError as error:
            raise StoreError(f"{self.name}: {error}") from None
