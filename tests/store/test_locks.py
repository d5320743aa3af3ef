"""One writer per game, one daemon per store."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

import pytest

from pbem.store.errors import LockHeld, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from tests.patience import PATIENCE
from tests.store.play import turns

HOLD = """
import sys
from pathlib import Path
from pbem.store.game_store import GameStore
with GameStore(Path(sys.argv[1])).open("mill-1").lock("the other"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def other(store: GameStore) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the game until its stdin is closed."""
    words = [sys.executable, "-c", HOLD, str(store.root)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process


def test_a_held_game_says_who_holds_it(store: GameStore, repo: GameRepo) -> None:
    with (
        other(store) as process,
        pytest.raises(LockHeld, match=rf"mill-1 is locked by the other, process {process.pid} on .*waited 0\.1 s"),
    ):
        repo.lock(wait=0.1).__enter__()
    turns(repo)


def test_a_waiting_writer_gets_the_game_when_the_other_is_done(store: GameStore, repo: GameRepo) -> None:
    with other(store) as process:
        assert process.stdin
        with pytest.raises(LockHeld):
            repo.lock(wait=0).__enter__()
        soon = Timer(0.1, process.stdin.close)
        soon.start()
        with repo.lock(wait=PATIENCE):
            soon.join()
        turns(repo)


def test_the_lock_can_be_taken_again_by_its_holder(repo: GameRepo) -> None:
    with repo.lock(), repo.lock():
        repo.commit({"a": b"1"}, "inside")
    with pytest.raises(StoreError, match="needs the lock"):
        repo.commit({"a": b"2"}, "outside")


def test_a_store_has_one_daemon(store: GameStore) -> None:
    rival = GameStore(store.root)
    with store.daemon_lock("daemon one"), pytest.raises(LockHeld, match="locked by daemon one, process"):
        rival.daemon_lock().__enter__()
    with rival.daemon_lock():
        pass


def test_the_same_game_opened_twice_is_one_object(store: GameStore, repo: GameRepo) -> None:
    for number in range(70):
        store.create(f"x-{number}", {"a": b"1"}, "x")
    assert store.open("mill-1") is repo
