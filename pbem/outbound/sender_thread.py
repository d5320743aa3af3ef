"""Run the outbox in its own thread, so that mails go out while further letters are answered.

Sending a mail waits for the server four times; answering letters keeps the desk's thread busy. Only the spool is
shared, and it is thread-safe.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any, TypeVar

from pbem.outbound.outbox import Outbox, Round

T = TypeVar("T")

SWITCH_INTERVAL = 0.001
"""The interpreter's switch interval in seconds; the sender needs it briefly at each reply. The default is 0.005."""


class SenderThread:
    """An outbox as the daemon uses it, run in a thread. `close` ends the sender's connection and runs there, too; the
    callbacks of the outbox must be passed through `call_in_loop`."""

    def __init__(self, outbox: Outbox, close: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self._outbox = outbox
        self._close = close
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._turn = 0.0

    # See the properties and methods of the same name in `Outbox`.
    @property
    def trouble(self) -> str:
        return self._outbox.trouble

    @property
    def refused(self) -> bool:
        return self._outbox.refused

    @property
    def sends(self) -> bool:
        return self._outbox.sends

    def next_try(self) -> datetime | None:
        return self._outbox.next_try()

    def begin(self, stop: asyncio.Event | None = None) -> None:
        """Start sending what is due, without waiting."""
        self._there().call_soon_threadsafe(self._outbox.begin, stop)

    async def rest(self, seconds: float | None = None) -> bool:
        """Wait at most so long for what was begun (`Outbox.rest`)."""
        return self._loop is None or await self._sent(self._outbox.rest(seconds))

    async def flush(self, stop: asyncio.Event | None = None, *, force: bool = False) -> Round:
        """Send what is due, and wait for it (`Outbox.flush`)."""
        return await self._sent(self._outbox.flush(stop, force=force))

    async def close(self) -> None:
        """Close the connection and end the thread."""
        if self._loop is None or self._thread is None:
            return
        await self._sent(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
        self._loop = self._thread = None
        sys.setswitchinterval(self._turn)

    async def _sent(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._there()))

    def _there(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="sender", daemon=True)
            self._thread.start()
            self._turn = sys.getswitchinterval()
            sys.setswitchinterval(SWITCH_INTERVAL)
        return self._loop


def call_in_loop(tell: Callable[..., object]) -> Callable[..., None]:
    """Wrap `tell` so that another thread can call it: it then runs in the thread of the present event loop."""
    loop = asyncio.get_running_loop()

    def hand_over(*told: Any) -> None:
        loop.call_soon_threadsafe(tell, *told)

    return hand_over
