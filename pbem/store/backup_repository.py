"""A host's backup: a bare git repository that is pushed to a folder or to any other repository.

A game's history goes as it is. All else is one commit without a parent, so that what was forgotten is in no later
backup. Databases are cut into pieces of a fixed size, of which few differ after a letter. Everything arrives in one
push, whole or not at all: a crash leaves the backup before it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pygit2

from pbem.store import git as git_call
from pbem.store.durable_files import Disks, private_umask
from pbem.store.errors import StoreError
from pbem.store.git_objects import is_unsafe_name
from pbem.store.history import History

HOST_REF = "refs/pbem/host"
GAME_REFS = "refs/pbem/games/"
EARLIER_REFS = "refs/pbem/earlier/"
"""Histories that another has replaced, as after a reset, each under its last commit."""

PIECE_SIZE = 64 * 1024


def backup_git(folder: Path, *words: str, given: str = "") -> str:
    """What git prints in the bare repository `folder`, with the user's own configuration and ssh keys.

    Raises StoreError with git's own words.
    """
    return git_call.run_git(folder, *words, given=given, user_settings=True).decode()


def is_remote(target: str) -> bool:
    """Whether a target is on another machine, not a folder."""
    return not Path(target).is_dir() and ("://" in target or ":" in target.partition("/")[0])


def bare_repository(folder: Path) -> Path:
    """A bare repository at `folder`, closed to others, made if it is not there. Raises StoreError."""
    if not (folder / "HEAD").is_file():
        with private_umask():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
        backup_git(folder, "init", "--quiet", "--bare")
        backup_git(folder, "config", "gc.pruneExpire", "now")
        # Otherwise git would ask the games for their refs, and fail at a damaged one.
        backup_git(folder, "config", "core.alternateRefsPrefixes", "refs/none/")
    return folder


def drop_game_refs(place: Path) -> None:
    """Remove all refs but that of the host, and the borrowed objects, so that only objects of its own are named."""
    names = backup_git(place, "for-each-ref", "--format=%(refname)").split()
    backup_git(place, "update-ref", "--stdin", given="".join(f"delete {name}\n" for name in names if name != HOST_REF))
    share_objects(place, ())


def remote_refs(place: Path, target: str) -> dict[str, str]:
    """The refs of a backup at a target, with their commits; empty when there is none. Raises StoreError."""
    rows = (line.split("\t") for line in backup_git(place, "ls-remote", "--", target, "refs/pbem/*").splitlines())
    return {name: commit for commit, name in rows}


def fetch_refs(place: Path, target: str, *specs: str) -> None:
    """Fetch refs of a target. Raises StoreError."""
    try:
        backup_git(place, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", target, *specs)
    except StoreError as odd:
        raise StoreError(
            f"{odd}\nSo what lies at {target} cannot be read; nothing was written. `git fsck --full` there tells "
            "whether it is damaged; a new backup, at another place, is whole"
        ) from None


def share_objects(place: Path, gitdirs: Iterable[Path]) -> None:
    """Let a bare repository read the objects of these repositories without a copy."""
    lines = "".join(f"{gitdir.absolute() / 'objects'}\n" for gitdir in gitdirs)
    (place / "objects" / "info" / "alternates").write_text(lines, encoding="utf-8")


def damage_of(place: Path, gitdir: Path, commit: str, known: str) -> str:
    """What is damaged of a repository's history since the commit `known` (of all, where that is not here); else empty.

    Every object is read: git would find a damaged one only in the middle of the push.
    """
    since = [f"^{known}"] if known and is_ancestor(place, known, commit) else []
    try:
        found = backup_git(place, "rev-list", "--objects", "--no-object-names", commit, *since)
        objects = History(gitdir, gitdir.parent.name).objects
        for one in found.split():
            objects.get(one)
    except StoreError as odd:
        return str(odd)
    return ""


def is_ancestor(place: Path, old: str, new: str) -> bool:
    try:
        backup_git(place, "merge-base", "--is-ancestor", old, new)
    except StoreError:
        return False
    return True


def point_refs(place: Path, refs: Mapping[str, str]) -> None:
    backup_git(
        place, "update-ref", "--stdin", given="".join(f"update {name} {commit}\n" for name, commit in refs.items())
    )


def push_refs(place: Path, target: str, refs: Iterable[str]) -> None:
    """Push these refs to a target, all or none. Raises StoreError."""
    backup_git(place, "push", "--quiet", "--atomic", "--", target, *(f"+{name}:{name}" for name in refs))
    backup_git(place, "prune", "--expire=now")


def commit_files(place: Path, files: Mapping[str, bytes], says: str, at: datetime) -> str:
    """Make a commit of these files without a parent, on the disk when it returns; its id. Raises OSError."""
    repo: Any = pygit2.Repository(str(place))
    index = pygit2.Index()
    with closing(Disks([place])) as disks:
        for name, data in files.items():
            pieces = {name: data} if not name.endswith(".sqlite") else _pieces(name, data)
            for path, piece in pieces.items():
                index.add(pygit2.IndexEntry(path, repo.create_blob(piece), pygit2.enums.FileMode.BLOB))
        who = pygit2.Signature("pbem", "pbem@localhost", int(at.timestamp()), 0)
        commit = str(repo.create_commit(None, who, who, says, index.write_tree(repo), []))
        # git never writes an object again that is there: a torn one would spoil every later backup.
        disks.sync()
    return commit


def _pieces(name: str, data: bytes) -> dict[str, bytes]:
    return {
        f"{name}/{start // PIECE_SIZE:08}": data[start : start + PIECE_SIZE]
        for start in range(0, len(data), PIECE_SIZE)
    }


def read_files(place: Path, commit: str) -> dict[str, bytes]:
    """The files of such a commit. Raises StoreError, also for a name that would lead out of its folder."""
    repo: Any = pygit2.Repository(str(place))
    found: dict[str, bytes] = {}

    def walk(tree: Any, before: str) -> None:
        for entry in sorted(tree, key=lambda entry: str(entry.name)):
            name = f"{before}{entry.name}"
            if is_unsafe_name(str(entry.name)) or entry.type_str not in ("blob", "tree"):
                raise StoreError(f"what lies there names {name!r}, which is no file of a host; nothing was made")
            if entry.type_str == "blob":
                found[name] = entry.data
            elif name.endswith(".sqlite"):
                pieces = sorted(entry, key=lambda piece: str(piece.name))
                found[name] = b"".join(piece.data for piece in pieces)
            else:
                walk(entry, f"{name}/")

    try:
        walk(repo[commit].peel(pygit2.Tree), "")
    except (KeyError, ValueError, pygit2.GitError) as odd:
        raise StoreError(f"what lies there is not whole: {odd}; nothing was made") from None
    return found


def copy_database(file: Path) -> bytes:
    """A database as it is at one instant, while others write to it. Raises StoreError when it is damaged."""
    with (
        closing(sqlite3.connect(f"file:{quote(str(file))}?mode=rw", uri=True, timeout=30)) as here,
        closing(sqlite3.connect(":memory:")) as there,
    ):
        try:
            here.backup(there)
        except sqlite3.Error as odd:
            raise StoreError(f"{file}: {odd}; nothing was backed up. `pbem fsck` says what would mend it") from None
        return there.serialize()
