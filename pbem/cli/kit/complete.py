"""What the shell completes: games, seats, and the paths of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from pbem.cli.kit.call import Call
from pbem.cli.kit.stored import rules_of, store_of
from pbem.store.stored import Stored

Found = Iterable[tuple[str, str]]
"""What may stand there, each with a word of help."""


class Completed(click.ParamType):  # type: ignore[type-arg]
    """A text that `find` completes, by the call and the game before it; nothing where that cannot be read."""

    def __init__(self, name: str, find: Callable[[Call, str, str], Found]) -> None:
        self.name = name
        self._find = find

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        # The global options are not processed yet while the shell asks.
        top = ctx.find_root().params
        call, game = Call(top.get("config"), top.get("store")), str(ctx.params.get("game"))
        try:
            found = dict(self._find(call, game, incomplete))
        except Exception:
            return []
        return [CompletionItem(word, help=says or None) for word, says in found.items() if word.startswith(incomplete)]


def _games(call: Call, game: str, incomplete: str) -> Found:
    return ((name, "") for name in store_of(call).names())


def _seats(call: Call, game: str, incomplete: str) -> Found:
    return ((row.seat, row.name) for row in Stored.read_public(store_of(call).open(game)).table.seats)


def _paths(call: Call, game: str, incomplete: str) -> Found:
    """Values of the position that can be set, one level at a time, as a shell completes folders. Opens no secrets."""
    stored = Stored.read_public(store_of(call).open(game))
    rules = rules_of(stored.table.kind)
    for path in rules.settable(rules.load(stored.game, {})):
        if path.startswith(incomplete):
            dot = path.find(".", len(incomplete))
            yield (path if dot < 0 else path[: dot + 1]), ""


GAME = Completed("game", _games)
SEAT = Completed("seat", _seats)
PATH = Completed("path", _paths)
