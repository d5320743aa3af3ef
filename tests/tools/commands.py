"""Write `docs/commands.md`, the page of all commands, from the program: `python -m tests.tools.commands`."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import COMMANDS, main

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """# Commands

Made from the program by `python -m tests.tools.commands`. `pbem COMMAND --help` and `pbem man COMMAND` say more.

| command | what it does |
|---|---|
"""


def commands_page() -> str:
    """One row for each command: how it is called, and the first line of its help."""
    root, rows = click.Context(main), []
    for name in sorted(COMMANDS):
        command = main.get_command(root, name)
        assert command is not None, name
        pieces = (piece for piece in command.collect_usage_pieces(click.Context(command)) if piece != "[OPTIONS]")
        call = " ".join(("pbem", name, *pieces)).replace("|", "\\|")
        rows.append(f"| `{call}` | {COMMANDS[name]} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(commands_page(), encoding="utf-8")
