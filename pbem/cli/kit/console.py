"""Prints for a person at a terminal; when piped, plain lines with tabs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

MARKS = {"well": "green", "doubt": "yellow", "bad": "red"}
WORD = 16
"""Columns of single words up to this length are not broken."""
MINUTES = "%Y-%m-%d %H:%M"


def on_terminal() -> bool:
    """Whether stdout is a terminal."""
    # It is None where it was closed before we began (`>&-`).
    return sys.stdout is not None and sys.stdout.isatty()


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Rows under a heading; piped, one line a row, cells between tabs, no heading."""
    if not on_terminal():
        for row in rows:
            click.echo("\t".join(" ".join(str(cell).split()) for cell in row))
        return
    # A pipe need not wait for the import of rich.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Ids that are typed again are never broken; nothing is cut.
    table = Table(box=None, header_style="bold", pad_edge=False)
    for at, name in enumerate(head):
        words = [str(row[at]) for row in rows]
        table.add_column(name, overflow="fold", no_wrap=all(len(one) <= WORD and " " not in one for one in words))
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    Console().print(table)


def count_text(n: int, what: str) -> str:
    """So many of something: «1 letter», «2 letters»."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def title(text: str) -> None:
    """A heading."""
    click.secho(text, bold=True)


def colored(word: str, kind: str) -> str:
    """A word in the colour of its kind: well, doubt, bad. Plain when piped."""
    return click.style(word, fg=MARKS[kind])


def warn(text: str) -> None:
    """Print a line on stderr, which is no part of the result."""
    click.echo(text, err=True)


def mails_text(mails: int) -> str:
    """How many mails wait: `1 mail waits for the daemon`."""
    return f"{count_text(mails, 'mail')} {'waits' if mails == 1 else 'wait'} for the daemon"
