"""`pbem fsck`: looks through stored games for damage."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from engine.game import find
from pbem.cli.kit import findings, paper
from pbem.cli.kit.call import DIFFERS, Call, answer, json_option
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import GAME, config_of, store_of
from pbem.moderation.check import inspected, stored_faults
from pbem.moderation.house import examined, faults
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
    names = findings.named(store, games)
    house = tuple(faults(store, mail))
    rows = [_row("", house)] if house else []
    # A store without a spool (a copy, a backup) is looked through alone.
    closed = any(one.what in ("spool", "words", "disk", "access") for one in house)
    posted = (mail / "spool.sqlite").exists() and not closed
    with opened(call) if posted else contextlib.nullcontext() as service:
        look = partial(inspected, service.desk.services) if service else partial(stored_faults, find)
        rows += [_row(name, examined(service.store if service else store, name, look)) for name in names]
    answer(rows, _hint, 0 if all(row["sound"] for row in rows) else DIFFERS)


def _row(name: str, found: Sequence[Fault]) -> dict[str, Any]:
    findings.tell(name, found)
    return {"game": name, "sound": not found, "findings": findings.data(found)}


def _hint(rows: Sequence[dict[str, Any]]) -> None:
    if not all(row["sound"] for row in rows):
        paper.warn("`pbem mend` does what is said, as far as it needs no choice of yours")
