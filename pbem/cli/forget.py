"""`pbem forget`: empties what a person wrote, also where mails quote it."""

from __future__ import annotations

import click

from pbem.admin import personal_data
from pbem.cli.kit import console
from pbem.cli.kit.action_command import ask_confirmation, yes_option
from pbem.cli.kit.call import USAGE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.host_access import open_host


@click.command("forget")
@click.argument("address")
@yes_option
@json_option
@click.pass_obj
def command(call: Call, address: str, yes: bool) -> None:
    """Empty what a person has written.

    In every game of this host at which the person is registered with ADDRESS, or was when a mail went there: what was
    said and told, the letters, and the mails that quote them. Where they stood there is «(words taken back)» from then
    on. Orders, names and games stay. Mails that people have received are theirs, and so are your backups.
    """
    with open_host(call) as service:
        spool = service.spool
        held = personal_data.held_seats(service.desk.services, address)
        if not held:
            raise CommandEnd(f"nobody is or was registered with {address}; nothing was emptied", USAGE)
        games = ", ".join(sorted({one.game for one in held}))
        ask_confirmation(f"The words of {address} in {games} are emptied for good.", yes)
        rows = []
        for one in held:
            found = spool.words.forget(one.game, one.author)
            spool.forget(one.game, found)
            rows.append({"game": one.game, "seat": one.seat, "letters": len(found), "holds": one.now})
    print_answer(rows, _print)


def _print(rows: list[dict[str, object]]) -> None:
    for row in rows:
        once = "" if row["holds"] else " (once held)"
        console.warn(f"{row['game']}, {row['seat']}{once}: the words of {row['letters']} letters are emptied.")
