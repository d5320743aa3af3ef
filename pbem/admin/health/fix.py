"""Puts right what `check` has found, as far as the history, a backup or the moderator can say what is right.

Nothing that somebody may have meant is undone without being told to: the moderator chooses whether a hand edit that
could be a position is kept or put back, and what is put back is kept aside.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pbem.admin.health import accept_edit, reset_to_good
from pbem.admin.health.game_health import check_game
from pbem.desk.desk import Desk
from pbem.desk.transaction.commit import confirm_people
from pbem.desk.transaction.rebuild import rebuild_spool
from pbem.store.audit import Fault, Remedy
from pbem.store.commit_record import read_records
from pbem.store.database import AnsweredBy
from pbem.store.durable_files import Disks, replace_file
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.inbound_queue import mark_handled
from pbem.store.permissions import close_to_others
from pbem.store.repack import restore_indexes
from pbem.store.state_file import StoredGame

MAX_FIXES = 40
"""Remedies after which something must be wrong with mending itself."""


@dataclass(frozen=True, slots=True)
class FixChoice:
    """What the moderator has chosen; `source` is a backup or a clone."""

    adopt: bool = False
    restore: bool = False
    back: bool = False
    source: Path | None = None
    why: str = ""

    def allows(self, remedy: Remedy) -> bool:
        """Whether a remedy may be tried."""
        return {
            Remedy.NONE: False,
            Remedy.CHOICE: self.adopt or self.restore,
            Remedy.BACK: self.back or self.source is not None,
            Remedy.LOST: self.back or self.source is not None,
            Remedy.OLDER: self.source is not None,
        }.get(remedy, True)


@dataclass
class FixReport:
    """What was done, in words, what could not be, and what is left."""

    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: tuple[Fault, ...] = ()


def fix_game(desk: Desk, game: str, choice: FixChoice) -> FixReport:
    """Mend a game as far as it goes. Raises LockHeld when somebody works on it, StoreError, OSError."""
    found, tried = FixReport(), set()
    with (
        desk.services.store.open(game).lock("mend", check=False) as repo,
        closing(Disks([repo.folder])) as disks,
    ):
        mending = _Mending(desk, repo, choice)
        if count := restore_indexes(repo.gitdir, repo.own):
            found.done.append(f"{count} indexes of packs are made anew")
            repo.reopen()
        for _ in range(MAX_FIXES):
            found.left = check_game(desk.services, repo)
            fault = next((one for one in found.left if _key(one) not in tried and choice.allows(one.remedy)), None)
            if fault is None:
                break
            tried.add(_key(fault))
            try:
                found.done.append(_WAYS[fault.remedy](mending, fault))
            except (StoreError, LookupError) as odd:
                # What stops one remedy may stop the next as well.
                place = f"{fault.what} {fault.path}".strip()
                if not any(one.endswith(f": {odd}") for one in found.failed):
                    found.failed.append(f"{place}: {odd}")
        if found.done:
            # The journal and git's index are written without a sync.
            disks.sync()
    return found


def preview_reset(desk: Desk, game: str, source: Path | None) -> reset_to_good.ResetPlan | None:
    """What `mend` would lose of a game, with `source` or without; None when it would not reset it.

    Raises Damaged, StoreError, LockHeld.
    """
    with desk.services.store.open(game).lock("mend", check=False) as repo:
        if restore_indexes(repo.gitdir, repo.own):
            repo.reopen()
        found = check_game(desk.services, repo)
        if not any(one.remedy in (Remedy.BACK, Remedy.LOST, Remedy.OLDER) for one in found):
            return None
        return reset_to_good.plan_reset(desk.services, repo, source)


def set_spool_aside(mail: Path) -> str:
    """Set a damaged spool aside, so that a new one is made and filled from the games. Raises OSError."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for name in ("spool.sqlite", "spool.sqlite-wal", "spool.sqlite-shm"):
        if (mail / name).exists():
            (mail / name).rename(mail / f"{name}.damaged-{stamp}")
    return f"the damaged spool is kept as {mail / f'spool.sqlite.damaged-{stamp}'}, a new one is filled"


