"""`kill -9` in the middle of a repair leaves the old state or the new one, never a third.

The repair runs in a child; it is killed at a call into the interpreter's C code that is drawn beforehand, so that any
instant can be met: before, between and after the writes of spool, people and repository.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.transaction.commit import settle_all
from pbem.store.commit_record import read_records
from pbem.store.private_text import WORDS_LOST, fill_text
from tests.repair import bench as benches
from tests.repair.bench import Bench

KILLS = 1
MANY = 60
MISSED = 40
"""How often a kill that came too late is tried again, each time a tenth sooner."""


def snapshot(folder: Path, time: Any) -> dict[str, Any]:
    """All that counts of a host after a restart: commit, people, mails that may go, letters."""
    bench = Bench(folder)
    bench.time = time
    # What the daemon does before the next letter.
    settle_all(bench.desk.services, bench.desk.context)
    name = bench.store.names()[0]
    repo, words = bench.store.open(name), bench.spool.words
    with repo.lock():
        found = {
            "head": repo.head,
            "people": bench.people.holders(name),
            "coming": bench.people.coming(),
            # Words are on the disk before the commit that marks them: what is committed has all of its own.
            "words": [
                (fill_text(words, name, record).note, [words.mail(mail) for mail in record.private.get("mails", ())])
                for record in read_records(repo)
            ],
            "mails": [
                (row.message_id, row.state, digest(bench.spool.raw(row.message_id))) for row in bench.spool.rows()
            ],
            "work": [
                (name, (bench.folder / "games" / repo.name / name).read_bytes())
                for name in ("state.toml", "secret.toml")
            ],
        }
    bench.spool.close()
    assert WORDS_LOST not in str(found["words"])
    return found


def digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


class Counter:
    """Counts calls into C code; kills its process at the wanted one."""

    def __init__(self, last: int = 0) -> None:
        self.count, self.last = 0, last

    def __call__(self, frame: Any, event: str, arg: Any) -> None:
        if event == "c_call":
            self.count += 1
            if self.count == self.last:
                os.kill(os.getpid(), signal.SIGKILL)


def in_child(folder: Path, name: str, time: Any, last: int = 0) -> tuple[int, int]:
    """Do a repair in a child that dies at call `last` (0: never); its exit status and how many calls there were."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            bench = Bench(folder)
            bench.time = time
            makes = benches.ACTIONS[name] if name in benches.ACTIONS else benches.AFTER[name][1]
            action = makes(bench)
            counter = Counter(last)
            sys.setprofile(counter)
            bench.repair(action)
            sys.setprofile(None)
            os.write(writing, str(counter.count).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    _, status = os.waitpid(child, 0)
    return status, int(said or 0)


def check(begun: Bench, folder: Path, name: str, kills: int, seed: int) -> None:
    start = begun.copy(folder / "start")
    if name in benches.AFTER:
        benches.prepared(start, name)
    start.spool.close()
    old = snapshot(start.folder, start.time)
    done = start.copy(folder / "done")
    done.spool.close()
    _, calls = in_child(done.folder, name, start.time)
    assert calls > 100
    new = snapshot(done.folder, start.time)
    assert old != new
    dice = random.Random(f"{seed} {name}")
    # The last fifth is where most is written.
    instants = [dice.randint(1, calls) if n % 2 else dice.randint(calls * 4 // 5, calls) for n in range(kills)]
    for number, instant in enumerate(instants):
        status = 0
        for again in range(MISSED):
            killed = start.copy(folder / f"killed-{number}-{again}")
            killed.spool.close()
            status, _ = in_child(killed.folder, name, start.time, instant)
            after = snapshot(killed.folder, start.time)
            assert after in (old, new), f"{name} killed at call {instant} of {calls}: {differences(after, old, new)}"
            if os.WIFSIGNALED(status):
                break
            # The calls are a few dozen more or less each time: a late kill may find the repair done, and then whole.
            assert after == new, "the repair was over before its kill, and is not whole"
            instant = max(1, instant * 9 // 10)
        assert os.WIFSIGNALED(status), f"{name} was never killed, last at call {instant} of {calls}"


def differences(after: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [
        f"{key} is {'old' if after[key] == old[key] else 'new' if after[key] == new[key] else 'neither'}"
        for key in after
    ]


@pytest.mark.parametrize("name", list(benches.names()))
def test_a_killed_repair_leaves_the_old_or_the_new(name: str, begun: Bench, tmp_path: Path) -> None:
    """Contract, «Mail behaviour»: after kill -9 at any instant a restart loses nothing and applies nothing twice."""
    check(begun, tmp_path, name, KILLS, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("name", list(benches.names()))
def test_many_killed_repairs(name: str, begun: Bench, tmp_path: Path) -> None:
    """Sixty instants of each repair."""
    check(begun, tmp_path, name, MANY, seed=2)
