"""The folder of a demo: its post office, its settings, and the game that goes on there.

A folder that is come back to has the same ports and password, so that a mail program that was set up for it finds it
again. A crash leaves the folder as it is; what is missing is made anew.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from pbem.demo.postoffice import HOST, DemoError, PostOffice
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig, load_config
from pbem.host.setup import write_settings
from pbem.store.durable_files import write_file
from pbem.store.game_store import GameStore
from pbem.store.game_table import Status, Table
from pbem.store.state_file import StoredGame

DOMAIN = "demo.example"
BOX = "pbem"
"""The mailbox of the desk."""
SETTINGS, GAMES, PASSWORD = "pbem.toml", "games", "password.txt"
OVER = frozenset({Status.ENDED, Status.ABANDONED})


def unfinished_table(folder: Path) -> Table | None:
    """The table of this folder that is not over, the newest; None when there is none. Raises DemoError, StoreError."""
    earlier_settings(folder)
    if not (folder / GAMES).is_dir():
        return None
    store = GameStore(folder / GAMES)
    tables = [StoredGame.read_public(store.open(name)).table for name in store.names()]
    return max((one for one in tables if one.status not in OVER), key=lambda one: one.opened, default=None)


def earlier_settings(folder: Path) -> Config | None:
    """The settings of an earlier evening. Raises DemoError where they are another host's, ConfigError."""
    if not (folder / SETTINGS).exists():
        return None
    found = load_config(folder / SETTINGS)
    if found.host.address != f"{BOX}@{DOMAIN}" or found.imap.host != HOST:
        raise DemoError(f"{folder / SETTINGS} belongs to a host of its own; name another folder with --dir")
    return found


async def open_post_office(folder: Path, kept: bool) -> PostOffice:
    """The post office of a folder, open. One that is `kept` has its ports again, unless somebody else listens there.

    Raises DemoError, OSError.
    """
    before, password = earlier_settings(folder) if kept else None, folder / PASSWORD
    if not kept and (folder / SETTINGS).exists():
        raise DemoError(f"{folder / SETTINGS} is there already; name another folder with --dir, or remove this one")
    word = password.read_text(encoding="utf-8") if kept and password.exists() else ""
    smtp, imap = (before.smtp.port, before.imap.port) if before else (0, 0)
    office = PostOffice(folder / "mailboxes", [BOX], password=word, domain=DOMAIN, smtp_port=smtp, imap_port=imap)
    try:
        await office.start()
    except OSError:
        if before is None:
            raise
        office = PostOffice(folder / "mailboxes", [BOX], password=word, domain=DOMAIN)
        await office.start()
    write_file(password, office.password.encode(), sync=True)
    return office


def settings_for(folder: Path, office: PostOffice) -> Config:
    """Write the settings of a host at this post office, with the ports of today."""
    (folder / SETTINGS).unlink(missing_ok=True)
    # The command counts before all that the surroundings say of another host's password.
    command = f"cat {shlex.quote(str(folder / PASSWORD))}"
    address = office.address(BOX)
    return write_settings(
        Config(
            store=folder / GAMES,
            mail=folder / "mail",
            path=folder / SETTINGS,
            host=HostConfig(address),
            imap=ImapConfig(HOST, office.imap_port, BOX, "none", password_command=command),
            smtp=SmtpConfig(HOST, office.smtp_port, BOX, "none", password_command=command, sender=address),
        )
    )
