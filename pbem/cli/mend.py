"""`pbem mend`: repairs what `pbem fsck` has found."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pbem.admin.health.fix import FixChoice, FixReport, fix_game, preview_reset, set_spool_aside
from pbem.admin.health.host_health import close_folders, examine_game, host_faults
from pbem.cli.kit import console, fault_report
from pbem.cli.kit.action_command import ask_confirmation, ask_reason, why_option, yes_option
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import GAME, config_of, store_of
from pbem.daemon.service import Service, count_resends, recover_spool
from pbem.host.people import People
from pbem.store.audit import Fault, Remedy
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.spool import Spool


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
    names = fault_report.named_games(store, games)
    config = config_of(call)
    mail, people = config.mail, People(config.mail, config.moderator.addresses)
    house = tuple(host_faults(store, mail))
    if full := [one for one in house if one.what == "disk"]:
        raise CommandEnd(f"{full[0].says}; nothing was mended", TROUBLE)
    remedies = {one.remedy for one in house}
    lost = bool(remedies & {Remedy.SPOOL, Remedy.FILL})
    if lost:
        # The spool holds the mails of all games.
        count = count_resends(store, people, None, store.names())
    elif (mail / "spool.sqlite").exists():
        with contextlib.closing(Spool(mail)) as spool:
            count = count_resends(store, people, spool, names)
    else:
        count = 0
    if count:
        says = f"{count} mail{'s' if count > 1 else ''} will go out again, at most the newest one to each seat"
        if yes:
            console.warn(f"{says}.")
        ask_confirmation(f"{says}.", yes)
    rows: list[dict[str, Any]] = []
    done = []
    if Remedy.CLOSE in remedies:
        done.append(f"{close_folders(store, mail)} files and folders are closed to other users")
    if Remedy.SPOOL in remedies:
        done.append(set_spool_aside(mail))
    with open_host(call) as service:
        if lost:
            count, _ = recover_spool(service)
            done.append(f"a new spool is filled; {count} mails go again")
        if house:
            left = [one for one in house if one.remedy not in (Remedy.CLOSE, Remedy.SPOOL, Remedy.FILL)]
            rows.append(_row("", done, left))
        for name in names:
            found = FixReport()
            told = _goes_back(service, name, source, why, yes) if back or source is not None else why

            def look(repo: GameRepo, found: FixReport = found, told: str = told) -> tuple[Fault, ...]:
                mended = fix_game(service.desk, repo.name, FixChoice(adopt, restore, back, source, told))
                found.done, found.failed = mended.done, mended.failed
                return mended.left

            left = list(examine_game(service.store, name, look))
            rows.append(_row(name, found.done, left, found.failed))
    print_answer(rows, lambda _: None, 0 if all(row["sound"] for row in rows) else DIFFERS)


def _goes_back(service: Service, game: str, source: Path | None, why: str, yes: bool) -> str:
    """Show what going back would lose of a game, and ask; the reason. Ends the command where it may not be done."""
    try:
        way = preview_reset(service.desk, game, source)
    except (StoreError, OSError, sqlite3.Error):
        # `mend` tells it, and changes nothing.
        return why
    if way is None:
        return why
    if not way.loses:
        console.warn(f"{game}: {way}")
        return why
    console.warn(f"{game}: {way}." + (" Lost would be:" if way.lost else ""))
    for one in way.lost:
        console.warn(f"- {one}")
    why = ask_reason(why)
    backup = "" if source else " With a newer backup `pbem mend --from FOLDER` would lose less."
    ask_confirmation(f"Let {game} go back {way.count} steps?{backup}", yes)
    return why


def _row(name: str, done: Sequence[str], left: Sequence[Fault], failed: Sequence[str] = ()) -> dict[str, Any]:
    fault_report.print_faults(name, left, "left: ", done, failed)
    return {
        "game": name, "done": list(done), "not_mended": list(failed), "sound": not left,
        "left": fault_report.faults_data(left),
    }  # fmt: skip
