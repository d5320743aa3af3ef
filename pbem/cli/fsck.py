"""`pbem fsck`: stored games looked through for damage."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

import click

from pbem.cli import paper
from pbem.cli.outcome import DIFFERS
from pbem.cli.outcome import USAGE
from pbem.cli.outcome import Call
from pbem.cli.outcome import Outcome
from pbem.cli.outcome import json_option
from pbem.cli.outcome import print_json

if TYPE_CHECKING:
    from pbem.store.audit import Finding
    from pbem.store.repo import GameRepo


@click.command("fsck")
@click.argument("games", nargs=-1)
@json_option
@click.pass_context
def command(ctx: click.Context, games: tuple[str, ...], as_json: bool) -> None:
    """Look through stored games for damage.

    Every object, record and position is read; the records are folded and compared with the position, which must
    keep the laws of its game. Nothing secret is printed. Exit 1 if anything is wrong.
    """
    call: Call = ctx.obj
    store = call.store()
    if unknown := [name for name in games if not store.has(name)]:
        raise Outcome(f"there is no game {', '.join(unknown)} in {store.root}", USAGE, as_json)
    rows: list[dict[str, Any]] = []
    for name in games or store.names():
        found = audited(store.open(name))
        rows.append(
            {
                "game": name,
                "sound": not found,
                "findings": [{"what": f.what, "path": f.path, "says": f.says, "mend": f.mend} for f in found],
            }
        )
        if not as_json:
            _print(rows[-1])
    if as_json:
        print_json(rows)
    if not all(row["sound"] for row in rows):
        ctx.exit(DIFFERS)


def _print(row: dict[str, Any]) -> None:
    click.echo(f"{row['game']}\t{paper.mark('sound', 'well') if row['sound'] else paper.mark('damaged', 'bad')}")
    for finding in row["findings"]:
        place = f" {finding['path']}" if finding["path"] else ""
        click.echo(f"\t{finding['what']}{place}: {finding['says']}")
        click.echo(f"\t\tto mend: {finding['mend']}")


def audited(repo: GameRepo) -> tuple[Finding, ...]:
    """What is wrong with one game: its repository first, its position only when that can be read."""
    from dataclasses import replace

    from pbem.store.audit import fsck

    found = fsck(repo)
    # A message about the secret file could repeat a value of it.
    found = tuple(
        replace(one, says="cannot be read as what it should hold (not shown)") if "secret" in one.path else one
        for one in found
    )
    return found if any(one.what != "file" for one in found) else found + _position(repo)


def _position(repo: GameRepo) -> tuple[Finding, ...]:
    from engine.errors import PositionError
    from engine.game import find
    from pbem.store.audit import Finding
    from pbem.store.record import records
    from pbem.store.stored import Stored
    from pbem.undo import replay

    stored = Stored.read(repo)
    if not stored.game:
        return ()
    undo = "go back to the last commit that is sound, or mend the state by hand"
    try:
        game = find(stored.table.kind)
        state = game.load(stored.game, stored.hidden)
    except LookupError as odd:
        return (Finding("state", "state.toml", str(odd.args[0]), "install the version that plays it"),)
    except PositionError as odd:
        return (Finding("state", odd.where, "the game cannot read it (its value is not shown)", undo),)
    broken = tuple(Finding("law", "", says, undo) for says in game.broken(state))
    try:
        folded = replay(game, records(repo, upto=stored.table.records))
    except PositionError as odd:
        return (*broken, Finding("record", odd.where, "the records do not fold to a position", undo))
    public, hidden = game.dump(folded)
    differs = [
        Finding("state", path, "differs from what the records fold to", undo)
        for path in _differing(public, stored.game)
    ]
    if hidden != stored.hidden:
        differs.append(Finding("state", "secret.toml", "differs from what the records fold to (not shown)", undo))
    return (*broken, *differs)


def _differing(one: Any, other: Any, path: str = "game") -> list[str]:
    """The paths at which two values of plain data differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted({*one, *other})
        return [found for name in names for found in _differing(one.get(name), other.get(name), f"{path}.{name}")]
    return [] if one == other else [path]
