"""`pbem version`."""

from __future__ import annotations

import platform
from importlib import metadata

import click

from pbem.cli.kit.call import json_option, print_answer


@click.command("version")
@json_option
def command() -> None:
    """Print the version."""
    try:
        version = metadata.version("troyes-by-mail")
    except metadata.PackageNotFoundError:
        version = "0"
    found = {"version": version, "python": platform.python_version()}
    print_answer(found, lambda found: click.echo(f"troyes-by-mail {found['version']}, Python {found['python']}"))
