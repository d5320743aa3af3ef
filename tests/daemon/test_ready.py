"""What a daemon does so that no letter waits: it gets ready between them, and looks once more before it waits for one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import game as games
from pbem.daemon import service
from pbem.daemon.main_loop import Daemon, Lifecycle
from pbem.host.config import config_of_store
from tests.daemon.fakes import Host
from tests.patience import PATIENCE


async def test_what_letters_need_is_got_ready_between_them(tmp_path: Path) -> None:
    """A step at a time, so that no letter waits for the whole of it, and none while one is answered; a single look gets
    nothing ready."""
    host = Host(tmp_path)
    steps: list[int] = []
    meanwhile: list[int] = []
    send = host.server.send

    async def slowly(message: bytes, mail_from: str, rcpt: str) -> None:
        before = len(steps)
        for _ in range(20):
            await asyncio.sleep(0)
        meanwhile.append(len(steps) - before)
        await send(message, mail_from, rcpt)

    host.server.send = slowly  # type: ignore[method-assign]

    class Endless(Lifecycle):
        def prepare(self) -> Iterator[int]:
            while True:
                steps.append(1)
                yield len(steps)

    made = Daemon(host.parts, Endless())
    task = asyncio.create_task(made.run())
    while len(steps) < 3:
        await asyncio.sleep(0.01)
    host.box.deliver("one", "two")
    while len(host.server.taken) < 2:
        await asyncio.sleep(0.01)
    made.stop()
    await asyncio.wait_for(task, PATIENCE)
    assert host.server.taken == ["one", "two"] and meanwhile == [0, 0]
    steps.clear()
    assert await made.run(once=True) == 0 and steps == []


async def test_what_comes_while_a_letter_is_answered_is_read_before_the_next_is_waited_for(tmp_path: Path) -> None:
    """A server may take half a second to say that something has come; it lies there already."""
    host = Host(tmp_path)
    send = host.server.send
    before_waiting: list[str] = []

    async def meanwhile(message: bytes, mail_from: str, rcpt: str) -> None:
        if not host.server.taken:
            host.box.deliver("two")
            host.box.news.clear()
        await send(message, mail_from, rcpt)
        if not host.box.waited.is_set():
            before_waiting.append(message.decode())

    host.server.send = meanwhile  # type: ignore[method-assign]
    host.box.deliver("one")
    await host.until(lambda: len(host.server.taken) == 2)
    assert before_waiting == ["one", "two"]


async def test_a_server_that_is_slow_to_take_mails_holds_no_letter_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor do the clocks act before it has taken them: what is told of may be what they wait for."""
    monkeypatch.setattr("pbem.daemon.main_loop.SLOW", 0.01)
    host = Host(tmp_path)
    send, may_go, kept = host.server.send, asyncio.Event(), list[int]()

    async def slowly(message: bytes, mail_from: str, rcpt: str) -> None:
        await may_go.wait()
        await send(message, mail_from, rcpt)

    class Clocks:
        complete = True

        def look(self, well: datetime | None, *, waiting: bool = False, once: bool = False) -> int:
            kept.append(len(host.server.taken))
            return 0

        def soon(self, longest: float) -> float:
            return longest

    host.server.send = slowly  # type: ignore[method-assign]
    made = Daemon(replace(host.parts, clocks=Clocks()))
    host.box.deliver("one")
    task = asyncio.create_task(made.run())
    while host.desk.handled != ["one"]:
        await asyncio.sleep(0.01)
    host.box.deliver("two")
    while host.desk.handled != ["one", "two"]:
        await asyncio.sleep(0.01)
    assert host.server.taken == [] and kept == []
    may_go.set()
    while not kept:
        await asyncio.sleep(0.01)
    made.stop()
    await asyncio.wait_for(task, PATIENCE)
    assert host.server.taken == ["one", "two"] and kept[0] == 2


def test_the_games_are_loaded_before_somebody_waits_for_a_receipt(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Loading them takes a second, which the first letter would wait."""
    loaded = []

    class Began:
        async def run(self, *, once: bool) -> int:
            loaded.append(games.games.cache_info().currsize)
            return 0

    monkeypatch.setattr(service, "open_service", lambda config: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(service, "make_daemon", lambda opened: Began())
    games.games.cache_clear()
    assert 0 == service.run_daemon(config_of_store(tmp_path), once=True) == service.run_daemon(config_of_store(tmp_path))
    assert [0, 1] == loaded
