"""Tell the host that mail is down, which cannot be mailed: run their command once, and once more when mail works again.

What is known of the trouble lies in `trouble.toml` in the mail folder, so that a restart, or a host that works at
intervals, runs nothing twice.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import tomllib
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.store import toml_format
from pbem.store.durable_files import replace_file

log = logging.getLogger(__name__)

LASTS = timedelta(minutes=10)
"""A connection that is lost for less than this is told to nobody; a server that refuses us is told of at once."""

COMMAND_TIME = 60.0
"""Seconds that the command may take."""


class Alarm:
    """Runs `command` (empty: none) once for each trouble that lasts, and once when it is over."""

    def __init__(self, folder: Path, command: str, now: Callable[[], datetime], seconds: float = COMMAND_TIME) -> None:
        self._file = folder / "trouble.toml"
        self._command, self._now, self._seconds = command, now, seconds
        self._since, self._told = self._known()
        self._last: asyncio.Task[None] | None = None

    def heed(self, trouble: str, *, refused: bool) -> None:
        """Mail is down for this reason (empty: it works). `refused`: waiting alone mends nothing."""
        now, before = self._now(), (self._since, self._told)
        if not trouble:
            if self._since is not None and self._told:
                self._run("works", f"Mail of this host works again; it was down since {_shown(self._since)}.")
            if self._since is not None:
                self._since, self._told = None, False
                self._file.unlink(missing_ok=True)
            return
        # A clock that was set back begins anew.
        self._since = min(self._since or now, now)
        if not self._told and (refused or now - self._since >= LASTS):
            self._told = True
            self._run("down", f"Mail of this host is down since {_shown(self._since)}: {trouble}")
        if before != (self._since, self._told):
            replace_file(self._file, toml_format.toml_bytes({"since": self._since, "told": self._told}))

    async def rest(self) -> None:
        """Wait for a command that runs."""
        if self._last is not None:
            await self._last

    def _known(self) -> tuple[datetime | None, bool]:
        try:
            table = tomllib.loads(self._file.read_text(encoding="utf-8"))
            return table["since"].astimezone(UTC), bool(table["told"])
        except (OSError, ValueError, KeyError, AttributeError):
            return None, False

    def _run(self, state: str, text: str) -> None:
        async def call(before: asyncio.Task[None] | None) -> None:
            if before is not None:
                await before
            await asyncio.to_thread(self._call, state, text)

        if self._command:
            self._last = asyncio.get_running_loop().create_task(call(self._last))

    def _call(self, state: str, text: str) -> None:
        known = {name: value for name, value in os.environ.items() if not name.endswith("_PASSWORD")}
        try:
            process = subprocess.Popen(
                self._command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, env={**known, "PBEM_MAIL": state, "PBEM_TROUBLE": text},
            )  # fmt: skip
        except OSError as odd:
            log.error("on_trouble cannot be run: %s", odd)
            return
        try:
            process.communicate(f"{text}\n".encode(), self._seconds)
            if process.returncode:
                log.error("on_trouble ended with %d; run it by hand to see why", process.returncode)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            log.error("on_trouble did not end within %g seconds", self._seconds)


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
