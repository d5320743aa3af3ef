"""`pbem daemon`: the post room runs."""

from __future__ import annotations

import click

from pbem.cli.outcome import Call


@click.command("daemon")
@click.option("--once", is_flag=True, help="Handle what is there, send what waits, and end.")
@click.option("-q", "--quiet", is_flag=True, help="Log warnings only.")
@click.pass_context
def command(ctx: click.Context, once: bool, quiet: bool) -> None:
    """Read letters, play them, send mail, until stopped.

    The log goes to stderr. SIGTERM and Ctrl-C end in order; after `kill -9` nothing is lost and nothing done twice.
    """
    import logging
    import os

    from pbem.service import run

    call: Call = ctx.obj
    # Under systemd the journal has the time already.
    when = "" if os.environ.get("JOURNAL_STREAM") else "%(asctime)s "
    level = logging.WARNING if quiet else logging.INFO
    logging.basicConfig(level=level, format=f"{when}%(levelname)s %(message)s")
    ctx.exit(run(call.config(), once=once))
