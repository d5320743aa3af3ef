"""What the shell completes: games, seats, steps, and the paths of values."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli.outcome import Call


def _call(ctx: click.Context) -> Call:
    """The global options, which are not processed yet while the shell asks."""
    top = ctx.find_root()
    return Call(top.params.get("config"), top.params.get("store"))


class GameParam(click.ParamType):  # type: ignore[type-arg]
    """A game of the store."""

    name = "game"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        try:
            names = _call(ctx).store().names()
        except Exception:
            return []
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class SeatParam(click.ParamType):  # type: ignore[type-arg]
    """A seat of the game before it."""

    name = "seat"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from pbem.store.stored import Stored

        try:
            table = Stored.read_public(_call(ctx).store().open(str(ctx.params["game"]))).table
        except Exception:
            return []
        return [CompletionItem(row.seat, help=row.name) for row in table.seats if row.seat.startswith(incomplete)]


class Path(click.ParamType):  # type: ignore[type-arg]
    """A value of the position that can be set. Secrets are not opened for it."""

    name = "path"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from pbem.store.stored import Stored

        try:
            call = _call(ctx)
            stored = Stored.read_public(call.store().open(str(ctx.params["game"])))
            rules = call.rules(stored.table.kind)
            paths = rules.moderation.settable(rules.load(stored.game, {}))
        except Exception:
            return []
        # One level at a time, as a shell completes folders.
        found = dict.fromkeys(_step(path, incomplete) for path in paths if path.startswith(incomplete))
        return [CompletionItem(path) for path in found]


def _step(path: str, incomplete: str) -> str:
    dot = path.find(".", len(incomplete))
    return path if dot < 0 else path[: dot + 1]


GAME = GameParam()
SEAT = SeatParam()
PATH = Path()
