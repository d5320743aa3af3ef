"""Parameter types that the shell completes: games, seats, paths of values. Their module is imported only then."""

from __future__ import annotations

import importlib

import click
from click.shell_completion import CompletionItem

from pbem.cli.kit.call import Call


class Completed(click.ParamType):  # type: ignore[type-arg]
    """A text that a function of `stored` completes, from the call, the game before it, and what was typed of it."""

    def __init__(self, name: str, function: str) -> None:
        self.name, self._function = name, function

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        # The global options are not processed yet while the shell asks.
        top = ctx.find_root().params
        call, game = Call(top.get("config"), top.get("store")), str(ctx.params.get("game"))
        try:
            find = getattr(importlib.import_module("pbem.cli.kit.stored"), self._function)
            found = dict(find(call, game, incomplete))
        except Exception:
            return []
        return [CompletionItem(word, help=says or None) for word, says in found.items() if word.startswith(incomplete)]


GAME = Completed("game", "games_there")
SEAT = Completed("seat", "seats_there")
PATH = Completed("path", "paths_there")
