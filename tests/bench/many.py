"""A host with thousands of tables, made quickly: a few that were opened, and their likes under other names.

A copy is what opening a table under its name would leave: its repository, commit by commit, its people, and its rows in
the spool, with its name, the names of its mails and its tokens where the first one's stood; only its draws are those of
the first. Nothing waits for the disk: such a host need not outlive a power cut.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pbem.host.keys import Keys
from pbem.store.commit_record import read_records, record_paths
from pbem.store.durable_files import Disks
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.history import Commit
from pbem.store.spool import Spool
from pbem.store.state_file import SECRET_FILE, STATE_FILE, StoredGame

SPOOLED = ("games", "mails", "outbox")
"""What the spool knows of a table that nobody has written to yet."""

Step = tuple[Commit, dict[str, bytes]]


def multiply(store: GameStore, spool: Spool, mail: Path, keys: Keys, total: int) -> None:
    """Tables until there are `total`, like those that are there, in turn. `mail` is the host's mail folder.

    Nobody may have written to those that are there: their letters could have come but once.
    """
    firsts = store.names()
    past = {first: list(_past(store.open(first))) for first in firsts}
    with ExitStack() as quickly:
        for name in ("sync_tree", "sync_folder"):
            quickly.enter_context(patch(f"pbem.store.game_store.{name}"))
        quickly.enter_context(patch.object(Disks, "sync"))
        db = quickly.enter_context(spool.change(survives="a kill"))
        fields = {table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")] for table in SPOOLED}
        rows = {(first, table): _rows(db, table, first) for first in firsts for table in SPOOLED}
        for first, name in zip(cycle(firsts), islice(_names(firsts), total - len(firsts)), strict=False):
            renamed = _renaming(store.open(first), name, keys)
            head = _repeated(store, name, past[first], renamed)
            shutil.copy(mail / "people" / f"{first}.toml", mail / "people" / f"{name}.toml")
            for table in SPOOLED:
                made = {"number": None, "head": head}
                for row in rows[first, table]:
                    values = [made.get(field, renamed(value)) for field, value in zip(fields[table], row, strict=True)]
                    db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def _names(firsts: tuple[str, ...]) -> Iterator[str]:
    """Names that tables have after these; of which kind of game they are called is nobody's matter."""
    kind = firsts[0].rpartition("-")[0]
    return (name for number in count(1) if (name := f"{kind}-{number}") not in firsts)


def _rows(db: Any, table: str, first: str) -> list[Any]:
    return list(db.execute(f"SELECT * FROM {table} WHERE game = ?", (first,)).fetchall())


def _past(repo: GameRepo) -> Iterator[Step]:
    """Each commit of a game, oldest first, with the files that came with it."""
    for number, commit in enumerate(reversed(list(repo.log())), 1):
        files = [name for name in (STATE_FILE, SECRET_FILE, *record_paths(number)) if repo.id_of(name, commit.id)]
        yield commit, {name: repo.read(name, commit.id) for name in files}


def _renaming(repo: GameRepo, name: str, keys: Keys) -> Callable[[Any], Any]:
    """What turns a text of one table, or its bytes, into that of the table `name`; anything else stays."""
    first, words = repo.name, {}
    for record in read_records(repo):
        for one in record.intents:
            words[keys.mail(first, one.seat, one.message_id)] = keys.mail(
                name, one.seat, one.message_id.replace(first, name, 1)
            )
    stored = StoredGame.read(repo)
    for row in stored.table.seats:
        for number in range(stored.table.decisions + 1):
            was, made = (keys.token(one, row.seat, row.generation, number).key for one in (first, name))
            words[was] = made
    words[first] = name
    found = re.compile(rf"(?<![a-z0-9-])({'|'.join(words)})(?![a-z0-9-])")

    def text(value: str) -> str:
        return found.sub(lambda match: words[match[1]], value)

    def renamed(value: Any) -> Any:
        if isinstance(value, bytes):
            return text(value.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        return text(value) if isinstance(value, str) else value

    return renamed


def _repeated(store: GameStore, name: str, past: list[Step], renamed: Callable[[Any], Any]) -> str:
    """Make a table with such a past; its last commit."""
    (first, files), *rest = ((commit, {path: renamed(raw) for path, raw in found.items()}) for commit, found in past)
    repo = store.create(name, files, first.message, first.at)
    with repo.lock("a copy"):
        for commit, files in rest:
            repo.commit(files, commit.message, at=commit.at)
    return repo.head
