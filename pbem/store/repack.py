"""Joins the many small packs that single commits leave into one; at no instant is an object in no pack.

The steps, with what a kill or a power cut leaves after each:

1. git writes the new pack into a folder of our own: the old packs stand, the folder is thrown away next time;
2. the new pack is compared with all that there is, and synced to the disk: the same;
3. it is moved to its place, synced, then its index, synced: each object is found in one of both packs;
4. the indexes of the old packs are removed, and that is synced: what is left of them is in the new pack as well;
5. the old packs, which git no longer looks at, are removed.

`git repack` itself syncs no folder before it removes the old packs, so its parts are called one by one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pygit2

from pbem.store.durable_files import Disks
from pbem.store.errors import StoreError
from pbem.store.git import run_git

PACKED = "packed"
"""The folder inside `.git/pbem` that a new pack is written to."""

_ALL = (
    "--quiet", "--all", "--reflog", "--indexed-objects", "--keep-unreachable", "--pack-loose-unreachable",
    "--keep-true-parents", "--delta-base-offset", "--non-empty",
)  # fmt: skip
"""Every object there is, also those that no commit names, or that none names while the branch is lost."""


def count_packs(folder: Path) -> int:
    """How many packs the game in `folder` has; cheap enough to ask of every game once a day."""
    try:
        with os.scandir(folder / ".git" / "objects" / "pack") as found:
            return sum(file.name.endswith(".idx") for file in found)
    except FileNotFoundError:
        return 0


def is_whole_pack(made: Path) -> bool:
    """Whether a pack, or its index, ends with the hash of what stands before. Source: gitformat-pack of git."""
    data = made.read_bytes()
    return hashlib.sha1(data[:-20], usedforsecurity=False).digest() == data[-20:]


def damaged_packs(gitdir: Path) -> list[Path]:
    """The indexes of packs that are damaged or missing, or are damaged themselves.

    A pack without an index is what a kill leaves; git does not look at it.
    """
    indexes = sorted((gitdir / "objects" / "pack").glob("pack-*.idx"))
    return [
        index for index in indexes
        if not all(file.exists() and is_whole_pack(file) for file in (index, index.with_suffix(".pack")))
    ]  # fmt: skip


def restore_indexes(gitdir: Path, own: Path) -> int:
    """Let git make each index anew that is missing or damaged beside a whole pack. Returns how many."""
    count = 0
    for pack in sorted((gitdir / "objects" / "pack").glob("pack-*.pack")):
        index, made = pack.with_suffix(".idx"), own / pack.with_suffix(".idx").name
        if is_whole_pack(pack) and not (index.exists() and is_whole_pack(index)):
            made.unlink(missing_ok=True)
            with suppress(StoreError):
                run_git(gitdir, "index-pack", "-o", str(made), str(pack))
                made.replace(index)
                count += 1
    return count


def repack_game(gitdir: Path, own: Path, git: Callable[..., None]) -> None:
    """Pack a repository, under its lock. `own` is a folder of its disk, and `git` runs a call of git.

    Raises StoreError, and then nothing was removed; OSError.
    """
    name, objects, place = gitdir.parent.name, gitdir / "objects" / "pack", own / PACKED
    if bad := damaged_packs(gitdir):
        raise StoreError(f"{name}: {bad[0].stem} is damaged or not there; nothing was packed")
    before = list(objects.glob("pack-*.idx"))
    shutil.rmtree(place, ignore_errors=True)
    (place / "objects" / "pack").mkdir(parents=True)
    with closing(Disks([gitdir])) as disks:
        git("pack-objects", *_ALL, str(place / "objects" / "pack" / "pack"))
        if bad := damaged_packs(place):
            raise StoreError(f"{name}: {bad[0].stem} was never written to its end; nothing was packed")
        if lacking := _objects(gitdir) - _objects(place):
            raise StoreError(f"{name}: {len(lacking)} objects would be lost; nothing was packed")
        disks.sync()
        new = move_packs(place, gitdir, disks)
        old = [index for index in before if index.name not in new]
        for index in old:
            index.unlink()
        disks.sync()
    for index in old:
        for file in objects.glob(f"{index.stem}.*"):
            file.unlink()
    git("prune-packed", "--quiet")
    shutil.rmtree(place)


def move_packs(source: Path, gitdir: Path, disks: Disks) -> set[str]:
    """Move the packs of one repository to another one: packs first, then the indexes by which git finds them.

    Returns the names of the indexes. Both lie on the same disk.
    """
    names = set()
    for suffix in (".pack", ".idx"):
        for file in sorted((source / "objects" / "pack").glob(f"pack-*{suffix}")):
            file.replace(gitdir / "objects" / "pack" / file.name)
            names.add(file.name)
        disks.sync()
    return {name for name in names if name.endswith(".idx")}


def _objects(gitdir: Path) -> set[str]:
    """The names of all objects, packed and loose."""
    return set(map(str, pygit2.Odb(str(gitdir / "objects"))))
