"""A letter costs the same on a host that has kept a million: no question to the spool on its way reads a whole table.

SQLite reads a whole table also where an index would do, if a query does not say what the index was made for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.host.scheduler import utc_now
from pbem.store.database import OutgoingMail, QueuedMail, SqliteFile
from pbem.store.spool import Spool
from tests.daemon.batches import Post, letters, opened

GROW = ("outbox", "letters", "places", "handled", "taken", "mails", "spent", "words", "later", "games")


class Listener:
    """The statements that a ledger runs, with their values in them."""

    def __init__(self, ledger: SqliteFile) -> None:
        self._db = ledger._db
        self.said: list[str] = []

    def __enter__(self) -> Listener:
        self._db.set_trace_callback(self.said.append)
        return self

    def __exit__(self, *_: object) -> None:
        self._db.set_trace_callback(None)

    def whole(self) -> list[str]:
        """Statements that read a whole table which grows."""
        asked = {said for said in self.said if said.startswith(("SELECT", "UPDATE", "DELETE", "INSERT"))}
        return [f"{plan}: {said[:300]}" for said in sorted(asked) for plan in self._plans(said)]

    def _plans(self, said: str) -> list[str]:
        aliases = {"p": "places", "l": "letters", "h": "handled", "o": "outbox"}
        # What is gone through by one of these holds only what is not done with.
        partial = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%INDEX% WHERE %'")}
        found = []
        for *_, step in self._db.execute(f"EXPLAIN QUERY PLAN {said}"):
            words = str(step).split()
            table = aliases.get(words[1], words[1]) if len(words) > 1 else ""
            whole = words[0] == "SCAN" and partial.isdisjoint(words)
            # A key that is searched without a condition is read to its end.
            if table in GROW and (whole or (words[0] == "SEARCH" and words[-2:] == ["PRIMARY", "KEY"])):
                found.append(str(step))
        return found


def test_no_letter_and_no_mail_reads_a_whole_table(tmp_path: Path) -> None:
    """From the fetched letter to the mail that the server has taken, and the letter filed."""
    service = opened(tmp_path, tables=2)
    post = Post(service)
    post.round()
    spool, words = Listener(service.spool), Listener(service.spool.words)
    for number in range(2):
        post.deliver(list(letters(service, number)))
        with spool, words:
            post.round()
    assert len(spool.said) > 100 and any(said.startswith("UPDATE outbox") for said in spool.said)
    assert [] == [*spool.whole(), *words.whole()]
    service.close()


@pytest.mark.parametrize(
    "ask",
    [
        lambda spool: spool.due(utc_now()),
        lambda spool: spool.next_due(utc_now()),
        lambda spool: spool.sent(["a"], utc_now()),
        lambda spool: spool.failed("a", "no such user"),
        lambda spool: spool.delayed("a", utc_now(), timedelta(minutes=1), "", "", 0.0, 1.0),
        lambda spool: spool.parts(QueuedMail("a", "", "", "", "", "", b"", "ready", 0, None, "", utc_now())),
        lambda spool: spool.waiting(),
        lambda spool: spool.to_file(),
        lambda spool: spool.fetched(1, 2),
        lambda spool: spool.gathered(),
        lambda spool: spool.waits("tale-3"),
    ],
)  # fmt: skip
def test_what_a_daemon_asks_again_and_again_reads_no_whole_table(
    tmp_path: Path, ask: Callable[[Spool], object]
) -> None:
    spool = Spool(tmp_path)
    spool.enqueue(OutgoingMail("a", "anna", "anna@players.test", b"words"), "tale-3")
    with Listener(spool) as heard:
        ask(spool)
    assert heard.said and [] == heard.whole()
    spool.close()


def test_a_whole_table_is_found(tmp_path: Path) -> None:
    """As it was done for every mail that was sent, and for every look at what waits."""
    spool = Spool(tmp_path)
    heard = Listener(spool)
    heard.said += [
        "UPDATE outbox SET state = 'sent' WHERE within = 'a' AND state = 'bound'",
        "SELECT (SELECT min(uid) FROM places p WHERE p.digest = l.digest) FROM letters l WHERE state = 'new'",
        "SELECT count(*) FROM letters WHERE state = 'quarantined'",
        "SELECT count(*) FROM outbox",
    ]
    assert len(heard.whole()) == 4
    with pytest.raises(sqlite3.OperationalError):
        heard._plans("SELECT nothing FROM nowhere")
    spool.close()
