"""`pbem daemon`: runs the post room."""

from __future__ import annotations

import logging
import os
from typing import Any

import click

from pbem.cli.kit.stored import config_of
from pbem.daemon.service import run_daemon
from pbem.inbound.sanitize import one_line
from pbem.store.durable_files import private_umask


class Plain(logging.Formatter):
    """A log in which text of others stays on its line, as plain characters without terminal codes."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        record.message = one_line(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(one_line(line) or "" for line in super().formatException(ei).split("\n"))


@click.command("daemon")
@click.option("--once", is_flag=True, help="Handle what is there, send what waits, and end.")
@click.option("-q", "--quiet", is_flag=True, help="Log warnings only.")
@click.pass_context
def command(ctx: click.Context, once: bool, quiet: bool) -> None:
    """Read letters, play them, send mail, until stopped.

    The log goes to stderr. SIGTERM and Ctrl-C end in order; after `kill -9` nothing is lost and nothing done twice.
    """
    # Systemd's journal has the time already.
    when = "" if os.environ.get("JOURNAL_STREAM") else "%(asctime)s "
    level = logging.WARNING if quiet else logging.INFO
    handler = logging.StreamHandler()
    handler.setFormatter(Plain(f"{when}%(levelname)s %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    # Files of the daemon are closed to other users.
    with private_umask():
        code = run_daemon(config_of(ctx.obj), once=once)
    ctx.exit(code)
