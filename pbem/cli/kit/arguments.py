"""Command arguments: kinds of game, files, NAME=VALUE pairs, and an option for each option of a game or table."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import click

from engine.game import AnyGame, find_game, games
from pbem.cli.kit.call import TROUBLE, USAGE, CommandEnd
from pbem.clocks.pace import TABLE_OPTIONS as TABLE
from pbem.outbound.translation import languages


def rules_of(kind: str) -> AnyGame:
    """The game called `kind`. Ends the command when there is none."""
    with lookup_errors():
        return find_game(kind)


@contextmanager
def lookup_errors(code: int = USAGE) -> Iterator[None]:
    """End the command with the sentence of a LookupError that the block raises."""
    try:
        yield
    except LookupError as odd:
        raise CommandEnd(str(odd.args[0]), code) from None


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of the moderator. Ends the command when it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as odd:
        raise CommandEnd(f"{path}: is no TOML: {odd}", TROUBLE) from None


def files_in(paths: Sequence[Path], ending: str) -> list[Path]:
    """The named files, and in named folders all files of that ending."""
    return [one for path in paths for one in (sorted(path.glob(f"**/*{ending}")) if path.is_dir() else [path])]


def languages_by_name(pairs: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Name to language, from pairs NAME=fr; `all` stands for everybody who is not named.

    Ends the command for an unknown name or language.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, language = (part.strip() for part in pair.partition("="))
        known = {one.casefold(): one for one in names} | {"all": "all"}
        if not equals or name.casefold() not in known:
            there = ", ".join(names)
            raise CommandEnd(f"--language {pair!r}: it is given as NAME=fr or all=fr; there are: {there}", USAGE)
        if language not in languages():
            there = ", ".join(languages())
            raise CommandEnd(f"--language {pair!r}: there are no mails in {language!r}; there are: {there}", USAGE)
        found[known[name.casefold()]] = language
    every = found.pop("all", "")
    return {name: every for name in names if every} | found


class GameCommand(click.Command):
    """A command with an option for every option of every game."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = {option.name for option in TABLE}
        return [*super().get_params(ctx), *(flag for name, flag in _made().items() if name not in own)]


class TableCommand(GameCommand):
    """The same, with an option for every option of a table, too."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *(_made()[option.name] for option in TABLE)]


@cache
def _made() -> dict[str, click.Option]:
    """Name to click option; its parameter is called `option_` and the name."""
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


def chosen_options(flags: Mapping[str, Any], pairs: Iterable[str] = ()) -> dict[str, str]:
    """The given options by name, from flags and from words NAME=VALUE. Ends the command for any other word.

    Whether the game has such an option is not looked at.
    """
    names = {flag.name: name for name, flag in _made().items()}
    found = {names[key]: str(value) for key, value in flags.items() if key in names and value is not None}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandEnd(f"{pair!r} is no option; an option of the game is written NAME=VALUE", USAGE)
        found[name.strip()] = value.strip()
    return found
