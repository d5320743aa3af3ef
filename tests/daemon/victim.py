"""A daemon in a process of its own, to be killed.

It is forked from a server that has imported everything and opened nothing, as each start would.

What it meets is planted through the environment: VICTIM_CLOCK, by how many seconds its clock is wrong; VICTIM_REFUSES,
the seed and share of mails that the server puts off with 451; and letters with the header X-Poison, at which it
dies by a signal or hangs, as a defect of a library in C would make it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import TracebackType

from engine.game import AnyGame
from engine.game import find_game as real
from pbem.daemon.service import make_daemon, open_service
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig
from pbem.host.scheduler import utc_now
from pbem.inbound import intake
from pbem.inbound.incoming_letter import Letter, open_letter
from pbem.outbound.sender import SendDelayed, Sender
from tests.fakegame import GAME

DOMAIN = "office.test"


def config_of(folder: Path, smtp_port: int, imap_port: int) -> Config:
    """Settings for the embedded post office; the password is in PBEM_IMAP_PASSWORD."""
    return Config(
        folder / "games",
        folder / "mail",
        host=HostConfig(f"games@{DOMAIN}"),
        imap=ImapConfig("127.0.0.1", imap_port, "games", "none"),
        smtp=SmtpConfig("127.0.0.1", smtp_port, "games", "none"),
    )


def find(kind: str) -> AnyGame:
    """The tests' own small game, or a real one."""
    return GAME if kind == GAME.kind else real(kind)


def now() -> datetime:
    """The time of a clock that somebody has set wrong."""
    return utc_now() + timedelta(seconds=float(os.environ.get("VICTIM_CLOCK", "0")))


def poisoned(raw: bytes, own: frozenset[str]) -> Letter:
    """`open_letter`, which some letters are not good for."""
    head = raw.partition(b"\r\n\r\n")[0]
    if b"X-Poison: kill" in head:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"X-Poison: hang" in head:
        _say("hanging")
        while True:
            time.sleep(60)
    return open_letter(raw, own)


def plant() -> None:
    """Put all of it in its place."""
    intake.open_letter = poisoned  # type: ignore[attr-defined]
    seed, _, share = os.environ.get("VICTIM_REFUSES", "0 0").partition(" ")
    dice, send = random.Random(seed), Sender.send

    async def refusing(self: Sender, message: bytes, mail_from: str, rcpt: str) -> None:
        if dice.random() < float(share):
            raise SendDelayed("4.7.1 greylisted", 451)
        await send(self, message, mail_from, rcpt)

    Sender.send = refusing  # type: ignore[method-assign]


def _say(word: str) -> None:
    """Tell whoever started the daemon. Set by `_run`."""
    raise AssertionError(f"nobody hears {word!r}")


async def _daemon(config: Config) -> int:
    """Run until killed; a word when the games can go on."""
    service = open_service(config, now, find)
    _say("ready")
    return await make_daemon(service).run()


def _run(folder: Path, ports: tuple[int, int], environ: Mapping[str, str], heard: Connection) -> None:
    global _say
    os.environ.clear()
    os.environ.update(environ)
    _say = heard.send
    plant()
    asyncio.run(_daemon(config_of(folder, *ports)))


_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])


class Victim:
    """A daemon that runs, with this process's environment at its start; killed at the end."""

    def __init__(self, folder: Path, ports: tuple[int, int], environ: Mapping[str, str]) -> None:
        self._heard, says = _FORKS.Pipe(duplex=False)
        self._process: ForkServerProcess = _FORKS.Process(target=_run, args=(folder, ports, dict(environ), says))
        self._process.start()
        says.close()

    def __enter__(self) -> Victim:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.signal(signal.SIGKILL)
        self._process.join()
        self._heard.close()

    def hear(self) -> str:
        """The next word it says. Raises EOFError once it has ended."""
        word: str = self._heard.recv()
        return word

    def signal(self, number: int) -> None:
        """As kill(2); nothing when it has ended already."""
        if self._process.exitcode is None:
            os.kill(int(self._process.pid or 0), number)

    def ended(self, within: float = 0.0) -> int | None:
        """How it ended, as `Popen.wait` tells it (minus the signal), if it does in so many seconds."""
        self._process.join(within)
        return self._process.exitcode
