"""What a daemon gets ready between letters, so that none waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from pbem.daemon.daemon import Daemon
from pbem.host.clock import Clock, utc_now
from tests.daemon.fakes import Host
from tests.patience import PATIENCE


async def test_what_letters_need_is_got_ready_between_them(tmp_path: Path) -> None:
    """A step at a time, so that no letter waits for the whole of it; a single look gets nothing ready."""
    host = Host(tmp_path)
    steps: list[int] = []

    def endless() -> Iterator[int]:
        while True:
            steps.append(1)
            yield len(steps)

    made = Daemon(host.box, host.intake, host.outbox, Clock(None, utc_now), host.pulse, prepare=endless)
    host.box.deliver("one")
    task = asyncio.create_task(made.run())
    while not host.server.taken:
        await asyncio.sleep(0.01)
    made.stop()
    await asyncio.wait_for(task, PATIENCE)
    assert host.server.taken == ["one"] and len(steps) > 1
    steps.clear()
    assert await made.run(once=True) == 0 and steps == []
