"""`pbem fsck`: looks through stored games for damage."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from engine.game import find_game
from pbem.admin.health.game_health import check_game, check_stored_game
from pbem.admin.health.host_health import examine_game, host_faults
from pbem.cli.kit import console, fault_report
from pbem.cli.kit.call import DIFFERS, Call, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import GAME, config_of, store_of
from pbem.store.audit import Fault


@click.command("fsck")
@click.argument("games", nargs=-1, type=GAME)
@json_option
@click.pass_obj
def command(call: Call, games: tuple[str, ...]) -> None:
    """Look through stored games for damage.

    Every object, record and position is read; the records are folded and compared with the position, which must
    keep the laws of its game; the outbox, the answered letters and the people are compared with the history; disks,
    owners and modes are looked at. Nothing secret is printed and nothing is changed. Exit 1 if anything is wrong;
    `pbem mend` does what is said.
    """
    store, mail = store_of(call), config_of(call).mail
    names = fault_report.named_games(store, games)
    house = tuple(host_faults(store, mail))
    rows = [_row("", house)] if house else []
    # A store without a spool (a copy, a backup) is looked through alone.
    closed = any(one.what in ("spool", "words", "disk", "access") for one in house)
    posted = (mail / "spool.sqlite").exists() and not closed
    with open_host(call) if posted else contextlib.nullcontext() as service:
        look = partial(check_game, service.desk.services) if service else partial(check_stored_game, find_game)
        rows += [_row(name, examine_game(service.store if service else store, name, look)) for name in names]
    print_answer(rows, _hint, 0 if all(row["sound"] for row in rows) else DIFFERS)


def _row(name: str, found: Sequence[Fault]) -> dict[str, Any]:
    fault_report.print_faults(name, found)
    return {"game": name, "sound": not found, "findings": fault_report.faults_data(found)}


def _hint(rows: Sequence[dict[str, Any]]) -> None:
    if not all(row["sound"] for row in rows):
        console.warn("`pbem mend` does what is said, as far as it needs no choice of yours")
