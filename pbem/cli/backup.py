"""`pbem backup`: brings all that a host has to a folder or git repository, as it is at one instant."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli.kit import console
from pbem.cli.kit.action_command import ask_confirmation, yes_option
from pbem.cli.kit.call import DIFFERS, Call, json_option, print_answer
from pbem.cli.kit.stored import config_of
from pbem.host.host_backup import back_up, is_new_target
from pbem.host.scheduler import utc_now
from pbem.store.backup_repository import is_remote


@click.command("backup")
@click.argument("target")
@yes_option
@json_option
@click.pass_obj
def command(call: Call, target: str, yes: bool) -> None:
    """Bring all that this host has to a folder or a git repository.

    TARGET is a folder, which is made, or whatever git can push to: ssh://host/path, host:path, https://…. A daemon goes
    on meanwhile, and the next backup to the same place brings only what has changed. It holds the games, addresses,
    letters, hidden hands, the seeds of the dice and the host's secret, and none of it is encrypted: whoever can read
    TARGET can read the games and write as any player. So it must be private, and before the first backup to another
    machine that is asked. The passwords of the mailbox are not in it. Exit 1 when a damaged game was left out.
    """
    config = config_of(call)
    if is_remote(target) and is_new_target(config, target):
        ask_confirmation(
            f"{target} gets the addresses and letters of all players, their hidden cards, the seeds and the host's "
            "secret, not encrypted. It must be open to nobody but you.",
            yes,
        )
    found = back_up(config, target, utc_now().replace(microsecond=0))
    told = {"target": target, "games": found.games, "changed": found.changed, "left_out": list(found.troubles)}
    print_answer(told, _print, DIFFERS if found.troubles else 0)


def _print(told: dict[str, Any]) -> None:
    for says in told["left_out"]:
        console.warn(f"as it was brought before, if it was: {says}")
    games = f"{len(told['games'])} games, {told['changed']} of them changed"
    click.echo(f"{games}, and the mail folder lie at {told['target']}")
