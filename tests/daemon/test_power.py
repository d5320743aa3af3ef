"""Letters in a row on a disk that fails, and on a machine whose power is cut, at every call that writes: nothing that
was promised is lost, and nothing is done twice."""

from __future__ import annotations

import email
import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon.service import recover_spool
from pbem.host.keys import mail_of
from pbem.store.audit import check_repository
from pbem.store.commit_record import read_records
from pbem.store.state_file import StoredGame
from tests.daemon import batches
from tests.daemon.fakes import Box, Server
from tests.daemon.power import Cut, Machine

STEP = 13
"""The sample fails every so many-th call, the soak each of them."""


class Host:
    """A host with letters in its mailbox; the mailbox and whoever takes its mails outlive it."""

    def __init__(self, folder: Path, raws: list[bytes]) -> None:
        self.folder, self.box, self.server = folder, Box(), Server()
        self.box.inbox = dict(enumerate(raws, 1))
        self.service = batches.opened(folder, 2)
        self.before = self.promises()

    def start(self) -> None:
        """Go on as a daemon that starts."""
        recover_spool(self.service)

    def work(self) -> None:
        """Answer what lies there, once."""
        post = batches.Post(self.service)
        post.box, post.outbox._sender = self.box, self.server
        post.round()

    def promises(self) -> Counter[str]:
        """The mails that records promise, by their names. Every game has to be sound."""
        found: Counter[str] = Counter()
        for name in self.service.store.names():
            repo = self.service.store.open(name)
            with repo.lock():
                assert repo.status() == ()
            assert check_repository(repo) == ()
            for record in read_records(repo):
                for intent in record.intents:
                    found[self.service.desk.services.keys.mail(name, intent.seat, intent.message_id)] += 1
        return found

    def sent(self) -> Counter[tuple[str, str]]:
        """The mails that were taken, by name and text."""
        mails = [(email.message_from_string(text), text) for text in self.server.taken]
        return Counter((mail_of(str(mail["Message-ID"])), text) for mail, text in mails)

    def kept(self) -> None:
        """What others have seen of us stands in the games: mails that were taken, and letters that were moved."""
        promised = self.promises()
        assert {name for name, _ in self.sent()} <= set(promised), "a mail was sent that nothing promises"
        for raw in self.box.folders.get("Handled", ()):
            assert self.service.spool.seen(batches.digest(raw)), "a letter was moved that is not answered"

    def outcome(self) -> Any:
        """What all has come to."""
        games = []
        for name in self.service.store.names():
            repo = self.service.store.open(name)
            stored = StoredGame.read(repo)
            letters = [record.letter.digest for record in read_records(repo) if record.letter]
            assert len(set(letters)) == len(letters), "a letter was played twice"
            games.append((stored.game, stored.hidden, stored.table.entries, sorted(letters)))
        assert not self.box.inbox
        names = {name for name, _ in self.sent()}
        assert len(names) == len(self.sent()), "two different mails of one name"
        assert names == set(self.promises()) - set(self.before), "a mail that was promised never went"
        return games, sorted(self.box.folders["Handled"])


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """Two tables that have begun, and letters to them: three in a row, of which two go to one game."""
    folder = tmp_path_factory.mktemp("begun")
    with closing(batches.opened(folder, 2)) as service:
        post = batches.Post(service)
        post.round()
        raws = list(batches.letters(service, 0))[:3]
    return folder, raws


def copied(begun: tuple[Path, list[bytes]], folder: Path) -> Host:
    shutil.copytree(begun[0], folder)
    return Host(folder, begun[1])


def calm(begun: tuple[Path, list[bytes]], folder: Path) -> tuple[Any, int]:
    """What comes of it where nothing happens, and of how many calls."""
    host = copied(begun, folder)
    machine = Machine(folder, 0, cut=False)
    with machine.running():
        host.work()
    found = host.outcome()
    assert len(host.server.taken) == len(set(host.server.taken)) > 0
    host.service.close()
    return found, machine.count


def fault(begun: tuple[Path, list[bytes]], folder: Path, at: int, expected: Any, lost: float | None) -> None:
    """A run that meets a fault at that call: a power cut where it is told how likely a write is `lost`."""
    host = copied(begun, folder)
    machine = Machine(folder, at, cut=lost is not None)
    with suppress(Cut, OSError, sqlite3.Error), machine.running():
        host.work()
    assert machine.count >= at
    if lost is not None:
        machine.restart(random.Random(at), lost, host.service.close)
        host.service = batches.opened(folder, 2)
    host.start()
    host.kept()
    # What was fetched before is moved at the second look.
    host.work()
    host.work()
    assert host.outcome() == expected, f"after a fault at call {at}"
    repeated = len(host.server.taken) - len(set(host.server.taken))
    assert repeated <= 1, f"{repeated} mails were repeated after a fault at call {at}"
    host.service.close()
    shutil.rmtree(folder)


def test_whatever_fails_nothing_is_lost_or_done_twice(begun: tuple[Path, list[bytes]], tmp_path: Path) -> None:
    """A call to the disk in so many."""
    expected, calls = calm(begun, tmp_path / "calm")
    for at in range(4, calls, STEP):
        fault(begun, tmp_path / f"{at}", at, expected, None)


def test_whenever_the_power_is_cut_nothing_is_lost_or_done_twice(begun: tuple[Path, list[bytes]], tmp_path: Path) -> None:
    """Every so many-th call, and after mails have gone, where all is lost that was not waited for."""
    expected, calls = calm(begun, tmp_path / "calm")
    for at in range(4, calls, STEP):
        fault(begun, tmp_path / f"{at}", at, expected, 0.5)
    for at in (calls - 6, calls - 2):
        fault(begun, tmp_path / f"last-{at}", at, expected, 1.0)


@pytest.mark.soak
@pytest.mark.parametrize("lost", [None, 0.5, 1.0], ids=["a call fails", "some is lost", "all is lost"])
def test_whatever_call_fails_nothing_is_lost_or_done_twice(
    begun: tuple[Path, list[bytes]], tmp_path: Path, lost: float | None
) -> None:
    """Every call in turn, until a run passes without a fault."""
    expected, calls = calm(begun, tmp_path / "calm")
    assert calls > 50
    for at in range(1, calls + 1):
        fault(begun, tmp_path / f"{at}", at, expected, lost)
