"""What a call names, opened: settings, the store, a game of it."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.cli.kit.call import TROUBLE, USAGE, Call, CommandEnd
from pbem.host import config as settings
from pbem.host.config import Config
from pbem.host.moving import signposts
from pbem.store.games import GameStore
from pbem.store.owner import not_ours
from pbem.store.repo import GameRepo


def config_of(call: Call) -> Config:
    """The settings. Raises ConfigError."""
    return settings.find(call.config_file, call.store_folder)


def store_of(call: Call) -> GameStore:
    """The games, which must lie there: looking makes no folder."""
    folder = config_of(call).store
    if not folder.is_dir():
        says = f"there is no store at {folder}; `pbem new` makes one, or name another with --store DIR"
        raise CommandEnd(says, TROUBLE)
    store = GameStore(folder)
    if not store.names() and (closed := [one for one in folder.iterdir() if one.is_dir() and not _open_to_us(one)]):
        whose = not_ours(closed[0]) or f"{closed[0]} cannot be looked into"
        raise CommandEnd(f"{len(closed)} folders in {folder} are closed to us: {whose}", TROUBLE)
    return store


def _open_to_us(folder: Path) -> bool:
    return os.access(folder, os.R_OK | os.X_OK)


def game_of(call: Call, name: str) -> GameRepo:
    """One stored game. Ends the command when there is none of that name, telling those there are, or where it went."""
    store = store_of(call)
    if not store.has(name):
        if (post := signposts(config_of(call).mail).get(name)) is not None:
            raise CommandEnd(f"{name} has moved to the host at {post.address or post.door}; ask there", USAGE)
        names = ", ".join(store.names()[:20]) or "none"
        raise CommandEnd(f"there is no game {name} in {store.root}; there are: {names}", USAGE)
    return store.open(name)


def games_there(call: Call, game: str, incomplete: str) -> dict[str, str]:
    """The games of the store, for the shell."""
    return dict.fromkeys(store_of(call).names(), "")
