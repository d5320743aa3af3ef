"""A folder that is come back to: its post office at the same ports with the same password, and the game that goes on.

A mail program that was set up for it finds it again. A crash leaves the folder as it is; what is missing is made anew.
"""

from __future__ import annotations

from pathlib import Path

from pbem.demo.postoffice import HOST, DemoError, PostOffice
from pbem.host.config import Config, load
from pbem.store.durable import write_synced
from pbem.store.games import GameStore
from pbem.store.stored import Stored
from pbem.store.table import Status, Table

DOMAIN = "demo.example"
BOX = "pbem"
"""The mailbox of the desk."""
SETTINGS, GAMES, PASSWORD = "pbem.toml", "games", "password.txt"
OVER = frozenset({Status.ENDED, Status.ABANDONED})


def going_on(folder: Path) -> Table | None:
    """The table of this folder that is not over, the newest; None when there is none. Raises DemoError, StoreError."""
    settings_of(folder)
    if not (folder / GAMES).is_dir():
        return None
    store = GameStore(folder / GAMES)
    tables = [Stored.read_public(store.open(name)).table for name in store.names()]
    return max((one for one in tables if one.status not in OVER), key=lambda one: one.opened, default=None)


def settings_of(folder: Path) -> Config | None:
    """The settings of an earlier evening. Raises DemoError where they are another host's, ConfigError."""
    if not (folder / SETTINGS).exists():
        return None
    found = load(folder / SETTINGS)
    if found.host.address != f"{BOX}@{DOMAIN}" or found.imap.host != HOST:
        raise DemoError(f"{folder / SETTINGS} belongs to a host of its own; name another folder with --dir")
    return found


async def office_of(folder: Path) -> PostOffice:
    """The post office of a folder, open; elsewhere if somebody else listens at its ports. Raises DemoError, OSError."""
    before, password = settings_of(folder), folder / PASSWORD
    word = password.read_text(encoding="utf-8") if password.exists() else ""
    ports = (before.smtp.port, before.imap.port) if before else (0, 0)
    for smtp, imap in dict.fromkeys((ports, (0, 0))):
        office = PostOffice(folder / "mailboxes", [BOX], password=word, domain=DOMAIN, smtp_port=smtp, imap_port=imap)
        try:
            await office.start()
        except OSError:
            if (smtp, imap) == (0, 0):
                raise
            continue
        break
    write_synced(password, office.password.encode())
    (folder / SETTINGS).unlink(missing_ok=True)  # written again with the ports of today
    return office
