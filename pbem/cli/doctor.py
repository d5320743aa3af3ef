"""`pbem doctor`: what is well with a host, what is not, and how to mend it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from pbem.cli.kit import console, local_checks
from pbem.cli.kit.call import DIFFERS, Call, json_option, print_answer
from pbem.cli.kit.local_checks import Check, guarded
from pbem.cli.kit.server_checks import check_servers
from pbem.cli.kit.stored import config_of
from pbem.host.settings_file import ConfigError


@click.command("doctor")
@click.option("--offline", is_flag=True, help="Look at files only, not at the servers.")
@click.option("--send", is_flag=True, help="Send a letter to ourselves, to see whether plus addresses arrive.")
@click.option("--skip-games", is_flag=True, help="Do not look through the stored games.")
@json_option
@click.pass_obj
def command(call: Call, offline: bool, send: bool, skip_games: bool) -> None:
    """Say of every setting, server and stored game whether it is well.

    And how to mend what is not. Exit 1 if something is wrong; what is merely odd is told as such.
    """
    try:
        config = config_of(call)
    except ConfigError as odd:
        mend = "edit the file, or run `pbem init`"
        found = [Check("settings", "bad", f"{odd.path}: {says}", mend) for says in odd.problems]
    else:
        found = []
        for part in local_checks.PARTS:
            found += guarded(part, config)
        if not offline:
            found += guarded(lambda config: asyncio.run(check_servers(config, send)), config, "servers")
        if not skip_games:
            found += guarded(local_checks.games, config)
    print_answer(found, _print, DIFFERS if any(one.state == "bad" for one in found) else 0)


def _print(found: Sequence[Check]) -> None:
    words = {"well": "well", "doubt": "odd ", "bad": "BAD "}
    for one in found:
        click.echo(f"{console.colored(words[one.state], one.state)}\t{one.what}\t{one.says}")
        if one.mend:
            click.echo(f"\t\tto mend: {one.mend}")
    bad, odd = (sum(one.state == state for one in found) for state in ("bad", "doubt"))
    console.warn(f"{len(found)} things looked at, {bad} wrong, {odd} odd")
