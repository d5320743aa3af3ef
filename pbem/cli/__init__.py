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

from pbem.cli.outcome import Call
from pbem.cli.outcome import told

COMMANDS: Mapping[str, str] = {
    "cards": "Print every number of a game's box, to hold against the real one.",
    "daemon": "Read letters, play them, send mail, until stopped.",
    "demo": "Play a whole game by real mail on this machine.",
    "doctor": "Say of every setting, server and stored game whether it is well.",
    "fsck": "Look through stored games for damage.",
    "init": "Write pbem.toml and the host's secret.",
    "list": "List the games of this host.",
    "log": "List what happened in a game, the newest first.",
    "new": "Open a table.",
    "orders": "Play a turn file for a seat, or try it.",
    "position": "Check rule positions against the rules.",
    "show": "Show where a game stands.",
    "verify": "Check the dice of a game against its seed.",
    "version": "Print the version.",
}
"""Each command and its first line of help."""


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = "listing" if cmd_name == "list" else cmd_name
        found: click.Command = importlib.import_module(f"pbem.cli.{module}").command
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
