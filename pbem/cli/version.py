"""`pbem version`."""

from __future__ import annotations

import click

from pbem.cli.outcome import json_option, print_json


@click.command("version")
@json_option
def command(as_json: bool) -> None:
    """Print the version."""
    import importlib.metadata
    import platform

    try:
        version = importlib.metadata.version("troyes-by-mail")
    except importlib.metadata.PackageNotFoundError:
        version = "0"
    if as_json:
        print_json({"version": version, "python": platform.python_version()})
    else:
        click.echo(f"troyes-by-mail {version}, Python {platform.python_version()}")
