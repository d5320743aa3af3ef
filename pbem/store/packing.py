"""One pack in place of the many that single commits have left, without an instant at which anything lies nowhere.

In this order, with what a kill or a power cut leaves after each step:

1. git writes the new pack into a folder beside its place: the old ones stand, and the folder is thrown away;
2. the names in its index are compared with all that the old ones have, and a sync brings it to the disk: the same;
3. it is moved to its place, a sync, then its index, and a sync, since git looks for a pack whose index it finds: each
   object is found in one of both;
4. the indexes of the old ones are removed, and a sync: whatever is left of them is found in the new one as well;
5. the old packs, at which git does not look any more, are removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from pbem.store.durable import Disks
from pbem.store.trouble import StoreError

PACKED = "packed"
"""The folder, in our own, that a new pack is laid down in."""

_ALL = (
    "--quiet", "--all", "--reflog", "--indexed-objects", "--keep-unreachable", "--pack-loose-unreachable",
    "--keep-true-parents", "--delta-base-offset", "--non-empty",
)  # fmt: skip
"""Whatever there is: also what no commit names any more, or none while the branch is lost."""

_NAMES = 8 + 256 * 4
"""Where in an index the names begin: after its head and the counts by first octet. Source: gitformat-pack of git."""


def packs_in(folder: Path) -> int:
    """How many packs the game in `folder` has; cheap enough to ask of every game once a day."""
    try:
        with os.scandir(folder / ".git" / "objects" / "pack") as found:
            return sum(file.name.endswith(".idx") for file in found)
    except FileNotFoundError:
        return 0


def whole(made: Path) -> bool:
    """Whether a pack, or its index, ends with the hash of what stands before. Source: gitformat-pack of git."""
    data = made.read_bytes()
    return hashlib.sha1(data[:-20], usedforsecurity=False).digest() == data[-20:]


def pack(gitdir: Path, own: Path, git: Callable[..., None]) -> None:
    """Pack a repository, under its lock. `own` is a folder of its disk, and `git` runs a call of git.

    Raises StoreError, and then nothing was removed; OSError.
    """
    objects, place = gitdir / "objects" / "pack", own / PACKED
    before = sorted(objects.glob("pack-*.idx"))
    for file in (*before, *(index.with_suffix(".pack") for index in before)):
        if not (file.exists() and whole(file)):
            raise StoreError(f"{gitdir.parent.name}: {file.name} is missing or damaged; nothing was packed")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    with closing(Disks([gitdir])) as disks:
        git("pack-objects", *_ALL, str(place / "pack"))
        coming = sorted(place.glob("*.idx"))
        if broken := [file.name for file in (*coming, *place.glob("*.pack")) if not whole(file)]:
            raise StoreError(f"{gitdir.parent.name}: {broken[0]} was never written to its end; nothing was packed")
        if lacking := _names(before) - _names(coming):
            raise StoreError(f"{gitdir.parent.name}: {len(lacking)} objects would be lost; nothing was packed")
        stay = {index.name for index in coming}
        disks.sync()
        for suffix in (".pack", ".idx"):
            for file in place.glob(f"*{suffix}"):
                file.rename(objects / file.name)
            disks.sync()
        old = [index for index in before if index.name not in stay]
        for index in old:
            index.unlink()
        disks.sync()
    for index in old:
        for file in objects.glob(f"{index.stem}.*"):
            file.unlink()
    git("prune-packed", "--quiet")
    shutil.rmtree(place)


def _names(indexes: Iterable[Path]) -> set[bytes]:
    """The objects that packs have, by their indexes."""
    found = set()
    for index in indexes:
        data = index.read_bytes()
        count = int.from_bytes(data[_NAMES - 4 : _NAMES])
        found |= {data[at : at + 20] for at in range(_NAMES, _NAMES + 20 * count, 20)}
    return found
