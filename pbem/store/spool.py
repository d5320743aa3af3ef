"""The spool: letters that have come and mails that must go, in one SQLite file beside the games.

Outgoing bytes are laid down as `prepared` before the commit that promises them and become `ready` after it. A kill
between the two is mended at the next start from the records, which also tell which letters were answered: a spool
that was lost can be filled again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import PositionError
from pbem.store.database import OPEN, TODAY, Outgoing
from pbem.store.games import GameStore
from pbem.store.inbound_queue import Intray
from pbem.store.outbound_queue import Outtray, drop_prepared, insert
from pbem.store.record import Record, paths, records
from pbem.store.repo import GameRepo
from pbem.store.trouble import StoreError
from pbem.store.words import Words


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a restart found: mails released and dropped, records read, and the games that could not be read."""

    released: int
    dropped: int
    indexed: int
    troubles: tuple[str, ...] = ()


class Spool(Intray, Outtray):
    """The spool in `folder`, and beside it the words that people write. Every change is on the disk when its method
    returns, but for what a commit that follows brings there, or the record of one would tell again."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.words = Words(folder)

    def close(self) -> None:
        """Nothing can be asked afterwards."""
        super().close()
        self.words.close()

    def moved_on(self, store: GameStore) -> tuple[str, ...]:
        """The games whose last commit the spool does not know, or of which it cannot be read; one small file each."""
        heads = dict(self.ask("SELECT game, head FROM games"))

        def same(name: str) -> bool:
            with suppress(StoreError, OSError):
                return store.head(name) == heads.get(name)
            return False

        return tuple(name for name in store.names() if not same(name))

    def recover(self, store: GameStore, moved: Collection[str] | None = None) -> Recovered:
        """Bring the spool up to what the games' last commits say. At each start, before any letter.

        `moved`: those that have moved on, if that was asked already. Of the others only those are looked at that have
        something prepared.
        """
        unsure = {game for (game,) in self.ask(f"SELECT game FROM outbox WHERE {OPEN} AND state = 'prepared'")}
        ready, indexed = self._count("ready"), 0
        dropped, troubles = self._count("prepared"), []
        gone = {name for name in unsure if not store.has(name)}
        for name in sorted({*(self.moved_on(store) if moved is None else moved), *unsure} - gone):
            try:
                indexed += self.catch_up(store.open(name))
            except (StoreError, PositionError, KeyError, OSError) as error:
                troubles.append(f"{name}: {error}")
        with self.change() as db:
            for name in gone:
                drop_prepared(db, name)
        released = self._count("ready") - ready
        left = self._count("prepared")
        return Recovered(released, dropped - released - left, indexed, tuple(troubles))

    def prepare(self, game: str, record: Record, mails: Sequence[Outgoing], repo: GameRepo | None = None) -> None:
        """Lay down the mails of a record before it is committed. Under the game's lock; without `repo`, record 1.

        The commit in `repo` is not moved to its place before they are on the disk.
        Whatever an earlier attempt at this record prepared was never committed and is dropped. Raises StoreError for
        a message_id that a committed mail has already.
        """
        if repo is not None and self._indexed(game) != record.number - 1:
            self.catch_up(repo)
        if (known := self._indexed(game)) != record.number - 1:
            raise StoreError(f"{game}: record {record.number} cannot follow on {known}; nothing was prepared")
        if repo is not None:
            repo.landing.cover(self.file.parent)
        with self.change(survives="a power cut" if repo is None else "a kill") as db:
            drop_prepared(db, game)
            for mail in mails:
                if not insert(db, game, mail, "prepared", record):
                    raise StoreError(f"the mail {mail.message_id} was sent before; nothing was prepared")

    def catch_up(self, repo: GameRepo) -> int:
        """Bring the spool up to the game's last commit; how many records were read.

        Prepared mails of committed records become ready, others are dropped. To be called when a commit raised an
        error, because it may stand all the same.
        """
        count = 0
        with repo.lock("recovery", check=False):
            # A commit that failed has left what is not on the disk yet.
            repo.settle()
            after = self._indexed(repo.name)
            head = repo.head
            while after and not repo.has(paths(after)[0]):
                after -= 1
            self._rewind(repo.name, after)
            for record in records(repo, after, commit=head):
                self.committed(repo.name, head, record)
                count += 1
            with self.change() as db:
                drop_prepared(db, repo.name)
                db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (repo.name, after + count, head))
        return count

    def _rewind(self, game: str, record: int) -> None:
        """A game that lost its last commits gives their numbers again; what was sent for them keeps another name."""
        with self.change() as db:
            db.execute(
                """UPDATE outbox SET message_id = message_id || '.lost-' || number, record = 0
                WHERE game = ? AND record > ? AND state <> 'prepared'""",
                (game, record),
            )

    def _indexed(self, game: str) -> int:
        rows = self.ask("SELECT record FROM games WHERE game = ?", game)
        return int(rows[0][0]) if rows else 0

    def forget(self, game: str, records: Iterable[int]) -> None:
        """Empty the bytes of letters that these records answer, and of their mails that need not go any more."""
        with self.emptying() as db:
            for number in records:
                where = "game = ? AND record = ?"
                done = "UPDATE outbox SET raw = x'' WHERE state IN ('sent', 'failed') AND"
                db.execute(f"{done} {where}", (game, number))
                db.execute(f"{done} message_id IN (SELECT within FROM outbox WHERE {where})", (game, number))
                came = f"digest IN (SELECT digest FROM handled WHERE {where}) AND state <> 'new'"
                db.execute(f"UPDATE letters SET raw = NULL, stray = 0 WHERE {came}", (game, number))

    def forget_person(self, address: str, letters: Iterable[str]) -> None:
        """Empty the bytes of somebody's letters, by digest, and of the mails to their address that need not go any
        more, and take the address away from these. What has just come, and what is still to go, keeps both."""
        with self.emptying() as db:
            gone = "rcpt = ? AND state IN ('sent', 'failed')"
            db.execute(f"UPDATE outbox SET raw = x'', rcpt = '' WHERE {gone}", (address,))
            of = "UPDATE letters SET raw = NULL, stray = 0 WHERE digest = ? AND state <> 'new'"
            db.executemany(of, ((digest,) for digest in letters))

    def _count(self, state: str) -> int:
        return int(self.ask(f"SELECT count(*) FROM outbox WHERE {OPEN} AND state = ?", state)[0][0])

    def prune(self, days: int) -> int:
        """A day is over: empty the bytes of letters and mails that are done with and came so many days ago; how many.

        That they were stays known. To be called once a day.
        """
        with self.change() as db:
            db.execute("UPDATE days SET number = number + 1")
            letters = db.execute(
                f"""UPDATE letters SET raw = NULL, stray = 0 WHERE state <> 'new' AND day <= {TODAY} - ?
                AND raw IS NOT NULL""",
                (days,),
            ).rowcount
            mails = db.execute(
                f"""UPDATE outbox SET raw = x'' WHERE state IN ('sent', 'failed') AND day <= {TODAY} - ?
                AND length(raw) > 0""",
                (days,),
            ).rowcount
        return letters + mails
