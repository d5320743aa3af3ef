"""Looks through the repository of a game for damage, and says in words what is wrong and what would help."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import PositionError
from pbem.store.commit_record import Record, record_paths
from pbem.store.errors import Damaged, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.git_objects import tree_items
from pbem.store.history import History
from pbem.store.repack import damaged_packs
from pbem.store.state_file import SECRET_FILE, STATE_FILE, StoredGame


class Remedy(StrEnum):
    """What `pbem mend` can do about a fault, in words."""

    NONE = ""
    BRANCH = "put the branch back on the last commit that was written"
    HEAD = "let HEAD name the branch main again"
    TIDY = "remove what a killed program left behind"
    OLDER = "bring it back from a clone or a backup: `pbem mend --from FOLDER`; the game goes on without it"
    LOST = (
        "bring back what is lost from a clone or a backup: `pbem mend --from FOLDER`. Where there is none, go back to "
        "the newest step that is whole; what that would lose is shown before: `pbem mend --back`"
    )
    BACK = "go back to the last step that is sound, and play again the letters that came later: `pbem mend --back`"
    RESTORE = "put the committed text back; what lies there is kept aside"
    CHOICE = "keep the change (`pbem mend --adopt --why …`), or put the old text back (`pbem mend --restore`)"
    OUTBOX = "release or drop the mails as the history says, and write those anew that are missing"
    LETTERS = "note in the spool which letters were answered"
    SPOOL = "set the file aside and fill a new spool from the histories of the games"
    FILL = "fill a new one from the histories of the games"
    PEOPLE = "write the people anew from the table and from where mail went"
    SETTLE = "decide by the history who holds the seat"
    CLOSE = "take from other users what they may read and write there"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: its kind, its place, what it is, and what mends it."""

    what: str
    path: str
    says: str
    remedy: Remedy = Remedy.NONE
    person: str = ""
    """What a person has to do where there is no remedy."""

    @property
    def mend(self) -> str:
        return str(self.remedy) or self.person


UNREADABLE = frozenset({"branch", "commit", "pack", "object", "state", "record"})
"""Kinds of fault that may hide the last position or its records."""


def is_unreadable(fault: Fault) -> bool:
    """Whether the last position or its records cannot be read because of a fault. Older steps can be missed."""
    return fault.what in UNREADABLE and fault.remedy is not Remedy.OLDER


def check_repository(repo: GameRepo) -> tuple[Fault, ...]:
    """Everything that is wrong with a repository, worst first; empty when it is sound.

    Takes the lock (LockHeld), which completes an interrupted commit. Reads every object of the history, compares its
    hash, and parses every record. Whether the entries fold to the position is checked elsewhere.
    """
    try:
        with repo.lock("fsck", check=False):
            return _all(repo)
    except Damaged:
        return _all(repo)


def _all(repo: GameRepo) -> tuple[Fault, ...]:
    # Opened anew, because the loss of objects that were read before would not be noticed.
    history = History(repo.gitdir, repo.name)
    tip = history.tip
    if not tip:
        says, remedy = "the branch main is missing or its file holds no commit", Remedy.BRANCH
        if not repo.last_written or _objects(history, repo.last_written):
            says, remedy = f"{says}, and the last commit that was written is not whole", Remedy.LOST
        return (Fault("branch", "refs/heads/main", says, remedy),)
    found = _objects(history, tip)
    lost = any(one.remedy is Remedy.LOST for one in found)
    for index in damaged_packs(repo.gitdir):
        path = f".git/objects/pack/{index.stem}"
        # The objects that cannot be read say what is lost with a pack.
        found.insert(0, Fault("pack", path, f"{path} is damaged", Remedy.LOST if lost else Remedy.OLDER))
    if not any(one.what == "commit" and one.remedy is Remedy.LOST for one in found):
        found += missing_records(repo, tip)
    return tuple(found + _files(repo))


