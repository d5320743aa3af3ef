"""What can be saved of a damaged repository: objects from work files and clones, indexes of packs, the branch.

Every function works under the game's lock, and none makes a game less readable than it was: what is put in the place of
something damaged is on the disk before that is set aside in `.git/pbem`, and what still reads out of it is in it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygit2

from pbem.store.audit import lacks
from pbem.store.durable import Disks, replace_file, write_unsynced
from pbem.store.git import git
from pbem.store.history import History
from pbem.store.objects import Found, blob_id, headers, id_of, items
from pbem.store.packfile import KIND_OF, pack_of
from pbem.store.packing import whole
from pbem.store.repo import GameRepo
from pbem.store.stored import SECRET, STATE
from pbem.store.trouble import Damaged, StoreError
from pbem.store.unpacking import readable


def opened_anew(repo: GameRepo) -> None:
    """Forget what was read: objects that come and go behind libgit2 are not seen otherwise."""
    repo.history = History(repo.gitdir, repo.name)


def index_packs(repo: GameRepo) -> int:
    """Make the missing and broken indexes of whole packs anew; how many. Raises StoreError when there is none such."""
    count = 0
    for pack in _packs(repo):
        index = pack.with_suffix(".idx")
        if not whole(pack) or (index.exists() and whole(index)):
            continue
        made = repo.gitdir / "pbem" / index.name
        made.unlink(missing_ok=True)
        git(repo.gitdir, "index-pack", "-o", str(made), str(pack))
        if index.exists():
            index.rename(_kept(repo, index.name))
        made.replace(index)
        count += 1
    if not count:
        raise StoreError("the pack is damaged itself")
    opened_anew(repo)
    return count


def _packs(repo: GameRepo) -> list[Path]:
    return sorted((repo.gitdir / "objects" / "pack").glob("pack-*.pack"))


def _kept(repo: GameRepo, name: str) -> Path:
    """Where something is set aside."""
    return repo.gitdir / "pbem" / f"kept-{name}"


def taken_out(repo: GameRepo) -> dict[str, Found]:
    """Whatever still reads out of packs that are damaged, or lack their index. Nothing is changed."""
    found: dict[str, Found] = {}
    for pack in _packs(repo):
        index = pack.with_suffix(".idx")
        raw = index.read_bytes() if index.exists() and whole(index) else b""
        if not raw or not whole(pack):
            found |= {one.id: one for one in readable(pack.read_bytes(), raw)}
    return found


def set_bad_packs_aside(repo: GameRepo, more: Mapping[str, Found]) -> int:
    """Put one sound pack of all that still reads in the place of the damaged ones, with `more`; how many these were.

    It is on the disk before they are set aside.
    """
    bad = [pack for pack in _packs(repo) if not whole(pack)]
    objects = {**taken_out(repo), **more}
    own, place = repo.gitdir / "pbem", repo.gitdir / "objects" / "pack"
    with closing(Disks([repo.gitdir])) as disks:
        for pack in bad:
            # The new one may have the same name: what is damaged is kept under another before anything takes its place.
            for file in (pack, pack.with_suffix(".idx")):
                if file.exists():
                    replace_file(_kept(repo, file.name), file.read_bytes())
        new = place / "none"
        if objects:
            name, made, index = pack_of({one.id: (one.kind, one.data) for one in objects.values()})
            new = place / f"{name}.pack"
            for file, data in ((new, made), (new.with_suffix(".idx"), index)):
                write_unsynced(own / file.name, data)
                disks.sync()
                (own / file.name).replace(file)
                disks.sync()
        for pack in bad:
            if pack != new:
                # Its index first, by which git looks for it.
                for file in (pack.with_suffix(".idx"), pack):
                    file.unlink(missing_ok=True)
        for orphan in place.glob("pack-*.idx"):
            if not orphan.with_suffix(".pack").exists():
                orphan.rename(_kept(repo, orphan.name))
        disks.sync()
    opened_anew(repo)
    for one in objects.values():
        # A loose one is read before those in packs.
        loose = _loose(repo, one.id)
        if loose.exists() and not reads(repo, one.id):
            loose.rename(_kept(repo, one.id))
    opened_anew(repo)
    return len(bad)


def _loose(repo: GameRepo, found: str) -> Path:
    return repo.gitdir / "objects" / found[:2] / found[2:]


def reads(repo: GameRepo, found: str) -> Found | None:
    """An object, if it can be read."""
    try:
        return repo.history.objects.get(found)
    except Damaged:
        return None


def write_blob(repo: GameRepo, path: str) -> None:
    """Write the object of a work file again, by ourselves: libgit2 writes none that a damaged pack names."""
    data = repo.work(path)
    loose = _loose(repo, blob_id(data))
    if loose.exists():
        loose.rename(_kept(repo, loose.parent.name + loose.name))
    loose.parent.mkdir(exist_ok=True, mode=0o700)
    replace_file(loose, zlib.compress(b"blob %d\0" % len(data) + data))
    opened_anew(repo)


def copy_objects(repo: GameRepo, source: Path) -> int:
    """Copy every object that the game lacks from a clone, or a backup, and nothing else that lies there; how many.

    Raises StoreError when `source` is no repository, or has none of them.
    """
    gitdir = source / ".git" if (source / ".git").is_dir() else source
    try:
        other: Any = pygit2.Odb(str(gitdir / "objects"))
        pygit2.Repository(str(gitdir))
    except pygit2.GitError:
        raise StoreError(f"{source} is no repository of a game") from None
    seen: set[str] = set()
    copied: dict[str, Found] = {}
    waiting = [repo.history.tip or repo.last_written]
    while waiting:
        found = waiting.pop()
        if found in seen:
            continue
        seen.add(found)
        one = reads(repo, found)
        if one is None and (one := _of(other, found)):
            copied[found] = one
        waiting += _named(one) if one else ()
    if set_bad_packs_aside(repo, copied) or copied:
        return len(copied)
    raise StoreError(f"{source} has nothing of what is missing")


def _of(other: Any, found: str) -> Found | None:
    """An object of another repository; None where it lacks it, too, or it is damaged there."""
    try:
        kind, data = other.read(found)[:2]
    except (KeyError, ValueError, OSError, pygit2.GitError):
        return None
    one = Found(found, KIND_OF.get(int(kind), ""), bytes(data))
    return one if one.kind and id_of(one.kind, one.data) == found else None


def _named(one: Found) -> Iterable[str]:
    """The objects that one needs."""
    if one.kind == "tree":
        return [item.id for item in items(one)]
    if one.kind == "commit":
        said = headers(one)
        return [*said["tree"], *said.get("parent", ())]
    return ()


@dataclass(frozen=True, slots=True)
class Sound:
    """The newest commit that is whole once `objects` are written: the game can go on from there."""

    commit: str
    objects: Mapping[str, Found]


def newest_sound(repo: GameRepo, plays: Callable[[GameRepo, str], bool]) -> Sound:
    """The newest commit that is whole by itself, with what still reads out of damaged packs and the work files.

    Commits before it may be lost: a game can go on without them. `plays` says whether a whole one holds a position.
    Nothing is changed. Raises Damaged when there is none.
    """
    opened_anew(repo)
    taken, work = taken_out(repo), {}
    for name in (STATE, SECRET):
        with suppress(OSError):
            data = repo.work(name)
            work[blob_id(data)] = Found(blob_id(data), "blob", data)
    # They are read as those of a commit in the making, and forgotten again.
    repo.history.objects.fresh.update(work | taken)
    known: dict[str, bool] = {}
    try:
        for oid in _candidates(repo):
            if _is_whole(repo, oid, known) and not lacks(repo, oid) and plays(repo, oid):
                wanted = {item.id for item in items(repo.history.tree(oid))}
                return Sound(oid, taken | {name: one for name, one in work.items() if name in wanted})
    finally:
        opened_anew(repo)
    raise Damaged(
        f"{repo.name}: no commit is whole, and nothing was changed; a clone or a backup is needed "
        "(`pbem mend --from FOLDER`)"
    )


def _candidates(repo: GameRepo) -> Iterator[str]:
    """The last commit, those before it as far as they can be reached, and then whatever others there are."""
    tip, seen = repo.history.tip or repo.last_written, set()
    if tip:
        with suppress(StoreError):
            for commit in repo.log(start=tip):
                seen.add(commit.id)
                yield commit.id
    yield from (oid for _, oid in commits(repo) if oid not in seen)


def _is_whole(repo: GameRepo, found: str, known: dict[str, bool]) -> bool:
    """Whether an object reads, and all that it needs but the commits before."""
    if found not in known:
        one = reads(repo, found)
        needs = () if one is None else headers(one)["tree"] if one.kind == "commit" else _named(one)
        known[found] = one is not None and all(_is_whole(repo, need, known) for need in needs)
    return known[found]


def commits(repo: GameRepo) -> Iterator[tuple[int, str]]:
    """Every commit that can still be read, of whatever branch: (record, id), the last record first."""
    made: Any = pygit2.Odb(str(repo.gitdir / "objects"))
    found = []
    for oid in {*map(str, made), *repo.history.objects.fresh}:
        with suppress(ValueError):
            one = reads(repo, oid)
            lines = re.findall(rb"^Record: ([0-9]+)$", one.data, re.MULTILINE) if one and one.kind == "commit" else ()
            if one and lines:
                when = int(headers(one)["committer"][0].split()[-2])
                found.append((int(lines[-1]), when, one.id))
    yield from ((record, oid) for record, _, oid in sorted(found, reverse=True))


def stand_on(repo: GameRepo, sound: Sound) -> None:
    """Write what still reads, set damaged packs aside, and put the branch on a commit that is whole then."""
    set_bad_packs_aside(repo, sound.objects)
    if repo.history.tip != sound.commit:
        repo.point_at(sound.commit)
    opened_anew(repo)


def lent(repo: GameRepo, sound: Sound) -> None:
    """Let objects that are not written yet be read, until `opened_anew`."""
    opened_anew(repo)
    repo.history.objects.fresh.update(sound.objects)
