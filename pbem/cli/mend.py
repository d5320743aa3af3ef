"""`pbem mend`: what `pbem fsck` has found, put right."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pbem.cli.kit import findings, paper
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, answer, json_option
from pbem.cli.kit.complete import GAME
from pbem.cli.kit.deed import sure, why_option, yes_option
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import config_of, store_of
from pbem.daemon.service import bring_up, to_go_again
from pbem.host.people import People
from pbem.moderation.house import closed, examined, faults
from pbem.moderation.mending import MendChoice, Mended, mend, new_spool
from pbem.store.audit import Fault, Remedy
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool


@click.command("mend")
@click.argument("games", nargs=-1, type=GAME)
@click.option("--adopt", is_flag=True, help="Keep what was changed by hand, as a repair that everybody reads; --why.")
@click.option("--restore", is_flag=True, help="Put the old text back instead; what lies there is kept aside.")
@click.option("--back", is_flag=True, help="Go back to the last step that is sound; letters since are played again.")
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), help="A clone or backup to copy from.")
@yes_option
@why_option
@json_option
@click.pass_obj
def command(
    call: Call,
    games: tuple[str, ...],
    adopt: bool,
    restore: bool,
    back: bool,
    source: Path | None,
    yes: bool,
    why: str,
) -> None:
    """Mend what `pbem fsck` has found.

    What the history can say is put right at once. What somebody may have meant is never undone silently: choose with
    --adopt or --restore. Where mails were lost, each seat gets its newest one again at most; how many these are is said
    before, and asked. Exit 1 when something is left.
    """
    if adopt and restore:
        raise CommandEnd("--adopt keeps what was changed by hand, --restore puts it back: choose one", USAGE)
    store = store_of(call)
    names = findings.named(store, games)
    mail = config_of(call).mail
    house = tuple(faults(store, mail))
    if full := [one for one in house if one.what == "disk"]:
        raise CommandEnd(f"{full[0].says}; nothing was mended", TROUBLE)
    remedies = {one.remedy for one in house}
    lost = bool(remedies & {Remedy.SPOOL, Remedy.FILL})
    if lost:
        # It holds the mails of all games, whichever were named.
        count = to_go_again(store, People(mail), None, store.names())
    elif (mail / "spool.sqlite").exists():
        with contextlib.closing(Spool(mail)) as spool:
            count = to_go_again(store, People(mail), spool, names)
    else:
        count = 0
    if count:
        says = f"{count} mail{'s' if count > 1 else ''} will go out again, at most the newest one to each seat"
        if yes:
            paper.warn(f"{says}.")
        sure(f"{says}.", yes)
    rows: list[dict[str, Any]] = []
    done = [f"{closed(store, mail)} files and folders are closed to other users"] if Remedy.CLOSE in remedies else []
    if Remedy.SPOOL in remedies:
        done.append(new_spool(mail))
    with opened(call) as service:
        if lost:
            count, _ = bring_up(service)
            done.append(f"a new spool is filled; {count} mails go again")
        if house:
            left = [one for one in house if one.remedy not in (Remedy.CLOSE, Remedy.SPOOL, Remedy.FILL)]
            rows.append(_row("", done, left))
        for name in names:
            found = Mended()

            def look(repo: GameRepo, found: Mended = found) -> tuple[Fault, ...]:
                mended = mend(service.desk, repo.name, MendChoice(adopt, restore, back, source, why))
                found.done = mended.done
                return mended.left

            left = list(examined(service.store, name, look))
            rows.append(_row(name, found.done, left))
    answer(rows, lambda _: None, 0 if all(row["sound"] for row in rows) else DIFFERS)


def _row(name: str, done: Sequence[str], left: Sequence[Fault]) -> dict[str, Any]:
    findings.tell(name, left, "left: ", done)
    return {"game": name, "done": list(done), "sound": not left, "left": findings.data(left)}
