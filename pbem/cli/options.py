"""The options of every game as flags of a command, made from what the games declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from pbem.cli.outcome import USAGE, CommandEnd

PREFIX = "option_"
"""Parameters that carry a game's option begin so: `option_` and its name, dots and hyphens as underscores."""


class GameCommand(click.Command):
    """A command that takes, beside its own parameters, an option for every option of every game."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *_made()]


_MADE: list[click.Parameter] = []


def _made() -> list[click.Parameter]:
    if not _MADE:
        from engine.game import games

        found: dict[str, list[Any]] = {}
        for game in games().values():
            for option in game.options:
                found.setdefault(option.name, []).append(option)
        for name, options in found.items():
            first = options[0]
            values = list(dict.fromkeys(value for one in options for value in one.values))
            free = first.many or any(not one.values for one in options)
            on = "yes" if "yes" in values else "all" if "all" in values else None
            default = f" [{first.default}]" if first.default else ""
            _MADE.append(
                click.Option(
                    [f"--{name}", _parameter(name)],
                    type=str if free else click.Choice(values),
                    is_flag=False,
                    flag_value=on,
                    metavar=None if not free else ",".join(values).upper() or "VALUE",
                    help=f"{first.says}{default}",
                )
            )
    return _MADE


def _parameter(name: str) -> str:
    return PREFIX + name.replace(".", "_").replace("-", "_")


def chosen(flags: Mapping[str, Any], pairs: Iterable[str] = ()) -> dict[str, str]:
    """The options that were given, by name: flags, and words of the form `name=value`.

    Ends the command for a word of another form; whether a game has such an option is the game's to say.
    """
    from engine.game import games

    names = {_parameter(option.name): option.name for game in games().values() for option in game.options}
    found = {names[key]: str(value) for key, value in flags.items() if key in names and value is not None}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandEnd(f"{pair!r} is no option; an option of the game is written NAME=VALUE", USAGE)
        found[name.strip()] = value.strip()
    return found
