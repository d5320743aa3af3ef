"""The repository of one game, written so that a kill or a power cut leaves the old commit or the new one.

A commit is laid down beside its place (a pack, the branch, the work files) with a journal that says so, and moved there
once all of that is on the disk: `pbem.store.landing`. Whoever locks a game after a crash or a power cut finds the
journal open, and takes the commit on to its end, or takes the work files back where the branch was not moved. What is
read comes from the history, by commit id, and so never mixes two positions.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path

from pbem.store.durable import Disks, private
from pbem.store.git import git
from pbem.store.history import BRANCH, Commit, History
from pbem.store.index import write_index
from pbem.store.journal import NOTHING, Journal
from pbem.store.landing import Landing
from pbem.store.locks import Lock
from pbem.store.packing import pack, packs_in
from pbem.store.trouble import Damaged, HandEdited, LockHeld, NoSuchGame, StoreError
from pbem.store.worktree import KEPT, Difference, WorkTree

PACKS = 64
"""How many packs of single commits may lie side by side; each makes the first reading of an object a little slower."""

_WORK = "work"


class GameRepo:
    """The game in `folder`. `wait` is how long its lock is waited for, in seconds; `landing` brings its commits down,
    together with those of other games."""

    def __init__(self, folder: Path, wait: float = 10.0, landing: Landing | None = None) -> None:
        self.name = folder.name
        self.folder = folder
        self.gitdir = folder / ".git"
        own = self.gitdir / "pbem"
        own.mkdir(exist_ok=True, mode=0o700)
        self._wait = wait
        self._lock = Lock(own / "lock", f"the game {self.name}")
        self._journal = Journal(own / "journal")
        self._tree = WorkTree(folder, own)
        self._own = own
        self._over: Collection[str] = ()
        self.landing = landing or Landing()
        self.history = History(self.gitdir, self.name)

    @contextmanager
    def lock(self, why: str = "pbem", wait: float | None = None, check: bool = True) -> Iterator[GameRepo]:
        """Hold the game. Finishes a checkout that a crash interrupted, then compares the work files.

        Raises LockHeld, NoSuchGame when it was put out meanwhile, and HandEdited unless `check` is false (for the
        tools that mend).
        """
        self.landing.before(self.name)
        with private(), ExitStack() as held:
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
        if self.landing.busy:
            try:
                return held.enter_context(self._lock.taken(why, 0))
            except LockHeld:
                # Whoever holds this game may be waiting for one that we hold until its commit has landed.
                self.landing.land()
        return held.enter_context(self._lock.taken(why, wait))

    def settle(self) -> None:
        """Bring a commit to its end that did not land whole, as far as nobody touched the files since. Under the lock.

        What it finds is on the disk when it returns: nobody promises what a power cut could still take back. Raises
        OSError, Damaged.
        """
        said = self._journal.read()
        if said is None or said.done:
            return
        # Only a writer that died under this lock can have left these behind.
        for name in (f"{BRANCH}.lock", "HEAD.lock", "packed-refs.lock"):
            (self.gitdir / name).unlink(missing_ok=True)
        tip, place = self.history.tip, self._own / said.new
        if tip == said.old and self._moved(said.old, said.new):
            self.history.move(said.old, place)
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
            self.history.take_in(self._own / new)
            coming = self.history.roots(new)[0]
        except Damaged:
            return False
        return any(self._tree.found(one.path) == coming.get(one.path, "") for one in differ)

    def _compare(self, head: str, over: Collection[str] = ()) -> None:
        """Raises HandEdited when somebody changed what is checked out, or moved HEAD to another branch."""
        branch = (self.gitdir / "HEAD").read_text().strip()
        if branch != f"ref: {BRANCH}":
            raise HandEdited(self.name, ("HEAD",), f"HEAD says «{branch}», not the branch main")
        said = self._journal.read()
        if said is not None and said.new != head:
            raise HandEdited(self.name, (), f"the commit {head[:10]} was made by hand after {said.new[:10]}")
        self._unedited(head, over)

    def _unedited(self, head: str, over: Collection[str]) -> None:
        """Raises HandEdited when somebody changed the work files of a commit, but for those in `over`."""
        changes = self._tree.changes(self.history.roots(head)[0])
        if files := [change.path for change in changes if change.path not in over]:
            raise HandEdited(self.name, files)

    @property
    def head(self) -> str:
        """The last commit of the game. Raises Damaged when the branch is gone or names nothing."""
        if tip := self.history.tip:
            return tip
        last = self.last_written
        hint = f"; the last commit written here was {last}" if last else ""
        raise Damaged(f"{self.name}: the branch main is missing or empty{hint}")

    @property
    def last_written(self) -> str:
        """The last commit this program wrote, as the journal has it; empty when it does not know."""
        said = self._journal.read()
        return said.new if said and said.new != NOTHING else ""

    def read(self, path: str, commit: str | None = None) -> bytes:
        """A file as it was committed. Raises KeyError when the commit has none of that path; Damaged."""
        found = self.history.find(path, commit or self.head)
        if found.kind != "blob":
            raise KeyError(path)
        return found.data

    def id_of(self, path: str, commit: str | None = None) -> str:
        """The object of a file or folder of the commit; empty when it has none of that path. Raises Damaged."""
        return self.history.id_of(path, commit or self.head)

    def has(self, path: str, commit: str | None = None) -> bool:
        """Whether the commit has that file or folder."""
        return bool(self.id_of(path, commit))

    def work(self, name: str) -> bytes:
        """A work file as it lies there, edited or not. Raises FileNotFoundError."""
        return (self.folder / name).read_bytes()

    def status(self) -> tuple[Difference, ...]:
        """How the work files differ from the last commit; files of nobody's are named as `unknown`."""
        wanted = self.history.roots(self.head)[0]
        return self._tree.changes(wanted) + self._tree.unknown(wanted)

    def log(self, limit: int | None = None, start: str | None = None) -> Iterator[Commit]:
        """The commits, newest first, from `start` or the last one. Raises Damaged where one is missing."""
        return self.history.log(limit, start or self.head)

    def commit(
        self,
        files: Mapping[str, bytes],
        message: str,
        removed: Iterable[str] = (),
        at: datetime | None = None,
        over: Collection[str] = (),
        waits: str = "",
    ) -> str:
        """Write one commit and check it out; its id. Under `lock` only; on the disk when it returns.

        Files at the root are checked out, files in folders stand in the history only. `over` names work files
        that were edited by hand and that this commit may replace; HandEdited when others were, and then nothing
        was committed. Once the branch has moved the commit stands, also when an error is raised after it. With
        `waits` it may be on the disk later, with others of a row (`Landing.add`), and an edit is looked for again then.
        """
        if not self._lock.held:
            raise StoreError(f"{self.name}: a commit needs the lock of the game")
        old = self.head
        self._compare(old, over)
        new = self.history.write(files, removed, message, at, old)
        self._over = over
        self.landing.add(self, old, new, waits)
        return new

    # The steps of a commit, as `pbem.store.landing` takes them.

    @contextmanager
    def hold(self) -> Iterator[None]:
        """The lock, which is held already, until the commit has landed."""
        with private(), self._lock.taken("landing", self._wait):
            yield

    def lay_down(self, old: str, new: str) -> None:
        """Write a commit beside its place, and say so in the journal. Raises StoreError, and nothing was committed."""
        try:
            with os.scandir(self._own) as found:
                left = [one.path for one in found if one.is_dir() and not one.name.startswith(KEPT)]
            for folder in left:
                shutil.rmtree(folder)
            place = self._own / new
            place.mkdir()
            self.history.lay_down(new, place)
            self._tree.lay_down(self._changed(old, new), place / _WORK)
            self._journal.begin(old, new)
        except OSError as error:
            raise StoreError(f"{self.name}: could not write, nothing was committed: {error}") from None

    def move(self, old: str, new: str) -> None:
        """Move what was laid down to its place. Raises StoreError, OSError."""
        place = self._own / new
        try:
            self._unedited(old, self._over)
            self.history.take_in(place)
            self.history.move(old, place)
        except (StoreError, OSError) as error:
            if self.history.tip == old:
                self._journal.done(old, old)
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{self.name}: could not write, nothing was committed: {error}") from None
        try:
            self._tree.take_in(place / _WORK, self._gone(old, new))
            write_index(self.gitdir / "index", self.folder, *self.history.roots(new))
            # All that lay in them was moved.
            (place / _WORK).rmdir()
            place.rmdir()
        except OSError as error:
            text = "is made, but its files could not be written and will be at the next opening"
            raise StoreError(f"{self.name}: the commit {new[:10]} {text}: {error}") from error

    def landed(self, old: str, new: str) -> None:
        """A commit is on the disk."""
        self._journal.done(old, new)

    def forget(self) -> None:
        """A commit can be read from its place, or was given up."""
        self.history.forget()

    def found(self, files: Mapping[str, bytes], message: str, at: datetime | None = None) -> str:
        """The first commit of a repository that nobody else can see yet."""
        new = self.history.write(files, (), message, at, None)
        place = self._own / new
        place.mkdir()
        self.history.lay_down(new, place)
        self.history.take_in(place)
        self.history.forget()
        shutil.rmtree(place)
        self.history.point_at(new)
        self._checkout(NOTHING, new)
        self._journal.done(NOTHING, new)
        return new

    def inherit(self, source: Path, ref: str) -> str:
        """Begin a repository that nobody else can see yet with a history of another one. Raises StoreError."""
        quietly = ("--quiet", "--no-tags", "--no-write-fetch-head", "--update-head-ok")
        self._git("-c", "fetch.unpackLimit=1", "fetch", *quietly, str(source.absolute()), f"{ref}:{BRANCH}")
        self.reopen()
        new = self.head
        self._checkout(NOTHING, new)
        self._journal.done(NOTHING, new)
        return new

    def _changed(self, old: str, new: str, only: Collection[str] | None = None) -> dict[str, bytes]:
        """The work files of a commit that are not as another one has them (`only` some of them)."""
        before, after = self.history.roots(old)[0], self.history.roots(new)[0]
        names = [name for name in after if before.get(name) != after[name] and (only is None or name in only)]
        return {name: self.history.objects.get(after[name], "blob").data for name in names}

    def _gone(self, old: str, new: str, only: Collection[str] | None = None) -> tuple[str, ...]:
        """The work files of a commit that another one has no more (`only` some of them)."""
        before, after = self.history.roots(old)[0], self.history.roots(new)[0]
        return tuple(name for name in before if name not in after and (only is None or name in only))

    def _checkout(self, old: str, new: str, only: Collection[str] | None = None) -> None:
        """Write the work files that differ between two commits (`only` some of them), on the disk, and the index."""
        self._tree.write(self._changed(old, new, only), self._gone(old, new, only))
        write_index(self.gitdir / "index", self.folder, *self.history.roots(new))

    def restore(self, names: Iterable[str]) -> tuple[Path, ...]:
        """Put the committed text back into work files; what lay there is kept aside, at the paths returned."""
        head = self.head
        wanted, folders = self.history.roots(head)
        kept = []
        for name in names:
            if aside := self._tree.set_aside(name):
                kept.append(aside)
            if name in wanted:
                self._tree.write({name: self.history.objects.get(wanted[name], "blob").data}, ())
        write_index(self.gitdir / "index", self.folder, wanted, folders)
        return tuple(kept)

    def point_at(self, commit: str) -> None:
        """Put the branch on an existing commit, after it was lost, or accept a commit made by hand.

        The work files are left as they are. Raises Damaged when there is no such commit.
        """
        self.history.point_at(commit)
        write_index(self.gitdir / "index", self.folder, *self.history.roots(commit))
        self._journal.done(commit, commit)

    @property
    def crowded(self) -> bool:
        """Whether so many commits have come since the last `pack` that it is time for another."""
        return packs_in(self.folder) >= PACKS

    def pack(self) -> None:
        """Join the packs, under the lock. Raises StoreError, and then nothing was removed; OSError."""
        with self.lock("packing", check=False):
            pack(self.gitdir, self._own, self._git)
            # What was read of the old packs is let go, and with it their room on the disk.
            self.reopen()

    def reopen(self) -> None:
        """Forget what was read: libgit2 does not notice packs that come and go."""
        self.history = History(self.gitdir, self.name)

    def _git(self, *words: str) -> None:
        """A call of git itself, which no settings of the user's bend. Raises StoreError when it fails."""
        try:
            git(self.gitdir, f"--work-tree={self.folder}", *words)
        except StoreError as error:
            raise StoreError(f"{self.name}: {error}") from None
