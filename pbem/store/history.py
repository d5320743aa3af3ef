"""The committed side of a game: objects and the branch.

The objects of one commit go into one small pack, which is laid down beside its place, as is the branch; both are moved
there once they are on the disk (`pbem.store.landing`). Nothing here syncs anything, or looks at work files. Paths are
`a/b/c` inside the repository, ids are 40 hexadecimal digits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pygit2

from pbem.store.durable import replace_files, write_unsynced
from pbem.store.journal import NOTHING
from pbem.store.objects import FILE, FOLDER, Found, Objects, blob_id, changed, headers, item, items, leads_out
from pbem.store.owner import not_ours
from pbem.store.packfile import pack_of
from pbem.store.packing import whole
from pbem.store.trouble import Damaged, StoreError

BRANCH = "refs/heads/main"
AUTHOR = "pbem"
ADDRESS = "pbem@pbem.invalid"

_BRANCH_FILE = "main"
_ID = re.compile(r"[0-9a-f]{40}")
_PACKED = re.compile(rf"^([0-9a-f]{{40}}) {BRANCH}$", re.MULTILINE)
_TRAILER = re.compile(r"([A-Z][A-Za-z-]*): (.*)")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: when, its message (subject first), and the trailers at its end by name."""

    id: str
    at: datetime
    subject: str
    message: str
    trailers: Mapping[str, str]
    parents: tuple[str, ...]


class History:
    """What is committed of the game `name`, whose repository is `gitdir`."""

    def __init__(self, gitdir: Path, name: str) -> None:
        self._gitdir = gitdir
        self._name = name
        try:
            # Branch, index and settings are read and written by ourselves: a whole repository takes longer to open.
            self.objects = Objects(gitdir, pygit2.Odb(f"{gitdir}/objects"), name)
        except pygit2.GitError as error:
            whose = not_ours(gitdir)
            raise Damaged(f"{name}: the repository cannot be opened: {whose or error}") from None

    @property
    def tip(self) -> str:
        """The last commit; empty when the branch is missing or its file does not hold an id."""
        if (found := loose_tip(self._gitdir)) is not None:
            return found
        return packed_tip(self._gitdir) or ""

    def commit(self, found: str) -> dict[str, list[str]]:
        """The header of a commit. Raises Damaged."""
        try:
            return headers(self.objects.get(found, "commit"))
        except Damaged as error:
            raise Damaged(f"{self._name}: the commit {found} cannot be read: {error}") from None

    def tree(self, commit: str) -> Found:
        """The root tree of a commit. Raises Damaged."""
        return self.objects.get(self.commit(commit)["tree"][0], "tree")

    def roots(self, commit: str) -> tuple[dict[str, str], dict[str, str]]:
        """The files and the folders at the root of a commit, each with its id. Raises Damaged."""
        files: dict[str, str] = {}
        folders: dict[str, str] = {}
        if commit != NOTHING:
            for item in items(self.tree(commit)):
                if leads_out(item.name):
                    raise Damaged(f"{self._name}: the commit {commit} names {item.name!r}, which is no file of a game")
                (folders if item.folder else files)[item.name] = item.id
        return files, folders

    def find(self, path: str, commit: str) -> Found:
        """The object at a path. Raises KeyError when the commit has none, Damaged when it cannot be read."""
        found = self.id_of(path, commit)
        if not found:
            raise KeyError(path)
        return self._part(path, commit, found)

    def id_of(self, path: str, commit: str) -> str:
        """Which object stands at a path; empty when the commit has none. Raises Damaged for a folder."""
        *folders, name = path.split("/")
        tree = self.tree(commit)
        for folder in folders:
            there = _in(tree, folder)
            if not there:
                return ""
            tree = self._part(path, commit, there)
        return _in(tree, name)

    def _part(self, path: str, commit: str, found: str) -> Found:
        try:
            return self.objects.get(found)
        except Damaged as error:
            raise Damaged(f"{self._name}: {path} of commit {commit[:10]} cannot be read: {error}") from None

    def log(self, limit: int | None, start: str) -> Iterator[Commit]:
        """The commits, newest first; of a commit with two parents the first is followed. Raises Damaged."""
        following = start
        while following and (limit is None or limit > 0):
            limit = None if limit is None else limit - 1
            found = _commit(self.objects.get(following, "commit"))
            yield found
            following = found.parents[0] if found.parents else ""

    def write(
        self,
        files: Mapping[str, bytes],
        removed: Iterable[str],
        message: str,
        at: datetime | None,
        parent: str | None,
    ) -> str:
        """Make the objects of a commit in the memory, where they can be read until `forget`. Raises StoreError."""
        changes: dict[str, Any] = {}
        for path in removed:
            _place(changes, path, None)
        for path, data in files.items():
            _place(changes, path, data)
        who = f"{AUTHOR} <{ADDRESS}> {int((at or datetime.now(UTC)).timestamp())} +0000"
        try:
            tree = self._graft(self.tree(parent) if parent else None, changes)
        except Damaged:
            self.forget()
            raise
        except KeyError as error:
            self.forget()
            raise StoreError(f"{self._name}: could not write, nothing was committed: {error}") from None
        lines = (f"tree {tree}", *([f"parent {parent}"] if parent else ()), f"author {who}", f"committer {who}")
        return self.objects.add("commit", "\n".join((*lines, "", message)).encode())

    def forget(self) -> None:
        """The objects made last are in their place, or need not be."""
        self.objects.fresh.clear()

    def lay_down(self, new: str, place: Path) -> None:
        """Write the objects of a commit as one pack, and a branch file that names it, into a folder. Not synced.

        Raises OSError.
        """
        name, made, index = pack_of({one.id: (one.kind, one.data) for one in self.objects.fresh.values()})
        write_unsynced(place / f"{name}.pack", made)
        write_unsynced(place / f"{name}.idx", index)
        write_unsynced(place / _BRANCH_FILE, f"{new}\n".encode())

    def take_in(self, place: Path) -> None:
        """Move the packs that were laid down in a folder to the others: the index last, for git looks for that.

        Raises Damaged when one is not whole, OSError.
        """
        names = sorted(os.listdir(place)) if place.is_dir() else []  # noqa: PTH208 - once a letter
        laid = [name for ends in (".pack", ".idx") for name in names if name.endswith(ends)]
        if broken := [name for name in laid if not whole(place / name)]:
            raise Damaged(f"{self._name}: {broken[0]} was never written to its end; nothing was changed")
        for name in laid:
            os.rename(place / name, self._gitdir / "objects" / "pack" / name)  # noqa: PTH104
        self.objects.placed()

    def take_back(self, place: Path) -> None:
        """Of a pack that lies in a folder still, no index stays with the others: a power cut kept one of two moves."""
        for made in place.glob("*.pack"):
            moved = self._gitdir / "objects" / "pack" / made.name
            if not moved.exists():
                moved.with_suffix(".idx").unlink(missing_ok=True)

    def _graft(self, tree: Found | None, changes: Mapping[str, Any]) -> str:
        """Make a tree with some lines changed; its id. Raises KeyError where a file is not there to be taken away."""
        lines: dict[str, tuple[bytes, str] | None] = {}
        for name, change in changes.items():
            there = _in(tree, name) if tree else ""
            if isinstance(change, dict):
                lines[name] = FOLDER, self._graft(self.objects.get(there, "tree") if there else None, change)
            elif change is None:
                lines[name] = None
            elif there != blob_id(change):
                lines[name] = FILE, self.objects.add("blob", change)
        return self.objects.add("tree", changed(tree, lines))

    def move(self, old: str, place: Path) -> None:
        """Move the branch from one commit to what was laid down. Raises StoreError when it is not at `old` any more."""
        branch = self._gitdir / BRANCH
        lock = branch.with_name(f"{branch.name}.lock")
        try:
            # As git does it: whoever holds the lock file may move the branch, and nobody else.
            os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            try:
                if self.tip != old:
                    raise ValueError(f"it stands at {self.tip}")
                (place / _BRANCH_FILE).replace(branch)
            finally:
                lock.unlink()
        except (ValueError, OSError) as error:
            raise StoreError(f"{self._name}: the branch could not be moved, nothing was committed: {error}") from None

    def point_at(self, commit: str) -> None:
        """Make the branch, or put it elsewhere, on the disk when it returns. Raises Damaged when there is no such
        commit."""
        self.tree(commit)
        branch = self._gitdir / BRANCH
        branch.parent.mkdir(exist_ok=True)
        replace_files(branch.parent, {branch.name: f"{commit}\n".encode()}, self._gitdir / "pbem")


