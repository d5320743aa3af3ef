"""The command line `pbem`. Exit codes: 0 done, 1 refused or differs, 2 usage, 3 trouble.

A command's module is imported when the command is called: `pbem --help` must not wait for git, mail and rules. So the
first line of each command's help stands here, too; a test compares it with the command. A module is called like its
command; `kit` holds what several share.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from pbem.cli.kit.call import USAGE, Call, CommandEnd, command_end

COMMANDS: Mapping[str, str] = {
    "abandon": "Give a game up.",
    "achievements": "Show what people have achieved.",
    "address": "Correct the address of whoever holds a seat.",
    "arena": "Let computer players of several levels play against each other.",
    "away": "Note that a person is away.",
    "backup": "Bring all that this host has to a folder or a git repository.",
    "cards": "Print every number of a game's box, to hold against the real one.",
    "completion": "Print what makes the shell complete commands, games and seats.",
    "computer": "Let a computer play for a seat, or give it back.",
    "daemon": "Read letters, play them, send mail, until stopped.",
    "deadline": "Give a seat more time.",
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
    "invite": "Invite one more to a table that has not begun.",
    "letter": "Say what the desk would make of raw mails.",
    "list": "List the games of this host.",
    "log": "List what happened in a game, the newest first.",
    "man": "Print the manual page of a command.",
    "mend": "Mend what `pbem fsck` has found.",
    "move": "Bring a game to another host behind the same address.",
    "new": "Open a table.",
    "orders": "Play a turn file for a seat, or try it.",
    "pace": "Change how long a decision may take.",
    "play": "Play against computers, in the terminal or with any mail program.",
    "position": "Check rule positions against the rules.",
    "remark": "Say a word to the table.",
    "rename": "Call the player of a seat otherwise.",
    "replace": "Give a seat to another person.",
    "resend": "Mail the present position again, to SEAT or to everybody.",
    "restore": "Make a host of a backup.",
    "resume": "Let a game go on that was held or given up.",
    "rollback": "Let a game stand again as it stood at a step.",
    "rollforward": "Bring back what was gone back from.",
    "set": "Put one value of a position right.",
    "show": "Show where a game stands.",
    "start": "Begin a game without waiting for everybody.",
    "stats": "Count games, people, wins and cards.",
    "try": "Show what orders would do, without playing them.",
    "undo": "Take back the last orders of a game.",
    "verify": "Check the dice of a game against its seed.",
    "version": "Print the version.",
    "watch": "One screen of all games, alive.",
}
"""Each command and its first line of help."""

ACTIONS = (
    "abandon", "address", "away", "computer", "deadline", "end", "hold", "invite", "pace", "remark", "rename",
    "replace", "resend", "resume", "rollback", "rollforward", "set", "start", "undo",
)  # fmt: skip
"""A moderator's actions: `pbem.cli.action_commands` makes their commands from the declarations."""

PLACES: Mapping[str, str] = {
    "list": "list_", "import": "import_", "try": "try_", **dict.fromkeys(ACTIONS, "action_commands"),
}  # fmt: skip
"""The module of a command that has none of its name."""

WANTS_JSON = "pbem.json"
"""Key in a call's meta data: whether JSON was asked for, known before a command is parsed."""


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"pbem.cli.{PLACES.get(cmd_name, cmd_name)}")
        found: click.Command = module.COMMANDS[cmd_name] if cmd_name in ACTIONS else module.command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands that begin so, and our own options."""
        found = [CompletionItem(name, help=says) for name, says in COMMANDS.items() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[WANTS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an expected exception ends it with a sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except Exception as odd:
            if isinstance(odd, click.UsageError) and ctx.meta[WANTS_JSON]:
                # The command was not parsed, so its --json was not seen.
                ctx.obj.as_json, odd = True, CommandEnd(odd.format_message(), USAGE)
            end = command_end(odd, ctx.obj)
            if end is None:
                raise
            raise end from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", type=click.Path(path_type=Path), help="The settings to use, instead of ./pbem.toml.")
@click.option("--store", type=click.Path(path_type=Path), help="The folder of games, with or without settings.")
@click.pass_context
def main(ctx: click.Context, config: Path | None, store: Path | None) -> None:
    """Board games played by mail.

    Exit codes: 0 done, 1 refused or differs, 2 usage, 3 trouble. With --json, stdout holds one JSON value.
    """
    ctx.obj = Call(config, store)
