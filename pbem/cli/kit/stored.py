"""Opens what a command names: settings, the store, a game; and completes games, seats and values for the shell."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from engine.game import find_game
from pbem.cli.kit.call import TROUBLE, USAGE, Call, CommandEnd
from pbem.desk.core.seat_controller import COMPUTER, level_of
from pbem.host import config as settings
from pbem.host.config import Config
from pbem.host.table_transfer import redirects_of
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.permissions import owner_problem
from pbem.store.state_file import StoredGame


def config_of(call: Call) -> Config:
    """The settings. Raises ConfigError."""
    return settings.find_config(call.config_file, call.store_folder)


def store_of(call: Call) -> GameStore:
    """The store, which must be there. Ends the command where there is none or its folders are closed to us."""
    folder = config_of(call).store
    if not folder.is_dir():
        says = f"there is no store at {folder}; `pbem new` makes one, or name another with --store DIR"
        raise CommandEnd(says, TROUBLE)
    store = GameStore(folder)
    shut = (one for one in folder.iterdir() if one.is_dir() and not os.access(one, os.R_OK | os.X_OK))
    if not store.names() and (closed := list(shut)):
        whose = owner_problem(closed[0]) or f"{closed[0]} cannot be looked into"
        raise CommandEnd(f"{len(closed)} folders in {folder} are closed to us: {whose}", TROUBLE)
    return store


def game_of(call: Call, name: str) -> GameRepo:
    """One stored game. Ends the command when there is none of that name, saying where it went or which there are."""
    store = store_of(call)
    if not store.has(name):
        if (post := redirects_of(config_of(call).mail).get(name)) is not None:
            raise CommandEnd(f"{name} has moved to the host at {post.address or post.door}; ask there", USAGE)
        names = ", ".join(store.names()[:20]) or "none"
        raise CommandEnd(f"there is no game {name} in {store.root}; there are: {names}", USAGE)
    return store.open(name)


def table_data(stored: StoredGame) -> dict[str, Any]:
    """A stored game for `--json`."""
    table = stored.table
    return {
        "game": table.game, "kind": table.kind, "status": str(table.status), "options": table.options,
        "seats": {row.seat: row.name for row in table.seats},
        "computers": {row.seat: level_of(row).name for row in table.seats if row.by == COMPUTER},
        "commitment": table.commitment,
    }  # fmt: skip


def games_there(call: Call, game: str, incomplete: str) -> dict[str, str]:
    """The games of the store."""
    return dict.fromkeys(store_of(call).names(), "")


def seats_there(call: Call, game: str, incomplete: str) -> dict[str, str]:
    """The seats of a game with their players' names."""
    return {row.seat: row.name for row in StoredGame.read_public(store_of(call).open(game)).table.seats}


def paths_there(call: Call, game: str, incomplete: str) -> dict[str, str]:
    """Values that can be set, one level at a time, as a shell completes folders. Secrets are not opened."""
    stored = StoredGame.read_public(store_of(call).open(game))
    rules = find_game(stored.table.kind)
    dots = {path: path.find(".", len(incomplete)) for path in rules.moderation.settable(rules.load(stored.game, {}))}
    return {path if dot < 0 else path[: dot + 1]: "" for path, dot in dots.items() if path.startswith(incomplete)}


class Completed(click.ParamType):  # type: ignore[type-arg]
    """A text that the shell completes: `find` gives the words, from the call and the game before it."""

    def __init__(self, name: str, find: Callable[[Call, str, str], dict[str, str]]) -> None:
        self.name, self._find = name, find

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        # The global options are not processed yet while the shell asks.
        top = ctx.find_root().params
        try:
            found = self._find(Call(top.get("config"), top.get("store")), str(ctx.params.get("game")), incomplete)
        except Exception:
            return []
        return [CompletionItem(word, help=says or None) for word, says in found.items() if word.startswith(incomplete)]


GAME = Completed("game", games_there)
SEAT = Completed("seat", seats_there)
PATH = Completed("path", paths_there)