def _key(fault: Fault) -> tuple[str, str, str]:
    """What is tried once: most remedies mend all faults of their kind, some only one path."""
    single = fault.what == "file" or fault.remedy is Remedy.TIDY
    return fault.what, fault.path if single else "", str(fault.remedy)


@dataclass(frozen=True, slots=True)
class _Mending:
    """A game that is mended, under its lock. Each method tries one remedy and says what it has done."""

    desk: Desk
    repo: GameRepo
    choice: FixChoice

    def branch(self, fault: Fault) -> str:
        last = self.repo.last_written
        self.repo.point_at(last)
        self.repo.reopen()
        return f"the branch main is back on {last[:10]}"

    def head(self, fault: Fault) -> str:
        replace_file(self.repo.gitdir / "HEAD", b"ref: refs/heads/main\n")
        return "HEAD names the branch main again"

    def tidy(self, fault: Fault) -> str:
        if fault.what == "journal":
            self.repo.point_at(self.repo.head)
            return "the journal is written anew"
        (self.repo.folder / fault.path).unlink(missing_ok=True)
        return f"{fault.path} is removed"

    def reset(self, fault: Fault) -> str:
        return reset_to_good.reset_game(self.desk, self.repo, self.choice.source, self.choice.why)

    def restore(self, fault: Fault) -> str:
        kept = self.repo.restore([fault.path])
        aside = f"; what lay there is kept as {kept[0]}" if kept else ""
        return f"{fault.path} is what the last commit says{aside}"

    def choose(self, fault: Fault) -> str:
        if self.choice.adopt:
            return accept_edit.accept_hand_edit(self.desk, self.repo, fault, self.choice.why)
        if fault.what == "file":
            return self.restore(fault)
        if fault.what == "hand":
            by_hand = self.repo.head
            self.repo.point_at(self.repo.last_written)
            self.repo.reopen()
            kept = self.repo.restore([change.path for change in self.repo.status()])
            aside = f" and {kept[0].parent}" if kept else ""
            head = self.repo.head[:10]
            return f"the branch is back on {head}; the commit made by hand is still there as {by_hand}{aside}"
        return accept_edit.rebuild_position(self.desk, self.repo, self.choice.why)

    def outbox(self, fault: Fault) -> str:
        services, name = self.desk.services, self.repo.name
        with services.spool.change() as db:
            empty = "game = ? AND state = 'ready' AND substr(raw, 1, 6) <> CAST('From: ' AS BLOB)"
            db.execute(f"DELETE FROM outbox WHERE {empty}", (name,))
        count = rebuild_spool(services, self.repo)
        services.spool.catch_up(self.repo)
        return f"the outbox is what the history says; {count} mails go again"

    def letters(self, fault: Fault) -> str:
        spool, name, count = self.desk.services.spool, self.repo.name, 0
        for record in read_records(self.repo, secret=False):
            if record.letter and spool.seen(record.letter.digest) is None:
                with spool.change() as db:
                    mark_handled(db, record.letter.digest, AnsweredBy(name, record.number))
                count += 1
        again = reset_to_good.replay_letters(self.desk, name, StoredGame.read(self.repo).table.records)
        return f"{count} letters are known as answered, {again} are played again"

    def people(self, fault: Fault) -> str:
        return accept_edit.rebuild_people(self.desk, self.repo)

    def settle(self, fault: Fault) -> str:
        confirm_people(self.desk.services, self.repo, StoredGame.read(self.repo))
        return "who holds the seat is decided"

    def close(self, fault: Fault) -> str:
        return f"{close_to_others(self.repo.folder)} files and folders are closed to other users"


_WAYS: dict[Remedy, Callable[[_Mending, Fault], str]] = {
    Remedy.BRANCH: _Mending.branch,
    Remedy.HEAD: _Mending.head,
    Remedy.TIDY: _Mending.tidy,
    Remedy.OLDER: _Mending.reset,
    Remedy.BACK: _Mending.reset,
    Remedy.LOST: _Mending.reset,
    Remedy.RESTORE: _Mending.restore,
    Remedy.CHOICE: _Mending.choose,
    Remedy.OUTBOX: _Mending.outbox,
    Remedy.LETTERS: _Mending.letters,
    Remedy.PEOPLE: _Mending.people,
    Remedy.SETTLE: _Mending.settle,
    Remedy.CLOSE: _Mending.close,
}
