"""`pbem restore`: makes a host from its backup in an empty folder; nothing is mailed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem.cli.kit.call import DIFFERS, Call, json_option, print_answer, wants_json
from pbem.host.host_backup import PROGRAM_SETTINGS, RestoredHost, restore_host


@click.command("restore")
@click.argument("target")
@click.option("--to", "folder", type=click.Path(path_type=Path, file_okay=False), default=".", help="Where, not here.")
@click.option("--without-damaged", is_flag=True, help="Leave out the games that are damaged in the backup.")
@click.option("--yes", "-y", is_flag=True, help="Keep the programs that its settings run, unasked.")
@json_option
@click.pass_obj
def command(call: Call, target: str, folder: Path, without_damaged: bool, yes: bool) -> None:
    """Make a host of a backup.

    In this folder or another one, which must be empty. TARGET is where `pbem backup` has brought it. Stop the old
    host for good before a daemon runs here: two on one mailbox answer each letter twice. Nothing that was mailed
    before is mailed again; mails that waited when the backup was made are named, and not sent, since the old host
    may have sent them since. What was held back for one mail a day, or while an answer may be replaced, goes out
    when its time comes, even if the old host has told it since. Letters that were answered after the backup are
    found in the mailbox by the first daemon, and played. A program that the settings would run is shown, and
    kept only if you say yes.
    """

    def allows(programs: tuple[str, ...]) -> bool:
        for line in programs:
            click.echo(f"these settings run a program: {line}", err=True)
        if yes or wants_json() or not sys.stdin.isatty():
            return yes
        return click.confirm("May it be run here?", err=True)

    found = restore_host(target, folder, without_damaged, allows)
    told = {
        "folder": str(found.folder),
        "made": found.made.isoformat(),
        "games": list(found.games),
        "not_sent": [{"game": game, "seat": seat, "to": to} for game, seat, to in found.waited],
        "left_out": list(found.moved),
        "damaged": list(found.lost),
    }
    print_answer(told, lambda _: _print(found), DIFFERS if found.lost else 0)


def _print(found: RestoredHost) -> None:
    click.echo(f"{len(found.games)} games as of {found.made:%Y-%m-%d %H:%M} UTC lie in {found.folder}")
    for game in found.lost:
        click.echo(f"{game} is damaged in the backup and was left out; another backup may have it")
    for setting in found.moved:
        if setting.endswith(tuple(key for _, key in PROGRAM_SETTINGS)):
            click.echo(f"{setting} is left out of pbem.toml: nobody has said yes to that program")
        else:
            click.echo(f"{setting} named a place outside and is left out of pbem.toml: it lies in this folder now")
    for game, seat, to in found.waited:
        whose = f"{game} {seat} ({to}): `pbem resend {game} {seat}` mails the position" if seat else to
        click.echo(f"a mail waited, and may have gone out since, to {whose}")
    click.echo("next: the passwords of the mailbox, `pbem fsck`, `pbem doctor`; then `pbem daemon`, which first looks")
    click.echo("into the folder of handled letters, and reads those again that were answered after the backup")
