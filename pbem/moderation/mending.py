"""Mending: what `check` has found is put right, as far as history or a clone can say what is right.

Nothing that somebody may have meant is undone without being told to: a hand edit that could be a position is kept or
put back as the moderator chooses, and what is put back is kept aside.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pbem.desk.commit import confirm_people
from pbem.desk.desk import Desk
from pbem.desk.rebuild import rebuild
from pbem.moderation import adopting, returning, salvage
from pbem.moderation.check import inspected
from pbem.store.audit import Fault, Remedy
from pbem.store.database import AnsweredBy
from pbem.store.durable import Disks, replace_files
from pbem.store.inbound_queue import mark_handled
from pbem.store.owner import close
from pbem.store.record import records
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.trouble import StoreError

ROUNDS = 40
"""Mendings after which something must be wrong with mending itself."""


@dataclass(frozen=True, slots=True)
class MendChoice:
    """What the moderator has chosen where it is not ours to choose."""

    adopt: bool = False
    restore: bool = False
    back: bool = False
    source: Path | None = None
    why: str = ""


@dataclass
class Mended:
    """What was done, in words, what could not be, and what is left."""

    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: tuple[Fault, ...] = ()


def mend(desk: Desk, game: str, choice: MendChoice) -> Mended:
    """Mend a game as far as it goes. Raises LockHeld when somebody works on it, StoreError, OSError."""
    found, tried = Mended(), set()
    with (
        desk.services.store.open(game).lock("mend", check=False) as repo,
        closing(Disks([repo.folder])) as disks,
    ):
        for _ in range(ROUNDS):
            found.left = inspected(desk.services, repo)
            fault = next((one for one in found.left if _key(one) not in tried and _may(one, choice)), None)
            if fault is None:
                break
            tried.add(_key(fault))
            try:
                found.done.append(_WAYS[fault.remedy](desk, repo, fault, choice))
            except (StoreError, LookupError) as odd:
                # What stops one remedy may stop the next as well.
                place = f"{fault.what} {fault.path}".strip()
                if not any(one.endswith(f": {odd}") for one in found.failed):
                    found.failed.append(f"{place}: {odd}")
        if found.done:
            # Objects that libgit2 writes are synced by nobody else.
            disks.sync()
    return found


def ways_back(desk: Desk, game: str) -> returning.WayBack | None:
    """What `mend` with `back` would lose of a game; None when it would not go back. Raises Damaged, LockHeld."""
    with desk.services.store.open(game).lock("mend", check=False) as repo:
        found = inspected(desk.services, repo)
        if not any(one.remedy in (Remedy.BACK, Remedy.LOST, Remedy.BRANCH, Remedy.COPY) for one in found):
            return None
        return returning.way_back(desk.services, repo)


def new_spool(mail: Path) -> str:
    """Set a damaged spool aside, so that a new one is made and filled from the games. Raises OSError."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for name in ("spool.sqlite", "spool.sqlite-wal", "spool.sqlite-shm"):
        if (mail / name).exists():
            (mail / name).rename(mail / f"{name}.damaged-{stamp}")
    return f"the damaged spool is kept as {mail / f'spool.sqlite.damaged-{stamp}'}, a new one is filled"


def _key(fault: Fault) -> tuple[str, str, str]:
    """What is tried once: some remedies mend everything of their kind at once, others one path."""
    single = fault.what == "file" or fault.remedy in (Remedy.OBJECT, Remedy.TIDY)
    return fault.what, fault.path if single else "", str(fault.remedy)


def _may(fault: Fault, choice: MendChoice) -> bool:
    match fault.remedy:
        case Remedy.NONE:
            return False
        case Remedy.CHOICE:
            return choice.adopt or choice.restore
        case Remedy.BACK | Remedy.LOST:
            return choice.back or choice.source is not None
        case Remedy.COPY:
            return choice.source is not None
        case _:
            return True


