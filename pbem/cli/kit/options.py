"""The options of a table and of every game as flags of a command, made from what is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import click

from engine.game import games
from pbem.cli.kit.call import USAGE, CommandEnd
from pbem.clocks.pace import OPTIONS as TABLE


class GameCommand(click.Command):
    """A command that takes, beside its own parameters, an option for every option of every game."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = {option.name for option in TABLE}
        return [*super().get_params(ctx), *(flag for name, flag in _made().items() if name not in own)]


class TableCommand(GameCommand):
    """The same, with an option for every option of a table."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *(_made()[option.name] for option in TABLE)]


@cache
def _made() -> dict[str, click.Option]:
    """By its name the flag of each option; its parameter is called `option_` and the name."""
    declared: dict[str, list[Any]] = {}
    for option in (*TABLE, *(option for game in games().values() for option in game.options)):
        declared.setdefault(option.name, []).append(option)
    found = {}
    for name, options in declared.items():
        first = options[0]
        values = list(dict.fromkeys(value for one in options for value in one.values))
        free = first.many or any(not one.values for one in options)
        found[name] = click.Option(
            [f"--{name}", f"option_{name.replace('.', '_').replace('-', '_')}"],
            type=str if free else click.Choice(values),
            is_flag=False,
            flag_value="yes" if "yes" in values else "all" if "all" in values else None,
            metavar=None if not free else ",".join(values).upper() or "VALUE",
            help=f"{first.says} [{first.default}]" if first.default else f"{first.says}",
        )
    return found


def chosen(flags: Mapping[str, Any], pairs: Iterable[str] = ()) -> dict[str, str]:
    """The options that were given, by name: flags, and words of the form `name=value`.

    Ends the command for a word of another form; whether a game has such an option is the game's to say.
    """
    names = {flag.name: name for name, flag in _made().items()}
    found = {names[key]: str(value) for key, value in flags.items() if key in names and value is not None}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandEnd(f"{pair!r} is no option; an option of the game is written NAME=VALUE", USAGE)
        found[name.strip()] = value.strip()
    return found
