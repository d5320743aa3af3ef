"""`pbem mend`: repairs what `pbem fsck` has found."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pbem.cli.kit import findings, paper
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, answer, json_option
from pbem.cli.kit.deed import reason, sure, why_option, yes_option
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import GAME, config_of, store_of
from pbem.daemon.service import Service, bring_up, to_go_again
from pbem.host.people import People
from pbem.moderation.house import closed, examined, faults
from pbem.moderation.mending import MendChoice, Mended, mend, new_spool, ways_back
from pbem.store.audit import Fault, Remedy
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool
from pbem.store.trouble import StoreError


@click.command("mend")
@click.argument("games", nargs=-1, type=GAME)
@click.option("--adopt", is_flag=True, help="Keep what was changed by hand, as a repair that everybody reads; --why.")
@click.option("--restore", is_flag=True, help="Put the old text back instead; what lies there is kept aside.")
@click.option("--back", is_flag=True, help="Go back to the newest whole step; shows what is lost, and asks; --why.")
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), help="A backup, or a clone.")
@yes_option
@why_option
@json_option
@click.pass_obj
def command(
    call: Call, games: tuple[str, ...], adopt: bool, restore: bool, back: bool, source: Path | None, yes: bool, why: str
) -> None:
    """Mend what `pbem fsck` has found.

    What the history can say is put right at once. What somebody may have meant is never undone silently: choose with
    --adopt or --restore. What is lost of a history is best taken from a backup with --from; without one, --back goes to
    the newest step that is whole. Letters that came since are played again. Both show which steps would be lost, ask,
    and mail everybody how far the game went back and why. Where mails were lost, each seat gets its newest one again at
    most; how many these are is said before, and asked. Exit 1 when something is left.
    """
    if adopt and restore:
        raise CommandEnd("--adopt keeps what was changed by hand, --restore puts it back: choose one", USAGE)
    store = store_of(call)
    names = findings.named(store, games)
    config = config_of(call)
    mail, people = config.mail, People(config.mail, config.moderator.addresses)
    house = tuple(faults(store, mail))
    if full := [one for one in house if one.what == "disk"]:
        raise CommandEnd(f"{full[0].says}; nothing was mended", TROUBLE)
    remedies = {one.remedy for one in house}
    lost = bool(remedies & {Remedy.SPOOL, Remedy.FILL})
    if lost:
        # The spool holds the mails of all games.
        count = to_go_again(store, people, None, store.names())
    elif (mail / "spool.sqlite").exists():
        with contextlib.closing(Spool(mail)) as spool:
            count = to_go_again(store, people, spool, names)
    else:
        count = 0
    if count:
        says = f"{count} mail{'s' if count > 1 else ''} will go out again, at most the newest one to each seat"
        if yes:
            paper.warn(f"{says}.")
        sure(f"{says}.", yes)
    rows: list[dict[str, Any]] = []
    done = []
    if Remedy.CLOSE in remedies:
        done.append(f"{closed(store, mail)} files and folders are closed to other users")
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
            told = _goes_back(service, name, source, why, yes) if back or source is not None else why

            def look(repo: GameRepo, found: Mended = found, told: str = told) -> tuple[Fault, ...]:
                mended = mend(service.desk, repo.name, MendChoice(adopt, restore, back, source, told))
                found.done, found.failed = mended.done, mended.failed
                return mended.left

            left = list(examined(service.store, name, look))
            rows.append(_row(name, found.done, left, found.failed))
    answer(rows, lambda _: None, 0 if all(row["sound"] for row in rows) else DIFFERS)


def _goes_back(service: Service, game: str, source: Path | None, why: str, yes: bool) -> str:
    """Show what going back would lose of a game, and ask; the reason. Ends the command where it may not be done."""
    try:
        way = ways_back(service.desk, game, source)
    except (StoreError, OSError, sqlite3.Error):
        # `mend` tells it, and changes nothing.
        return why
    if way is None:
        return why
    if not way.loses:
        paper.warn(f"{game}: {way}")
        return why
    paper.warn(f"{game}: {way}." + (" Lost would be:" if way.lost else ""))
    for one in way.lost:
        paper.warn(f"- {one}")
    why = reason(why)
    backup = "" if source else " With a newer backup `pbem mend --from FOLDER` would lose less."
    sure(f"Let {game} go back {way.last - way.step} steps?{backup}", yes)
    return why


def _row(name: str, done: Sequence[str], left: Sequence[Fault], failed: Sequence[str] = ()) -> dict[str, Any]:
    findings.tell(name, left, "left: ", done, failed)
    return {
        "game": name, "done": list(done), "not_mended": list(failed), "sound": not left,
        "left": findings.data(left),
    }  # fmt: skip
