"""A daemon in a process of its own, to be killed: `python -m tests.daemon.victim FOLDER SMTP_PORT IMAP_PORT`.

What it meets is planted through the environment: VICTIM_CLOCK, by how many seconds its clock is wrong; VICTIM_REFUSES,
the seed and share of mails that the server puts off with 451; and letters with the header X-Poison, at which it
dies by a signal or hangs, as a defect of a library in C would make it.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

from engine.game import AnyGame
from engine.game import find as real
from pbem.daemon.service import daemon, open_service
from pbem.host.clock import utc_now
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig
from pbem.inbound import intake
from pbem.inbound.letter import Letter, open_letter
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
        print("hanging", flush=True)
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


async def main(folder: str, smtp_port: str, imap_port: str) -> int:
    """Run until killed; a line on stdout when the games can go on."""
    service = open_service(config_of(Path(folder), int(smtp_port), int(imap_port)), now, find)
    print("ready", flush=True)
    return await daemon(service).run()


if __name__ == "__main__":
    plant()
    sys.exit(asyncio.run(main(*sys.argv[1:])))
