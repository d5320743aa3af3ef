"""The command line: `pbem`. Exit codes: 0 done, 1 refused or differs, 2 usage, 3 trouble.

A command's module is imported when the command is called, not before: `pbem --help` must not wait for git, mail
and rules. What it says of a command stands here; a test compares it with the command itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from pbem.cli.complete import GAME
from pbem.cli.outcome import Call, told

COMMANDS: Mapping[str, str] = {
    "abandon": "Give a game up.",
    "achievements": "Show what people have achieved.",
    "cards": "Print every number of a game's box, to hold against the real one.",
    "completion": "Print what makes the shell complete commands, games and seats.",
    "computer": "Let a computer play for a seat, or give it back.",
    "daemon": "Read letters, play them, send mail, until stopped.",
    "demo": "Play a whole game by real mail on this machine.",
    "doctor": "Say of every setting, server and stored game whether it is well.",
    "edit": "Put the position of a game right in your editor.",
    "end": "End a game here and now, without a result.",
    "export": "Write a game to a file: data, a page that plays it, mails, history.",
    "forget": "Empty what a person has written.",
    "fsck": "Look through stored games for damage.",
    "hold": "Hold a game: nobody has to answer until `pbem resume`.",
    "import": "Make a game of this host from an export.",
    "init": "Write pbem.toml and the host's secret.",
    "list": "List the games of this host.",
    "log": "List what happened in a game, the newest first.",
    "man": "Print the manual page of a command.",
    "mend": "Mend what `pbem fsck` has found.",
    "new": "Open a table.",
    "orders": "Play a turn file for a seat, or try it.",
    "position": "Check rule positions against the rules.",
    "remark": "Say a word to the table.",
    "rename": "Call the player of a seat otherwise.",
    "replace": "Give a seat to another person.",
    "resend": "Mail the present position again, to SEAT or to everybody.",
    "resume": "Let a game go on that was held or given up.",
    "rollback": "Let a game stand again as it stood at a step.",
    "rollforward": "Bring back what was gone back from.",
    "set": "Put one value of a position right.",
    "show": "Show where a game stands.",
    "stats": "Count games, people, wins and cards.",
    "try": "Show what orders would do, without playing them.",
    "undo": "Take back the last orders of a game.",
    "verify": "Check the dice of a game against its seed.",
    "version": "Print the version.",
    "watch": "One screen of all games, alive.",
}
"""Each command and its first line of help."""

PLACES: Mapping[str, str] = {
    "list": "list_",
    "import": "import_",
    "abandon": "pausing:abandon",
    "computer": "seating:computer",
    "edit": "fixing:edit",
    "end": "pausing:end",
    "hold": "pausing:hold",
    "remark": "pausing:remark",
    "rename": "seating:rename",
    "replace": "seating:replace",
    "resend": "pausing:resend",
    "resume": "pausing:resume",
    "rollback": "moving:rollback",
    "rollforward": "moving:rollforward",
    "set": "fixing:put",
    "try": "try_",
    "undo": "moving:undo",
}
"""Where a command lies that has no module of its name: its module, and its name there if it shares the module."""


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = PLACES.get(cmd_name, cmd_name).partition(":")
        found: click.Command = getattr(importlib.import_module(f"pbem.cli.{module}"), name or "command")
        for param in found.params:
            if param.name in ("game", "games") and param.type is click.STRING:
                param.type = GAME
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever is known to go wrong is told in a sentence, with its exit code."""
        try:
            return super().invoke(ctx)
        except Exception as odd:
            outcome = told(odd, ctx.obj)
            if outcome is None:
                raise
            raise outcome from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", type=click.Path(path_type=Path), help="The settings to use, instead of ./pbem.toml.")
@click.option("--store", type=click.Path(path_type=Path), help="The folder of games, with or without settings.")
@click.pass_context
def main(ctx: click.Context, config: Path | None, store: Path | None) -> None:
    """Board games played by mail.

    Exit codes: 0 done, 1 refused or differs, 2 usage, 3 trouble. With --json, stdout holds one JSON value.
    """
    ctx.obj = Call(config, store)
