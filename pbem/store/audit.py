"""Looks through a whole game for damage, and says in words what is wrong and what would help."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from engine.errors import PositionError
from pbem.store.history import History
from pbem.store.objects import blob_id, items
from pbem.store.record import Record, paths
from pbem.store.repo import GameRepo
from pbem.store.stored import SECRET, STATE, Stored
from pbem.store.trouble import Damaged, StoreError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and what would help. `what`: branch, pack, commit, object, file, state, record."""

    what: str
    path: str
    says: str
    mend: str


def fsck(repo: GameRepo) -> tuple[Finding, ...]:
    """Everything that is wrong with a game, worst first; empty when it is sound.

    Takes the lock (LockHeld), and with it finishes a checkout that a crash interrupted. Every object of the history
    is read and its hash compared; every record is parsed. Whether the entries fold to the position is not known here.
    """
    try:
        with repo.lock("fsck", check=False):
            return _all(repo)
    except Damaged:
        return _all(repo)


def _all(repo: GameRepo) -> tuple[Finding, ...]:
    # Opened afresh: objects that were read before are kept, and their loss would not be noticed.
    history = History(repo.gitdir, repo.name)
    tip = history.tip
    if not tip:
        last = repo.last_written
        known = bool(last) and not _objects(repo, history, last)
        mend = f"put the branch back on {last}" if known else "copy the repository back from a backup or a clone"
        return (Finding("branch", "refs/heads/main", "the branch main is missing or its file holds no commit", mend),)
    found = _objects(repo, history, tip)
    found = _packs(repo, bool(found)) + found
    if not any(finding.what == "commit" for finding in found):
        found += _position(repo, tip)
    return tuple(found + _files(repo))


def _packs(repo: GameRepo, lacking: bool) -> list[Finding]:
    """Packs and their indexes end with the hash of what is before it; each needs the other.

    A pack without an index is what a kill leaves, and is told only when objects are `lacking`.
    """
    found = []
    folder = repo.gitdir / "objects" / "pack"
    remedy = {".pack": "copy the file from a backup or a clone", ".idx": "make it anew with `git index-pack`"}
    for file in sorted(folder.glob("pack-*")):
        if file.suffix not in remedy:
            continue
        raw = file.read_bytes()
        path = f".git/objects/pack/{file.name}"
        if hashlib.sha1(raw[:-20], usedforsecurity=False).digest() != raw[-20:]:
            found.append(Finding("pack", path, f"{path} is damaged", remedy[file.suffix]))
        other = ".idx" if file.suffix == ".pack" else ".pack"
        if not file.with_suffix(other).exists() and (lacking or other == ".pack"):
            found.append(Finding("pack", path, f"{path} lacks its {other} file", remedy[other]))
    return found


def _objects(repo: GameRepo, history: History, tip: str) -> list[Finding]:
    """Every object reachable from `tip` that is missing or whose content is not what its name promises."""
    found: list[Finding] = []
    seen: set[str] = set()
    waiting = [tip]
    back = 0
    while waiting:
        commit = waiting.pop()
        if commit in seen:
            continue
        seen.add(commit)
        try:
            said = history.commit(commit)
        except Damaged:
            if back:
                says = f"the commit {back} before the last is missing or damaged; older positions cannot be reached"
                mend = "copy the object from a backup or a clone; the game can go on"
            else:
                says = "the last commit is missing or damaged"
                mend = "put the branch back on an older commit, or use a backup"
            found.append(Finding("commit", "", says, mend))
            continue
        _tree(repo, history, said["tree"][0], "", commit, seen, found)
        waiting += said.get("parent", ())
        back += 1
    return found


def _tree(
    repo: GameRepo, history: History, tree: str, path: str, commit: str, seen: set[str], found: list[Finding]
) -> None:
    if tree in seen:
        return
    seen.add(tree)
    try:
        folder = history.objects.get(tree, "tree")
    except Damaged:
        says = f"the folder {path or '/'} of commit {commit[:10]} is missing or damaged in the history"
        found.append(Finding("object", path, says, "copy the object from a backup or a clone"))
        return
    for item in items(folder):
        where = f"{path}/{item.name}".lstrip("/")
        if item.folder:
            _tree(repo, history, item.id, where, commit, seen, found)
        elif item.id not in seen:
            seen.add(item.id)
            try:
                history.objects.get(item.id, "blob")
            except Damaged:
                says = f"{where} of commit {commit[:10]} is missing or damaged in the history"
                found.append(Finding("object", where, says, _rescue(repo, where, item.id)))


def _rescue(repo: GameRepo, path: str, wanted: str) -> str:
    try:
        if blob_id(repo.work(path)) == wanted:
            return "write it again from the work file, which is whole"
    except OSError:
        pass
    return "copy the object from a backup or a clone"


def _position(repo: GameRepo, tip: str) -> list[Finding]:
    """Whether the last commit's files can be read, and the records are all there and follow on one another."""
    undo = "go back to the last commit that can be read, or mend the file by hand"
    try:
        table = Stored.from_toml(repo.read(STATE, tip), repo.read(SECRET, tip)).table
    except KeyError as error:
        return [Finding("state", str(error.args[0]), f"{error.args[0]} is not in the last commit", undo)]
    except (PositionError, StoreError) as error:
        return [Finding("state", getattr(error, "where", "").split(":")[0], str(error), undo)]
    found = []
    if table.game != repo.name:
        says = f"the game calls itself {table.game}, its folder is {repo.name}"
        found.append(Finding("state", STATE, says, "rename the folder"))
    entries = 0
    for number in range(1, table.records + 1):
        path = paths(number)[0]
        try:
            record = Record.read(repo, number, tip)
        except KeyError:
            says = f"record {number} of {table.records} is not in the last commit"
            found.append(Finding("record", path, says, "copy it from an older commit, a backup or a clone"))
            continue
        except (PositionError, StoreError) as error:
            found.append(Finding("record", path, str(error), "copy it from an older commit, a backup or a clone"))
            continue
        if record.entries and record.first <= entries:
            says = f"its entries begin at {record.first}, {entries} were counted before"
            found.append(Finding("record", path, says, "compare it with the commit that wrote it"))
        entries = max(entries, record.last) if record.entries else entries
    if not found and entries != table.entries:
        says = f"the table counts {table.entries} entries, the records {entries}"
        found.append(Finding("state", STATE, says, "set table.entries to what the records hold"))
    if repo.has(paths(table.records + 1)[0], tip):
        says = f"there is a record {table.records + 1}, the table counts {table.records}"
        found.append(Finding("state", STATE, says, "set table.records to what the chronicle holds"))
    return found


def _files(repo: GameRepo) -> list[Finding]:
    try:
        changes = repo.status()
    except StoreError:
        return []
    ways = {"changed": "differs from the last commit", "missing": "is missing from the folder of the game"}
    mend = "commit the edit with a reason, or put the committed text back"
    return [Finding("file", c.path, f"{c.path} {ways[c.how]}", mend) for c in changes if c.how in ways]
