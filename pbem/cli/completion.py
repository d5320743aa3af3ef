"""`pbem completion`: what makes a shell complete commands, games, seats and paths."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from pbem.cli.kit.call import USAGE, CommandEnd

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.pass_context
def command(ctx: click.Context, shell: str | None) -> None:
    """Print what makes the shell complete commands, games and seats.

    For bash: eval "$(pbem completion bash)" in ~/.bashrc; for zsh the same in ~/.zshrc; for fish:
    pbem completion fish > ~/.config/fish/completions/pbem.fish.
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    found = get_completion_class(name) if name in SHELLS else None
    if found is None:
        raise CommandEnd(f"name the shell: {', '.join(SHELLS)}", USAGE)
    click.echo(found(ctx.find_root().command, {}, "pbem", "_PBEM_COMPLETE").source())
