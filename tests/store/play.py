"""A little game of nothing for the store's tests: one letter after another, each a commit with two mails.

Run as a program it plays until it is killed: `python play.py FOLDER LETTERS`, so many letters in each game there is, a
batch at a time.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path

from engine.event_log import LogEntry
from pbem.store.commit_record import AnsweredLetter, Intent, Record
from pbem.store.database import OutgoingMail
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.game_table import SeatRow, Secrets, Status, Table
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame, commit_game, create_game

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SEATS = ("anna", "bob")


def opening(name: str = "mill-1", bulk: int = 40) -> StoredGame:
    """A table of two whose public position is about 100 bytes for each of `bulk`."""
    rows = tuple(SeatRow(seat, seat.title()) for seat in SEATS)
    table = Table(name, "mill", Status.RUNNING, "0.1.0", 1, {"players": "2"}, rows, NOON, NOON)
    secrets = Secrets("ab" * 16, {"anna": "wheel"})
    sacks = [{"id": f"sack-{n}", "flour": n, "owner": SEATS[n % 2], "marks": ["R4", "W3", "Y5"]} for n in range(bulk)]
    return StoredGame(table, secrets, {"turn": 0, "sacks": sacks}, {"deck": list(range(bulk))})


def made(store: GameStore, name: str = "mill-1", bulk: int = 40) -> GameRepo:
    # However slow the machine is.
    store.group_commit.max_seconds = inf
    return create_game(store, opening(name, bulk), Record(1, NOON, "start", "0.1.0"), f"{name} opens")[0]


def letter(number: int, name: str = "mill-1") -> bytes:
    return f"letter {number}{'' if name == 'mill-1' else f' to {name}'}".encode()


def digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def following(stored: StoredGame, raw: bytes, facts: int = 6) -> tuple[StoredGame, Record]:
    """The position one turn on, and what its commit records. The last fact has a secret side."""
    table = stored.table
    number, first = table.records + 1, table.entries + 1
    entries = tuple(LogEntry("ground", {"sack": n, "turn": number, "who": "anna"}) for n in range(facts - 1))
    entries += (LogEntry("peeked", {"n": 1}, {"anna": {"card": "miller"}}, {"deck": [3, 1, 2]}),)
    intents = tuple(
        Intent(table.intent(number, n), seat, "turn", number, first, first + facts - 1)
        for n, seat in enumerate(SEATS, 1)
    )
    at = NOON + timedelta(minutes=number)
    mark = AnsweredLetter(digest(raw), 7, number)
    record = Record(number, at, "letter", "0.1.0", "anna", ("grind 4",), first, entries, letter=mark, intents=intents)
    return replace(stored, game={**stored.game, "turn": stored.game["turn"] + 1}), record


def mails(record: Record) -> list[OutgoingMail]:
    return [
        OutgoingMail(mail.message_id, mail.seat, f"{mail.seat}@play.test", f"mail {mail.message_id}".encode())
        for mail in record.intents
    ]


def handle(repo: GameRepo, spool: Spool, raw: bytes, waits: str = "") -> StoredGame | None:
    """One letter as the desk handles it; None when it was answered before. With `waits` it may be published with others."""
    with repo.lock("test"):
        if spool.seen(digest(raw)):
            return None
        stored, record = following(StoredGame.read(repo), raw)
        spool.prepare(repo.name, record, mails(record), repo)
        stored = commit_game(repo, stored, record, "anna grinds 4", waits=waits)
        repo.group_commit.after_commit(repo.name, partial(spool.committed, repo.name, stored.commit, record))
        return stored


def turns(repo: GameRepo, count: int = 1) -> StoredGame:
    """Some letters without a spool."""
    for _ in range(count):
        with repo.lock():
            stored, record = following(StoredGame.read(repo), b"letter")
            stored = commit_game(repo, stored, record, "anna grinds 4")
    return stored


def git(folder: Path, *words: str) -> str:
    """Somebody's own git."""
    who = ["-c", "user.name=Eve", "-c", "user.email=eve@play.test"]
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def main(folder: Path, letters: int) -> None:
    store, spool = GameStore(folder / "games"), Spool(folder / "mail")
    spool.recover(store)
    names = store.names()
    repos = [store.open(name) for name in names]
    print("ready", flush=True)
    for number in range(letters):
        with store.group_commit.batch():
            for place, repo in enumerate(repos):
                raw = letter(number, repo.name)
                spool.take(raw, digest(raw), 7, number * len(names) + place + 2, NOON)
                handle(repo, spool, raw, digest(raw))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
