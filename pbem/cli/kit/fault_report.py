"""Faults of games and of the host, as `pbem fsck` and `pbem mend` print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from pbem.cli.kit import console
from pbem.cli.kit.call import USAGE, CommandEnd, wants_json
from pbem.store.audit import Fault
from pbem.store.game_store import GameStore


def named_games(store: GameStore, games: Sequence[str]) -> Sequence[str]:
    """The named games, or all. Ends the command for an unknown name."""
    if unknown := [name for name in games if not store.has(name)]:
        raise CommandEnd(f"there is no game {', '.join(unknown)} in {store.root}", USAGE)
    return games or store.names()


def faults_data(found: Sequence[Fault]) -> list[dict[str, Any]]:
    """Faults for `--json`."""
    return [{"what": one.what, "path": one.path, "says": one.says, "mend": one.mend} for one in found]


def print_faults(
    game: str, found: Sequence[Fault], lead: str = "", done: Sequence[str] = (), failed: Sequence[str] = ()
) -> None:
    """Print the faults of one game (of the host where `game` is empty), unless JSON is printed at the end.

    A remedy of several faults is printed once, below the last of them.
    """
    if wants_json():
        return
    state = console.colored("damaged", "bad") if found else console.colored("sound", "well")
    click.echo(f"{game or 'host'}\t{state}")
    for one in done:
        click.echo(f"\tdone: {one}")
    for one in failed:
        click.echo(f"\tnot mended: {one}")
    for mend in dict.fromkeys(fault.mend for fault in found):
        faults = [fault for fault in found if fault.mend == mend]
        for fault in faults:
            place = f" {fault.path}" if fault.path else ""
            click.echo(f"\t{lead}{fault.what}{place}: {fault.says}")
        count = f" these {len(faults)}" if len(faults) > 1 else ""
        click.echo(f"\t\tto mend{count}: {mend}")
