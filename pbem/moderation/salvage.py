"""What can be saved of a damaged repository: objects from work files and clones, indexes of packs, the branch.

Every function works under the game's lock and leaves what it replaces aside in `.git/pbem`.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pygit2

from pbem.store.audit import UNREADABLE, Remedy, fsck
from pbem.store.history import History
from pbem.store.objects import headers
from pbem.store.repo import GameRepo
from pbem.store.trouble import Damaged, StoreError

OLDER = ("commit", Remedy.COPY)


def git(gitdir: Path, *words: str) -> str:
    """The output of a git command. Raises StoreError with what it said."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    done = subprocess.run(
        ["git", f"--git-dir={gitdir}", *words], env=clean, capture_output=True, text=True, check=False
    )
    if done.returncode and not done.stdout:
        raise StoreError(f"git {words[0]} failed: {done.stderr.strip()[:300]}")
    return done.stdout


def opened_anew(repo: GameRepo) -> None:
    """Forget what was read: objects that come and go behind libgit2 are not seen otherwise."""
    repo.history = History(repo.gitdir, repo.name)


def index_packs(repo: GameRepo) -> int:
    """Make the missing and broken indexes of packs anew; how many."""
    count = 0
    for pack in (repo.gitdir / "objects" / "pack").glob("pack-*.pack"):
        index = pack.with_suffix(".idx")
        raw = index.read_bytes() if index.exists() else b""
        if raw and hashlib.sha1(raw[:-20], usedforsecurity=False).digest() == raw[-20:]:
            continue
        if raw:
            index.rename(repo.gitdir / "pbem" / f"kept-{index.name}")
        git(repo.gitdir, "index-pack", str(pack))
        count += 1
    opened_anew(repo)
    return count


def set_bad_packs_aside(repo: GameRepo) -> None:
    """Move packs whose check sum is wrong out of the way, so that their objects can be written again."""
    for pack in (repo.gitdir / "objects" / "pack").glob("pack-*.pack"):
        raw = pack.read_bytes()
        if hashlib.sha1(raw[:-20], usedforsecurity=False).digest() != raw[-20:]:
            for file in (pack, pack.with_suffix(".idx")):
                with suppress(FileNotFoundError):
                    file.rename(repo.gitdir / "pbem" / f"kept-{file.name}")
    for index in (repo.gitdir / "objects" / "pack").glob("pack-*.idx"):
        if not index.with_suffix(".pack").exists():
            index.rename(repo.gitdir / "pbem" / f"kept-{index.name}")
    opened_anew(repo)


def write_blob(repo: GameRepo, path: str) -> None:
    """Write the object of a work file again."""
    made: Any = pygit2.Repository(str(repo.gitdir))
    made.create_blob(repo.work(path))
    opened_anew(repo)


def copy_objects(repo: GameRepo, source: Path) -> int:
    """Copy every object that the game lacks from a clone, a backup, or a bundle of it; how many.

    Raises StoreError when `source` is no repository.
    """
    gitdir = source / ".git" if (source / ".git").is_dir() else source
    try:
        other: Any = pygit2.Repository(str(gitdir))
    except pygit2.GitError:
        raise StoreError(f"{source} is no repository of a game") from None
    set_bad_packs_aside(repo)
    ours: Any = pygit2.Repository(str(repo.gitdir))
    count = 0
    for found in other.odb:
        if found in ours.odb and _whole(repo, str(found)):
            continue
        kind, data = other.odb.read(found)
        loose = repo.gitdir / "objects" / str(found)[:2] / str(found)[2:]
        if loose.exists():
            loose.rename(repo.gitdir / "pbem" / f"kept-{found}")
            ours = pygit2.Repository(str(repo.gitdir))
        ours.odb.write(kind, data)
        count += 1
    opened_anew(repo)
    return count


def _whole(repo: GameRepo, found: str) -> bool:
    try:
        repo.history.objects.get(found)
    except Damaged:
        return False
    return True


def commits(repo: GameRepo) -> Iterator[tuple[int, str]]:
    """Every commit that can still be read, of whatever branch: (record, id), the last record first."""
    made: Any = pygit2.Repository(str(repo.gitdir))
    found = []
    for oid in made.odb:
        with suppress(Damaged, ValueError):
            one = repo.history.objects.get(str(oid))
            lines = re.findall(rb"^Record: ([0-9]+)$", one.data, re.MULTILINE) if one.kind == "commit" else ()
            if lines:
                when = int(headers(one)["committer"][0].split()[-2])
                found.append((int(lines[-1]), when, one.id))
    yield from ((record, oid) for record, _, oid in sorted(found, reverse=True))


def sound_tip(repo: GameRepo) -> str:
    """Put the branch on the newest commit all of whose objects are whole; its id. Raises Damaged when there is none."""
    set_bad_packs_aside(repo)
    with suppress(StoreError):
        index_packs(repo)
    for _, oid in commits(repo):
        try:
            repo.point_at(oid)
            # A game can go on without commits before the last.
            bad = [one for one in fsck(repo) if one.what in UNREADABLE and (one.what, one.remedy) != OLDER]
        except StoreError:
            continue
        if not bad:
            opened_anew(repo)
            return oid
    raise Damaged(f"{repo.name}: no commit is whole; a clone or a backup is needed (`pbem mend --from FOLDER`)")