def _branch(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    last = repo.last_written
    try:
        repo.point_at(last)
    except (StoreError, ValueError):
        way = returning.way_back(desk.services, repo)
        if way.loses and not choice.back:
            raise StoreError(f"{way}; `pbem mend --back` does it") from None
        return returning.go_back(desk, repo, choice.why)
    salvage.opened_anew(repo)
    return f"the branch main is back on {last[:10]}"


def _head(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    replace_files(repo.gitdir, {"HEAD": b"ref: refs/heads/main\n"}, repo.gitdir / "pbem")
    return "HEAD names the branch main again"


def _tidy(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    if fault.what == "journal":
        repo.point_at(repo.head)
        return "the journal is written anew"
    (repo.folder / fault.path).unlink(missing_ok=True)
    return f"{fault.path} is removed"


def _index(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    return f"{salvage.index_packs(repo)} indexes of packs are made anew"


def _object(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    salvage.write_blob(repo, fault.path)
    return f"{fault.path} is written into the history again"


def _copy(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    if choice.source is None:
        raise StoreError("a clone or a backup is needed")
    return f"{salvage.copy_objects(repo, choice.source)} objects are copied from {choice.source}"


def _back(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    if choice.source is not None:
        return _copy(desk, repo, fault, choice)
    return returning.go_back(desk, repo, choice.why)


def _take(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    count = salvage.set_bad_packs_aside(repo, {})
    return f"{count} damaged packs are set aside; what still reads out of them is in a sound one"


def _restore(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    kept = repo.restore([fault.path])
    aside = f"; what lay there is kept as {kept[0]}" if kept else ""
    return f"{fault.path} is what the last commit says{aside}"


def _choose(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    if choice.adopt:
        return adopting.adopt(desk, repo, fault, choice.why)
    if fault.what == "file":
        return _restore(desk, repo, fault, choice)
    if fault.what == "hand":
        by_hand = repo.head
        repo.point_at(repo.last_written)
        salvage.opened_anew(repo)
        kept = repo.restore([change.path for change in repo.status() if change.how != "unknown"])
        aside = f" and {kept[0].parent}" if kept else ""
        return f"the branch is back on {repo.head[:10]}; the commit made by hand is still there as {by_hand}{aside}"
    return adopting.refold(desk, repo, choice.why)


def _outbox(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    spool = desk.services.spool
    ready = [row.message_id for row in spool.rows(repo.name, "ready")]
    empty = [message_id for message_id in ready if not spool.raw(message_id).startswith(b"From: ")]
    with spool.change() as db:
        for message_id in empty:
            db.execute("DELETE FROM outbox WHERE message_id = ?", (message_id,))
    count = rebuild(desk.services, repo)
    spool.catch_up(repo)
    return f"the outbox is what the history says; {count} mails go again"


def _letters(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    spool, name = desk.services.spool, repo.name
    number, count = Stored.read(repo).table.records, 0
    for record in records(repo, secret=False):
        if record.letter and spool.seen(record.letter.digest) is None:
            with spool.change() as db:
                mark_handled(db, record.letter.digest, AnsweredBy(name, record.number))
            count += 1
    again = returning.play_again(desk, name, number)
    return f"{count} letters are known as answered, {again} are played again"


def _people(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    return adopting.people(desk, repo)


def _settle(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    confirm_people(desk.services, repo, Stored.read(repo))
    return "who holds the seat is decided"


def _close(desk: Desk, repo: GameRepo, fault: Fault, choice: MendChoice) -> str:
    return f"{close(repo.folder)} files and folders are closed to other users"


_WAYS: dict[Remedy, Callable[[Desk, GameRepo, Fault, MendChoice], str]] = {
    Remedy.BRANCH: _branch,
    Remedy.HEAD: _head,
    Remedy.TIDY: _tidy,
    Remedy.INDEX: _index,
    Remedy.OBJECT: _object,
    Remedy.COPY: _copy,
    Remedy.BACK: _back,
    Remedy.LOST: _back,
    Remedy.TAKE: _take,
    Remedy.RESTORE: _restore,
    Remedy.CHOICE: _choose,
    Remedy.OUTBOX: _outbox,
    Remedy.LETTERS: _letters,
    Remedy.PEOPLE: _people,
    Remedy.SETTLE: _settle,
    Remedy.CLOSE: _close,
}
