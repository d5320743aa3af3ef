"""A daemon in a process of its own, to be killed: `python -m tests.daemon.victim FOLDER SMTP_PORT IMAP_PORT`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from engine.game import Game
from engine.game import find as real
from pbem.config import Config
from pbem.config import HostConfig
from pbem.config import ImapConfig
from pbem.config import SmtpConfig
from pbem.service import daemon
from pbem.service import open_service
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


def find(kind: str) -> Game:
    """The tests' own small game, or a real one."""
    return GAME if kind == GAME.kind else real(kind)


async def main(folder: str, smtp_port: str, imap_port: str) -> int:
    """Run until killed; a line on stdout when the games can go on."""
    service = open_service(config_of(Path(folder), int(smtp_port), int(imap_port)), find=find)
    print("ready", flush=True)
    return await daemon(service).run()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
