"""An outbox at work in a thread of its own: mails go while the letters after them are read and answered.

To hand a mail over is to wait for a server four times, and to answer a letter keeps the thread of the desk busy all the
while. All that is shared is the spool, which threads may share.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from typing import Any, TypeVar

from pbem.outbound.outbox import Outbox, Round

T = TypeVar("T")

TURN = 0.001
"""Seconds after which the desk lets the courier have the interpreter, who needs it for a moment at each answer of a
server; Python's own measure is five times that."""


class Courier:
    """What the daemon needs of an outbox, done elsewhere. `outbox` and `close`, which ends its sender's connection, run
    in the thread; what the outbox tells of has to come back by itself (`told_here`)."""

    def __init__(self, outbox: Outbox, close: Callable[[], Awaitable[object]]) -> None:
        self._outbox = outbox
        self._close = close
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._turn = 0.0

    @property
    def trouble(self) -> str:
        """Why the server could not be used when it was last tried; empty when it could."""
        return self._outbox.trouble

    @property
    def refused(self) -> bool:
        """Whether the server takes nothing from us (`Outbox.refused`)."""
        return self._outbox.refused

    @property
    def sends(self) -> bool:
        """Whether mail is known to go (`Outbox.sends`)."""
        return self._outbox.sends

    def next_try(self) -> datetime | None:
        """When there is something to send (`Outbox.next_try`)."""
        return self._outbox.next_try()

    def begin(self, stop: asyncio.Event | None = None) -> None:
        """Send what is due, without waiting for it."""
        self._there().call_soon_threadsafe(self._outbox.begin, stop)

    async def rest(self, seconds: float | None = None) -> bool:
        """Wait for what was begun, so long at most; whether it has come to its end. Raises what it has raised."""
        return self._loop is None or await self._sent(self._outbox.rest(seconds))

    async def flush(self, stop: asyncio.Event | None = None, *, force: bool = False) -> Round:
        """Send what is due, and wait for it (`Outbox.flush`)."""
        return await self._sent(self._outbox.flush(stop, force=force))

    async def close(self) -> None:
        """End the connection and the thread."""
        if self._loop is None or self._thread is None:
            return
        await self._sent(self._closed())
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
        self._loop = self._thread = None
        sys.setswitchinterval(self._turn)

    async def _closed(self) -> None:
        await self._close()

    async def _sent(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._there()))

    def _there(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="courier", daemon=True)
            self._thread.start()
            self._turn = sys.getswitchinterval()
            sys.setswitchinterval(TURN)
        return self._loop


def told_here(tell: Callable[..., object]) -> Callable[..., None]:
    """What the courier's thread may call to have something told in the thread of this loop, when that is free."""
    loop = asyncio.get_running_loop()

    def hand_over(*told: Any) -> None:
        loop.call_soon_threadsafe(tell, *told)

    return hand_over