def loose_tip(gitdir: str | Path) -> str | None:
    """The branch as its own file has it; "" when that holds no id; None when there is no such file (packed)."""
    with suppress(OSError):
        text = _text(f"{gitdir}/{BRANCH}").strip()
        return text if _ID.fullmatch(text) else ""
    return None


def packed_tip(gitdir: str | Path) -> str | None:
    """The branch as the file of packed ones has it; None when it does not. Source: git-pack-refs."""
    with suppress(OSError):
        if found := _PACKED.search(_text(f"{gitdir}/packed-refs")):
            return found[1]
    return None


def _text(path: str) -> str:
    """A small file, with no more calls than it takes: it is asked of every game at each start."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 2**16).decode("ascii", "replace")
    finally:
        os.close(file)


def _place(changes: dict[str, Any], path: str, change: Any) -> None:
    *folders, name = path.split("/")
    if any(part in ("", ".", "..") or part.lower() == ".git" for part in (*folders, name)):
        raise StoreError(f"{path!r} is no path inside a game")
    for folder in folders:
        changes = changes.setdefault(folder, {})
    changes[name] = change


def _in(tree: Found, name: str) -> str:
    """The object of a name in what may be a tree; empty when there is none."""
    return item(tree, name) if tree.kind == "tree" else ""


def _commit(found: Found) -> Commit:
    said = headers(found)
    message = found.data.split(b"\n\n", 1)[-1].decode("utf-8", "replace")
    trailers = {}
    for line in reversed(message.rstrip().splitlines()[1:]):
        match = _TRAILER.fullmatch(line)
        if not match:
            break
        trailers[match[1]] = match[2]
    at = datetime.fromtimestamp(int(said["committer"][0].split()[-2]), UTC)
    return Commit(found.id, at, message.split("\n", 1)[0], message, trailers, tuple(said.get("parent", ())))
