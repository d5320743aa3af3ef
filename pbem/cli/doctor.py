"""`pbem doctor`: what is well with a host, what is not, and how to mend it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pbem.cli import paper
from pbem.cli.health import Check
from pbem.cli.outcome import DIFFERS, Call, json_option, print_json


@click.command("doctor")
@click.option("--offline", is_flag=True, help="Look at files only, not at the servers.")
@click.option("--send", is_flag=True, help="Send a letter to ourselves, to see whether plus addresses arrive.")
@click.option("--skip-games", is_flag=True, help="Do not look through the stored games.")
@json_option
@click.pass_context
def command(ctx: click.Context, offline: bool, send: bool, skip_games: bool, as_json: bool) -> None:
    """Say of every setting, server and stored game whether it is well.

    And how to mend what is not. Exit 1 if something is wrong; what is merely odd is told as such.
    """
    import asyncio

    from pbem.cli import health, servers
    from pbem.host.checked import ConfigError

    call: Call = ctx.obj
    try:
        config = call.config()
    except ConfigError as odd:
        found = [
            Check("settings", "bad", f"{odd.path}: {says}", "edit the file, or run `pbem init`")
            for says in odd.problems
        ]
    else:
        found = []
        parts = (health.settings, health.secrets, health.disks, health.folders, health.people, health.post)
        for part in parts:
            found += health.guarded(part, config)
        if not offline:
            found += health.guarded(lambda config: asyncio.run(servers.checks(config, send)), config, "servers")
        if not skip_games:
            found += health.guarded(health.games, config)
    if as_json:
        print_json([{"what": one.what, "state": one.state, "says": one.says, "mend": one.mend} for one in found])
    else:
        _print(found)
    if any(one.state == "bad" for one in found):
        ctx.exit(DIFFERS)


def _print(found: Sequence[Check]) -> None:
    words = {"well": "well", "doubt": "odd ", "bad": "BAD "}
    for one in found:
        click.echo(f"{paper.mark(words[one.state], one.state)}\t{one.what}\t{one.says}")
        if one.mend:
            click.echo(f"\t\tto mend: {one.mend}")
    bad, odd = (sum(one.state == state for one in found) for state in ("bad", "doubt"))
    paper.warn(f"{len(found)} things looked at, {bad} wrong, {odd} odd")