def _objects(history: History, tip: str) -> list[Fault]:
    """Every object reachable from `tip` that is missing or whose content is not what its name promises."""
    found: list[Fault] = []
    seen, commits, back = {tip}, [tip], 0
    while commits:
        commit = commits.pop()
        # Without its last commit a game cannot go on.
        remedy = Remedy.OLDER if back else Remedy.LOST
        try:
            said = history.commit(commit)
        except Damaged:
            says = f"the commit {back} before the last is missing or damaged; older positions cannot be reached"
            found.append(Fault("commit", "", says if back else "the last commit is missing or damaged", remedy))
            continue
        waiting = [("", said["tree"][0])]
        while waiting:
            path, oid = waiting.pop()
            if oid in seen:
                continue
            seen.add(oid)
            try:
                one = history.objects.get(oid)
            except Damaged:
                says = f"{path or 'the root folder'} of commit {commit[:10]} is missing or damaged in the history"
                found.append(Fault("object", path, says, remedy))
                continue
            if one.kind == "tree":
                waiting += [(f"{path}/{item.name}".lstrip("/"), item.id) for item in tree_items(one)]
        parents = [parent for parent in said.get("parent", ()) if parent not in seen]
        seen.update(parents)
        commits += parents
        back += 1
    return found


def missing_records(repo: GameRepo, tip: str) -> list[Fault]:
    """The faults of a commit's files: whether they can be read, and no record is missing."""
    try:
        table = StoredGame.from_toml(repo.read(STATE_FILE, tip), repo.read(SECRET_FILE, tip)).table
    except KeyError as error:
        return [Fault("state", str(error.args[0]), f"{error.args[0]} is not in the last commit", Remedy.BACK)]
    except (PositionError, StoreError) as error:
        return [Fault("state", getattr(error, "where", "").split(":")[0], str(error), _after(error))]
    found = []
    if table.game != repo.name:
        says = f"the game calls itself {table.game}, its folder is {repo.name}"
        found.append(Fault("state", STATE_FILE, says, Remedy.BACK))
    entries = 0
    for number in range(1, table.records + 1):
        path = record_paths(number)[0]
        try:
            record = Record.opened(repo, number, tip)
        except (KeyError, PositionError, StoreError) as error:
            lost = f"record {number} of {table.records} is not in the last commit"
            found.append(Fault("record", path, lost if isinstance(error, KeyError) else str(error), _after(error)))
            continue
        if record.entries and record.first <= entries:
            says = f"its entries begin at {record.first}, {entries} were counted before"
            found.append(Fault("record", path, says, Remedy.BACK))
        entries = max(entries, record.last) if record.entries else entries
    if not found and entries != table.entries:
        says = f"the table counts {table.entries} entries, the records {entries}"
        found.append(Fault("state", STATE_FILE, says, Remedy.BACK))
    # A folder that cannot be read was told above.
    with suppress(Damaged):
        if repo.id_of(record_paths(table.records + 1)[0], tip):
            says = f"there is a record {table.records + 1}, the table counts {table.records}"
            found.append(Fault("state", STATE_FILE, says, Remedy.BACK))
    return found


def _after(error: Exception) -> Remedy:
    """What helps when a file cannot be read: it is lost, or it is there and makes no sense."""
    return Remedy.LOST if isinstance(error, Damaged) else Remedy.BACK


def _files(repo: GameRepo) -> list[Fault]:
    try:
        changes = repo.status()
    except StoreError:
        return []
    ways = {"changed": "differs from the last commit", "missing": "is missing from the folder of the game"}
    return [Fault("file", c.path, f"{c.path} {ways[c.how]}", _of_file(repo, c.path)) for c in changes]


def _of_file(repo: GameRepo, path: str) -> Remedy:
    """A work file that is no position is damage; one that could be one is somebody's repair."""
    try:
        if path not in (STATE_FILE, SECRET_FILE):
            return Remedy.RESTORE
        state, secret = (repo.work(name) if name == path else repo.read(name) for name in (STATE_FILE, SECRET_FILE))
        StoredGame.from_toml(state, secret)
    except (OSError, KeyError, PositionError, StoreError):
        return Remedy.RESTORE
    return Remedy.CHOICE
