"""The committed side of a game: objects and the branch.

The objects of one commit are staged as one small pack beside its place, and so is the branch
(`pbem.store.group_commit`). Nothing here syncs, or looks at work files. Paths are `a/b/c` inside the repository, ids
are 40 hexadecimal digits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

import pygit2

from pbem.store.durable_files import replace_file, write_file
from pbem.store.errors import Damaged, StoreError
from pbem.store.git_objects import (
    FILE,
    FOLDER,
    GitObject,
    GitObjects,
    blob_id,
    commit_headers,
    edited_tree,
    is_unsafe_name,
    tree_entry,
    tree_items,
)
from pbem.store.journal import NO_COMMIT
from pbem.store.packfile import build_pack
from pbem.store.permissions import owner_problem
from pbem.store.repack import is_whole_pack

BRANCH = "refs/heads/main"
AUTHOR = "pbem"
AUTHOR_ADDRESS = "pbem@pbem.invalid"

_BRANCH_FILE = "main"
_ID = re.compile(r"[0-9a-f]{40}")
_PACKED = re.compile(rf"^([0-9a-f]{{40}}) {BRANCH}$", re.MULTILINE)
_TRAILER = re.compile(r"([A-Z][A-Za-z-]*): (.*)")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. `subject` is the first line of its message, `trailers` are the lines at its end by name."""

    id: str
    at: datetime
    subject: str
    message: str
    trailers: Mapping[str, str]
    parents: tuple[str, ...]


