"""What the shell completes: games, seats, and the paths of values. What finds them is imported when it asks."""

from __future__ import annotations

import importlib

import click
from click.shell_completion import CompletionItem

from pbem.cli.kit.call import Call


class Completed(click.ParamType):  # type: ignore[type-arg]
    """A text that a function of the kit completes, by the call, the game before it, and what is there of it."""

    def __init__(self, name: str, module: str, function: str) -> None:
        self.name = name
        self._module, self._function = module, function

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        # The global options are not processed yet while the shell asks.
        top = ctx.find_root().params
        call, game = Call(top.get("config"), top.get("store")), str(ctx.params.get("game"))
        try:
            find = getattr(importlib.import_module(f"pbem.cli.kit.{self._module}"), self._function)
            found = dict(find(call, game, incomplete))
        except Exception:
            return []
        return [CompletionItem(word, help=says or None) for word, says in found.items() if word.startswith(incomplete)]


GAME = Completed("game", "stored", "games_there")
SEAT = Completed("seat", "tables", "seats_there")
PATH = Completed("path", "tables", "paths_there")
