"""`pbem fsck`: stored games looked through for damage."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.kit import paper
from pbem.cli.kit.call import DIFFERS, USAGE, Call, CommandEnd, json_option, print_json, wants_json
from pbem.cli.kit.complete import GAME
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import config_of, store_of

if TYPE_CHECKING:
    from pbem.moderation.check import Fault
    from pbem.store.repo import GameRepo


@click.command("fsck")
@click.argument("games", nargs=-1, type=GAME)
@json_option
@click.pass_context
def command(ctx: click.Context, games: tuple[str, ...]) -> None:
    """Look through stored games for damage.

    Every object, record and position is read; the records are folded and compared with the position, which must
    keep the laws of its game; the outbox, the answered letters and the people are compared with the history; disks,
    owners and modes are looked at. Nothing secret is printed and nothing is changed. Exit 1 if anything is wrong;
    `pbem mend` does what is said.
    """
    from pbem.moderation.check import inspected
    from pbem.moderation.house import examined, faults

    call: Call = ctx.obj
    store, mail = store_of(call), config_of(call).mail
    if unknown := [name for name in games if not store.has(name)]:
        raise CommandEnd(f"there is no game {', '.join(unknown)} in {store.root}", USAGE)
    rows: list[dict[str, Any]] = []
    house = tuple(faults(store, mail))
    if house:
        rows.append(_row("", house))
        _print(rows[-1])
    # A store without a spool (a copy, a backup) is looked through for itself.
    posted = (mail / "spool.sqlite").exists() and not any(one.what in ("spool", "disk", "access") for one in house)
    with opened(call) if posted else contextlib.nullcontext() as service:
        look = audited if service is None else partial(inspected, service.desk.services)
        for name in games or store.names():
            rows.append(_row(name, examined(store if service is None else service.store, name, look)))
            _print(rows[-1])
    if wants_json():
        print_json(rows)
    if not all(row["sound"] for row in rows):
        if not wants_json():
            paper.warn("`pbem mend` does what is said, as far as it needs no choice of yours")
        ctx.exit(DIFFERS)


def _row(name: str, found: Sequence[Fault]) -> dict[str, Any]:
    findings = [{"what": one.what, "path": one.path, "says": one.says, "mend": one.mend} for one in found]
    return {"game": name, "sound": not found, "findings": findings}


def _print(row: dict[str, Any]) -> None:
    if wants_json():
        return
    state = paper.mark("sound", "well") if row["sound"] else paper.mark("damaged", "bad")
    click.echo(f"{row['game'] or 'host'}\t{state}")
    for finding in row["findings"]:
        place = f" {finding['path']}" if finding["path"] else ""
        click.echo(f"\t{finding['what']}{place}: {finding['says']}")
        click.echo(f"\t\tto mend: {finding['mend']}")


def audited(repo: GameRepo) -> tuple[Fault, ...]:
    """What is wrong with the files of one game: its repository first, its position only when that can be read."""
    from engine.game import find
    from pbem.moderation.check import stored_faults

    return stored_faults(find, repo)