class History:
    """The history of the game `name`, whose repository is `gitdir`."""

    def __init__(self, gitdir: Path, name: str) -> None:
        self._gitdir = gitdir
        self._name = name
        try:
            # Opening a whole repository takes longer; we read and write branch and index by ourselves.
            self.objects = GitObjects(gitdir, pygit2.Odb(f"{gitdir}/objects"), name)
        except pygit2.GitError as error:
            whose = owner_problem(gitdir)
            raise Damaged(f"{name}: the repository cannot be opened: {whose or error}") from None

    @property
    def tip(self) -> str:
        """The last commit; empty when the branch is missing or holds no id."""
        return branch_tip(self._gitdir)

    def commit(self, found: str) -> dict[str, list[str]]:
        """The header lines of a commit. Raises Damaged."""
        try:
            return commit_headers(self.objects.get(found, "commit"))
        except Damaged as error:
            raise Damaged(f"{self._name}: the commit {found} cannot be read: {error}") from None

    def tree(self, commit: str) -> GitObject:
        """The root tree of a commit. Raises Damaged."""
        return self.objects.get(self.commit(commit)["tree"][0], "tree")

    def roots(self, commit: str) -> tuple[dict[str, str], dict[str, str]]:
        """The files and the folders at the root of a commit, each with its id. Raises Damaged."""
        files: dict[str, str] = {}
        folders: dict[str, str] = {}
        if commit != NO_COMMIT:
            for item in tree_items(self.tree(commit)):
                if is_unsafe_name(item.name):
                    raise Damaged(f"{self._name}: the commit {commit} names {item.name!r}, which is no file of a game")
                (folders if item.folder else files)[item.name] = item.id
        return files, folders

    def read(self, path: str, commit: str) -> bytes:
        """The file at a path. Raises KeyError when the commit has none, Damaged when it cannot be read."""
        if (oid := self.id_of(path, commit)) and (found := self._part(path, commit, oid)).kind == "blob":
            return found.data
        raise KeyError(path)

    def id_of(self, path: str, commit: str) -> str:
        """The id of the object at a path; empty when the commit has none. Raises Damaged."""
        *folders, name = path.split("/")
        tree = self.tree(commit)
        for folder in folders:
            if not (there := _in(tree, folder)):
                return ""
            tree = self._part(path, commit, there)
        return _in(tree, name)

    def blob(self, oid: str) -> bytes:
        """The content of a file by its id. Raises Damaged."""
        return self.objects.get(oid, "blob").data

    def _part(self, path: str, commit: str, found: str) -> GitObject:
        try:
            return self.objects.get(found)
        except Damaged as error:
            raise Damaged(f"{self._name}: {path} of commit {commit[:10]} cannot be read: {error}") from None

    def log(self, limit: int | None, start: str) -> Iterator[Commit]:
        """The commits, newest first, by their first parents. Raises Damaged."""
        following, count = start, 0
        while following and count != limit:
            count += 1
            found = _commit(self.objects.get(following, "commit"))
            yield found
            following = found.parents[0] if found.parents else ""

    def write(
        self, files: Mapping[str, bytes], removed: Iterable[str], message: str, at: datetime | None, parent: str | None
    ) -> str:
        """Make the objects of a commit in memory, where they can be read until `forget`; its id. Raises StoreError."""
        changes: dict[str, Any] = {}
        for path, data in {**dict.fromkeys(removed), **files}.items():
            _place(changes, path, data)
        who = f"{AUTHOR} <{AUTHOR_ADDRESS}> {int((at or datetime.now(UTC)).timestamp())} +0000"
        try:
            tree = self._graft(self.tree(parent) if parent else None, changes)
        except (Damaged, KeyError) as error:
            self.forget()
            if isinstance(error, Damaged):
                raise
            raise StoreError(f"{self._name}: could not write, nothing was committed: {error}") from None
        lines = (f"tree {tree}", *([f"parent {parent}"] if parent else ()), f"author {who}", f"committer {who}")
        return self.objects.add("commit", "\n".join((*lines, "", message)).encode())

    def forget(self) -> None:
        self.objects.fresh.clear()

    def stage(self, new: str, place: Path) -> None:
        """Write the objects of a commit as one pack, and its branch file, into a folder. Not synced. Raises OSError."""
        name, made, index = build_pack({one.id: (one.kind, one.data) for one in self.objects.fresh.values()})
        write_file(place / f"{name}.pack", made)
        write_file(place / f"{name}.idx", index)
        write_file(place / _BRANCH_FILE, f"{new}\n".encode())

    def take_in(self, place: Path) -> None:
        """Move staged packs to the others, the index last, by which git finds them.

        Raises Damaged when one is not whole, OSError.
        """
        names = sorted(os.listdir(place)) if place.is_dir() else []  # noqa: PTH208 - once a letter
        laid = [name for ends in (".pack", ".idx") for name in names if name.endswith(ends)]
        if broken := [name for name in laid if not is_whole_pack(place / name)]:
            raise Damaged(f"{self._name}: {broken[0]} was never written to its end; nothing was changed")
        for name in laid:
            os.rename(place / name, self._gitdir / "objects" / "pack" / name)  # noqa: PTH104
        self.objects.placed()

    def take_back(self, place: Path) -> None:
        """Remove the index of a staged pack from the others: a power cut kept only one of two moves."""
        for made in place.glob("*.pack"):
            moved = self._gitdir / "objects" / "pack" / made.name
            if not moved.exists():
                moved.with_suffix(".idx").unlink(missing_ok=True)

    def _graft(self, tree: GitObject | None, changes: Mapping[str, Any]) -> str:
        """Make a tree with some lines changed; its id. Raises KeyError where a file to be removed is not there."""
        lines: dict[str, tuple[bytes, str] | None] = {}
        for name, change in changes.items():
            there = _in(tree, name) if tree else ""
            if isinstance(change, dict):
                lines[name] = FOLDER, self._graft(self.objects.get(there, "tree") if there else None, change)
            elif change is None:
                lines[name] = None
            elif there != blob_id(change):
                lines[name] = FILE, self.objects.add("blob", change)
        return self.objects.add("tree", edited_tree(tree, lines))

    def move_branch(self, old: str, place: Path) -> None:
        """Move the branch to the staged commit. Raises StoreError when it is no longer at `old`."""
        branch = self._gitdir / BRANCH
        lock = branch.with_name(f"{branch.name}.lock")
        try:
            # As git does it: only whoever holds the lock file may move the branch.
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
        """Put the branch on a commit, on the disk when it returns. Raises Damaged when there is no such commit."""
        self.tree(commit)
        branch = self._gitdir / BRANCH
        branch.parent.mkdir(exist_ok=True)
        replace_file(branch, f"{commit}\n".encode(), self._gitdir / "pbem")


def branch_tip(gitdir: str | Path) -> str:
    """The last commit of a repository; empty when its branch is missing or holds no id.

    The branch has a file of its own, or a line in the file of packed refs. Source: git-pack-refs.
    """
    with suppress(OSError):
        text = _text(f"{gitdir}/{BRANCH}").strip()
        return text if _ID.fullmatch(text) else ""
    with suppress(OSError):
        if found := _PACKED.search(_text(f"{gitdir}/packed-refs")):
            return found[1]
    return ""


def _text(path: str) -> str:
    """A small file, read in few calls: every game's branch is read at each start."""
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


def _in(tree: GitObject, name: str) -> str:
    """The id of a name in what may be a tree; empty when there is none."""
    return tree_entry(tree, name) if tree.kind == "tree" else ""


def _commit(found: GitObject) -> Commit:
    said = commit_headers(found)
    message = found.data.split(b"\n\n", 1)[-1].decode("utf-8", "replace")
    lines = reversed(message.rstrip().splitlines()[1:])
    trailers = {match[1]: match[2] for match in takewhile(bool, map(_TRAILER.fullmatch, lines)) if match}
    at = datetime.fromtimestamp(int(said["committer"][0].split()[-2]), UTC)
    return Commit(found.id, at, message.split("\n", 1)[0], message, trailers, tuple(said.get("parent", ())))
