"""`pbem forget`: what a person wrote is emptied, here and in whatever quotes it."""

from __future__ import annotations

import click

from pbem.cli.kit import paper
from pbem.cli.kit.call import USAGE, Call, CommandEnd, answer, json_option
from pbem.cli.kit.deed import sure, yes_option
from pbem.cli.kit.services import opened
from pbem.store.words import author_of


@click.command("forget")
@click.argument("address")
@yes_option
@json_option
@click.pass_obj
def command(call: Call, address: str, yes: bool) -> None:
    """Empty what a person has written.

    In every game of this host in which the person is registered with ADDRESS: what was said and told, the letters, and
    the mails that quote them. Where they stood there is «(words taken back)» from then on. Orders, names and games
    stay. Mails that people have received are theirs, and so are your backups.
    """
    with opened(call) as service:
        people, spool = service.desk.services.people, service.spool
        held = people.seats_of(address)
        if not held:
            raise CommandEnd(f"nobody is registered with {address}; nothing was emptied", USAGE)
        games = ", ".join(sorted({game for game, _ in held}))
        sure(f"The words of {address} in {games} are emptied for good.", yes)
        rows = []
        for game, seat in held:
            author = author_of(seat, people.holder(game, seat).generation)
            found = spool.words.written(game, author)
            spool.forget(game, found)
            spool.words.forget(game, author)
            rows.append({"game": game, "seat": str(seat), "letters": len(found)})
    answer(rows, _print)


def _print(rows: list[dict[str, object]]) -> None:
    for row in rows:
        paper.warn(f"{row['game']}, {row['seat']}: the words of {row['letters']} letters are emptied.")
