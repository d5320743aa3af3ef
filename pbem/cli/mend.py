"""`pbem mend`: what `pbem fsck` has found, put right."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import paper
from pbem.cli.complete import GAME
from pbem.cli.outcome import DIFFERS
from pbem.cli.outcome import USAGE
from pbem.cli.outcome import Call
from pbem.cli.outcome import Outcome
from pbem.cli.outcome import json_option
from pbem.cli.outcome import print_json


@click.command("mend")
@click.argument("games", nargs=-1, type=GAME)
@click.option("--adopt", is_flag=True, help="Keep what was changed by hand, as a repair that everybody reads; --why.")
@click.option("--restore", is_flag=True, help="Put the old text back instead; what lies there is kept aside.")
@click.option("--back", is_flag=True, help="Go back to the last step that is sound; letters since are played again.")
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), help="A clone or backup to copy from.")
@click.option("--why", "-m", default="", metavar="TEXT", help="The reason; every player reads it.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    adopt: bool,
    restore: bool,
    back: bool,
    source: Path | None,
    why: str,
    as_json: bool,
) -> None:
    """Mend what `pbem fsck` has found.

    What the history can say is put right at once. What somebody may have meant is never undone silently: choose with
    --adopt or --restore. Exit 1 when something is left.
    """
    from pbem.repair.check import spool_fault
    from pbem.repair.mending import Choice
    from pbem.repair.mending import mend
    from pbem.repair.mending import new_spool
    from pbem.service import restock

    call: Call = ctx.obj
    if adopt and restore:
        raise Outcome("--adopt keeps what was changed by hand, --restore puts it back: choose one", USAGE, as_json)
    store = call.store()
    if unknown := [name for name in games if not store.has(name)]:
        raise Outcome(f"there is no game {', '.join(unknown)} in {store.root}", USAGE, as_json)
    rows = []
    mail = call.config().mail
    damaged = spool_fault(mail)
    if damaged is not None:
        click.echo(f"spool\t{new_spool(mail)}", err=as_json)
    with call.service() as service:
        if damaged is not None:
            click.echo(f"spool\t{restock(service)} mails go again", err=as_json)
            service.spool.recover(service.store)
        for name in games or store.names():
            found = mend(service.desk, name, Choice(adopt, restore, back, source, why))
            left = [{"what": one.what, "path": one.path, "says": one.says, "mend": one.mend} for one in found.left]
            rows.append({"game": name, "done": found.done, "sound": not left, "left": left})
            if not as_json:
                _print(name, found.done, left)
    if as_json:
        print_json(rows)
    if not all(row["sound"] for row in rows):
        ctx.exit(DIFFERS)


def _print(name: str, done: list[str], left: list[dict[str, str]]) -> None:
    click.echo(f"{name}\t{paper.mark('damaged', 'bad') if left else paper.mark('sound', 'well')}")
    for one in done:
        click.echo(f"\tdone: {one}")
    for row in left:
        place = f" {row['path']}" if row["path"] else ""
        click.echo(f"\tleft: {row['what']}{place}: {row['says']}")
        click.echo(f"\t\tto mend: {row['mend']}")
