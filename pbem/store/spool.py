"""The spool: letters that came and mails that must go, in one SQLite file beside the games.

A mail is `prepared` before the commit that promises it and becomes `ready` after it. After a kill between the two the
next start reads the records, which also name the answered letters: a lost spool is filled from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from engine.errors import PositionError
from pbem.store.commit_record import Record, read_records, record_paths
from pbem.store.database import OPEN_MAILS, TODAY, OutgoingMail
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.inbound_queue import InboundQueue
from pbem.store.outbound_queue import OutboundQueue, drop_prepared, insert_mail
from pbem.store.private_text import PrivateText


class Spool(InboundQueue, OutboundQueue):
    """The spool in `folder`, and beside it the words that people write.

    A change is on the disk when its method returns, unless the next commit brings it there or a record repeats it.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.words = PrivateText(folder)

    def close(self) -> None:
        super().close()
        self.words.close()

    def moved_on(self, store: GameStore) -> tuple[str, ...]:
        """The games whose last commit the spool does not know or cannot read; reads one small file a game."""
        heads, names = dict(self.ask("SELECT game, head FROM games")), set(store.names())
        for name in tuple(names):
            with suppress(StoreError, OSError):
                if store.head(name) == heads.get(name):
                    names.remove(name)
        return tuple(sorted(names))

    def recover(self, store: GameStore, moved: Collection[str] | None = None) -> tuple[str, ...]:
        """Bring the spool up to the games' last commits, at each start before any letter; why games cannot be read.

        `moved` is the result of `moved_on`, if known. Other games are read only if they have prepared mails.
        """
        unsure = {game for (game,) in self.ask(f"SELECT game FROM outbox WHERE {OPEN_MAILS} AND state = 'prepared'")}
        troubles = []
        gone = {name for name in unsure if not store.has(name)}
        for name in sorted({*(self.moved_on(store) if moved is None else moved), *unsure} - gone):
            try:
                self.catch_up(store.open(name))
            except (StoreError, PositionError, KeyError, OSError) as error:
                troubles.append(f"{name}: {error}")
        with self.change() as db:
            for name in gone:
                drop_prepared(db, name)
        return tuple(troubles)

    def prepare(self, game: str, record: Record, mails: Sequence[OutgoingMail], repo: GameRepo | None = None) -> None:
        """Prepare the mails of a record before its commit, under the game's lock; without `repo` for record 1.

        The commit in `repo` is not published before they are on the disk. What an earlier attempt at this record
        prepared is dropped. Raises StoreError for the message_id of a committed mail.
        """
        if repo is not None and self._indexed(game) != record.number - 1:
            self.catch_up(repo)
        if (known := self._indexed(game)) != record.number - 1:
            raise StoreError(f"{game}: record {record.number} cannot follow on {known}; nothing was prepared")
        if repo is not None:
            repo.group_commit.cover(self.file.parent)
        with self.change(survives="a power cut" if repo is None else "a kill") as db:
            drop_prepared(db, game)
            for mail in mails:
                if not insert_mail(db, game, mail, "prepared", record):
                    raise StoreError(f"the mail {mail.message_id} was sent before; nothing was prepared")

    def catch_up(self, repo: GameRepo) -> None:
        """Bring the spool up to the game's last commit.

        Prepared mails of committed records become ready, others are dropped. Called after a commit that raised an
        error, too, because it may stand all the same.
        """
        with repo.lock("recovery", check=False):
            # A failed commit may have left changes that are not on the disk yet.
            repo.settle()
            after = self._indexed(repo.name)
            head = repo.head
            while after and not repo.id_of(record_paths(after)[0]):
                after -= 1
            self._rewind(repo.name, after)
            for record in read_records(repo, after, commit=head):
                self.committed(repo.name, head, record)
                after = record.number
            with self.change() as db:
                drop_prepared(db, repo.name)
                db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (repo.name, after, head))

    def _rewind(self, game: str, record: int) -> None:
        """Rename the mails of records that are lost after `record`, whose numbers are given again."""
        text = """UPDATE outbox SET message_id = message_id || '.lost-' || number, record = 0
            WHERE game = ? AND record > ? AND state <> 'prepared'"""
        self.do(text, game, record)

    def _indexed(self, game: str) -> int:
        rows = self.ask("SELECT record FROM games WHERE game = ?", game)
        return int(rows[0][0]) if rows else 0

    def forget(self, game: str, records: Iterable[int]) -> None:
        """Empty the letters that these records answer, and those of their mails that are done with."""
        with self.emptying() as db:
            for number in records:
                where = "game = ? AND record = ?"
                done = "UPDATE outbox SET raw = x'' WHERE state IN ('sent', 'failed') AND"
                db.execute(f"{done} {where}", (game, number))
                db.execute(f"{done} message_id IN (SELECT within FROM outbox WHERE {where})", (game, number))
                came = f"digest IN (SELECT digest FROM handled WHERE {where}) AND state <> 'new'"
                db.execute(f"UPDATE letters SET raw = NULL, stray = 0 WHERE {came}", (game, number))

    def forget_person(self, address: str, letters: Iterable[str]) -> None:
        """Empty somebody's letters, by digest, and the mails to their address that are done with, with the address.

        Letters that wait and mails that are still to go stay as they are.
        """
        with self.emptying() as db:
            gone = "rcpt = ? AND state IN ('sent', 'failed')"
            db.execute(f"UPDATE outbox SET raw = x'', rcpt = '' WHERE {gone}", (address,))
            of = "UPDATE letters SET raw = NULL, stray = 0 WHERE digest = ? AND state <> 'new'"
            db.executemany(of, ((digest,) for digest in letters))

    def prune(self, days: int) -> int:
        """Count a day, and empty the letters and mails that are done with and so many days old; how many.

        Their rows stay. Called once a day.
        """
        letters = f"""UPDATE letters SET raw = NULL, stray = 0 WHERE state <> 'new' AND day <= {TODAY} - ?
            AND raw IS NOT NULL"""
        mails = f"""UPDATE outbox SET raw = x'' WHERE state IN ('sent', 'failed') AND day <= {TODAY} - ?
            AND length(raw) > 0"""
        with self.change() as db:
            db.execute("UPDATE days SET number = number + 1")
            return sum(db.execute(text, (days,)).rowcount for text in (letters, mails))
