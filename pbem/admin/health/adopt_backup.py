"""Finds the newest whole commit of a damaged game, with the help of a backup or a clone if there is one.

Nothing is picked out of damaged packs: what git does not read of them is lost here, and comes back from the backup.
Every function works under the game's lock.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pygit2

from pbem.store.audit import missing_records
from pbem.store.backup_repository import GAME_REFS
from pbem.store.durable_files import Disks
from pbem.store.errors import Damaged, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.git import run_git
from pbem.store.git_objects import GitObject, commit_headers, tree_items
from pbem.store.history import BRANCH
from pbem.store.repack import damaged_packs, move_packs
from pbem.store.worktree import KEPT_PREFIX


@contextmanager
def joined(repo: GameRepo, source: Path) -> Iterator[GameRepo]:
    """The game as `source` has it, with all packs of `repo` that are whole, in a scratch folder.

    `source` is a backup of the host or a clone of the game. Raises StoreError when it does not hold the game, or is
    damaged itself. Nothing of `repo` is changed.
    """
    gitdir = source / ".git" if (source / ".git").is_dir() else source
    try:
        names = run_git(gitdir, "for-each-ref", "--format=%(refname)").decode().split()
    except StoreError:
        raise StoreError(f"{source} is no backup and no clone of a game") from None
    ref = next((name for name in (f"{GAME_REFS}{repo.name}", BRANCH) if name in names), "")
    if not ref:
        raise StoreError(f"{source} does not hold the game {repo.name}")
    scratch = repo.own / "joined"
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        made = GameStore(scratch).adopt(repo.name, gitdir, ref)
        bad = {index.stem for index in damaged_packs(repo.gitdir)}
        for file in (repo.gitdir / "objects").glob("*/*"):
            loose = len(file.parent.name) == len("ff")
            if _reads(repo, file.parent.name + file.name) if loose else file.stem not in bad:
                place = made.gitdir / "objects" / file.parent.name / file.name
                place.parent.mkdir(exist_ok=True, mode=0o700)
                if not place.exists():
                    _link(file, place)
        made.reopen()
        yield made
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _link(file: Path, place: Path) -> None:
    try:
        os.link(file, place)
    except OSError:
        # A disk without hard links.
        shutil.copyfile(file, place)


def take_in(repo: GameRepo, gitdir: Path) -> None:
    """Move the packs of another repository to the game's. Damaged packs and objects are kept in `.git/pbem`."""
    own = repo.own
    with closing(Disks([repo.gitdir])) as disks:
        bad = [file for index in damaged_packs(repo.gitdir) for file in (index, index.with_suffix(".pack"))]
        for file in bad:
            # A whole pack may come under the name of a damaged one, and would take its place.
            if file.exists():
                (own / f"{KEPT_PREFIX}{file.name}").unlink(missing_ok=True)
                _link(file, own / f"{KEPT_PREFIX}{file.name}")
        disks.sync()
        new = move_packs(gitdir, repo.gitdir, disks)
        for file in bad:
            if file.with_suffix(".idx").name not in new:
                file.unlink(missing_ok=True)
        for loose in (repo.gitdir / "objects").glob("??/*"):
            if not _reads(repo, loose.parent.name + loose.name):
                loose.rename(own / f"{KEPT_PREFIX}{loose.parent.name}{loose.name}")
        disks.sync()
    repo.reopen()


def renew(repo: GameRepo) -> None:
    """Let git write all that the branch needs to a whole pack, and keep the damaged ones in `.git/pbem`.

    Raises StoreError where git cannot read all of it; then nothing was changed.
    """
    if damaged_packs(repo.gitdir):
        scratch = repo.own / "renewed"
        shutil.rmtree(scratch, ignore_errors=True)
        (scratch / "objects" / "pack").mkdir(parents=True)
        run_git(repo.gitdir, "pack-objects", "--quiet", "--all", str(scratch / "objects" / "pack" / "pack"))
        if damaged_packs(scratch):
            raise StoreError(f"{repo.name}: the new pack was never written to its end; nothing was changed")
        take_in(repo, scratch)
        shutil.rmtree(scratch)


def newest_whole(repo: GameRepo, plays: Callable[[GameRepo, str], bool], start: str) -> str:
    """The newest commit whose every object reads, the log from `start` first; commits before it may be lost.

    `plays` says whether a whole one holds a position. Raises Damaged when there is none.
    """
    known: dict[str, bool] = {}
    for oid in _candidates(repo, start):
        if _is_whole(repo, oid, known) and not missing_records(repo, oid) and plays(repo, oid):
            return oid
    raise Damaged(
        f"{repo.name}: no commit is whole, and nothing was changed; a clone or a backup is needed "
        "(`pbem mend --from FOLDER`)"
    )


def _candidates(repo: GameRepo, start: str) -> Iterator[str]:
    seen = set()
    if start:
        with suppress(StoreError):
            for commit in repo.log(start=start):
                seen.add(commit.id)
                yield commit.id
    yield from (oid for _, oid in commits(repo) if oid not in seen)


def _is_whole(repo: GameRepo, oid: str, known: dict[str, bool]) -> bool:
    """Whether an object reads with all that it needs, but for earlier commits."""
    if oid not in known:
        one = _reads(repo, oid)
        needs = commit_headers(one)["tree"] if one and one.kind == "commit" else ()
        if one and one.kind == "tree":
            needs = [item.id for item in tree_items(one)]
        known[oid] = one is not None and all(_is_whole(repo, need, known) for need in needs)
    return known[oid]


def _reads(repo: GameRepo, oid: str) -> GitObject | None:
    try:
        return repo.history.objects.get(oid)
    except Damaged:
        return None


def commits(repo: GameRepo) -> Iterator[tuple[int, str]]:
    """Every commit that can still be read, of whatever branch: (record, id), the last record first."""
    every: Any = pygit2.Odb(str(repo.gitdir / "objects"))
    found = []
    for one in (_reads(repo, str(oid)) for oid in every):
        lines = re.findall(rb"^Record: ([0-9]+)$", one.data, re.MULTILINE) if one and one.kind == "commit" else ()
        if one and lines:
            found.append((int(lines[-1]), int(commit_headers(one)["committer"][0].split()[-2]), one.id))
    yield from ((record, oid) for record, _, oid in sorted(found, reverse=True))
