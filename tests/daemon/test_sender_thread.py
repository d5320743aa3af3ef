"""Mails that go while letters are answered: what the courier's thread does, and what it leaves to the desk's."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from pbem.outbound.outbox import Outbox
from pbem.outbound.sender import SendRefused
from pbem.outbound.sender_thread import SenderThread, call_in_loop
from pbem.store.database import OutgoingMail, QueuedMail
from pbem.store.spool import Spool
from tests.patience import PATIENCE


class Carrier:
    """A mail server that takes a while for each mail, and knows nobody called Eve."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.threads: set[int] = set()
        self.all_here = threading.Event()
        self.closed = 0

    async def send(self, message: bytes, mail_from: str, rcpt: str) -> None:
        self.threads.add(threading.get_ident())
        for _ in range(4):
            await asyncio.sleep(0.001)
        if rcpt.startswith("eve"):
            raise SendRefused("550 no such user", 550, address_dead=True)
        self.taken.append(message.decode())
        if message == b"last":
            self.all_here.set()

    async def close(self) -> None:
        self.closed += 1


class Scene:
    """A courier over a spool of its own. `failed`: what was told of, and in which thread."""

    def __init__(self, folder: Path) -> None:
        self.spool, self.carrier = Spool(folder), Carrier()
        self.failed: list[tuple[str, int]] = []

        def failed(mail: QueuedMail, reason: str, dead: bool) -> None:
            self.failed.append((mail.message_id, threading.get_ident()))

        self.outbox = Outbox(self.spool, self.carrier, lambda: datetime.now(UTC), "games@host.test", call_in_loop(failed))
        self.courier = SenderThread(self.outbox, self.carrier.close)

    def lay(self, *texts: str, who: str = "anna") -> None:
        for text in texts:
            self.spool.enqueue(OutgoingMail(f"{who}.{text}", who, f"{who}@players.test", text.encode()), "tale-3")

    def states(self) -> dict[str, str]:
        return {row.message_id: row.state for row in self.spool.rows()}


@pytest_asyncio.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    made = Scene(tmp_path)
    yield made
    await made.courier.close()


async def test_mails_go_while_this_thread_is_busy(scene: Scene) -> None:
    """One after the other, each marked before the next one is begun."""
    scene.lay("first", "second", "last")
    scene.courier.begin()
    assert scene.carrier.all_here.wait(PATIENCE)
    assert scene.carrier.taken == ["first", "second", "last"] and scene.states()["anna.second"] == "sent"
    await scene.courier.rest()
    assert set(scene.states().values()) == {"sent"}
    assert scene.carrier.threads.isdisjoint({threading.get_ident()})


async def test_what_comes_while_mails_go_goes_with_them_and_once(scene: Scene) -> None:
    for number in range(5):
        scene.lay(f"{number}")
        scene.courier.begin()
    await scene.courier.rest()
    assert scene.carrier.taken == ["0", "1", "2", "3", "4"]
    assert (await scene.courier.flush()).sent == 0


async def test_a_mail_that_cannot_be_delivered_is_told_of_in_the_desks_thread(scene: Scene) -> None:
    """It changes what is known of people, which the desk reads; and it is told before the sending counts as done."""
    scene.lay("hello", who="eve")
    assert (await scene.courier.flush()).failed == 1
    assert scene.failed == [("eve.hello", threading.get_ident())]


async def test_trouble_of_the_disk_is_raised_where_it_is_waited_for(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and nothing is sent before that, since it could not be marked."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    scene.lay("first", "second")
    with monkeypatch.context() as patched:
        patched.setattr(scene.spool, "sent", full)
        scene.courier.begin()
        with pytest.raises(sqlite3.OperationalError):
            await scene.courier.rest()
        scene.courier.begin()
        while len(scene.carrier.taken) < 2:
            await asyncio.sleep(0.001)
    for _ in range(20):
        scene.courier.begin()
        await asyncio.sleep(0.001)
    assert scene.carrier.taken == ["first", "first"]
    with pytest.raises(sqlite3.OperationalError):
        await scene.courier.rest()
    scene.courier.begin()
    await scene.courier.rest()
    assert scene.carrier.taken == ["first", "first", "first", "second"]


async def test_the_thread_ends_with_its_connection_and_may_begin_again(tmp_path: Path) -> None:
    interval, threads = sys.getswitchinterval(), threading.active_count()
    scene = Scene(tmp_path)
    await scene.courier.rest()
    await scene.courier.close()
    assert scene.carrier.closed == 0, "nothing was begun"
    for count in (1, 2):
        await scene.courier.flush()
        assert sys.getswitchinterval() < interval
        await scene.courier.close()
        assert scene.carrier.closed == count and sys.getswitchinterval() == interval
    assert not [one for one in threading.enumerate() if one.name == "courier"] and threading.active_count() <= threads + 1
