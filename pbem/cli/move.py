"""`pbem move`: brings a game with all that belongs to it to another host behind the same address."""

from __future__ import annotations

import click

from pbem.cli.kit.call import Call, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import GAME
from pbem.desk.transaction.commit import settle_all


@click.command("move")
@click.argument("game", type=GAME)
@click.option("--to", "door", required=True, metavar="HOST", help="The other host's mail/door.git; git must reach it.")
@json_option
@click.pass_obj
def command(call: Call, game: str, door: str) -> None:
    """Bring a game to another host behind the same address.

    HOST is the door of the other one, /var/lib/pbem/b/mail/door.git or ssh://host/path: its daemon makes it where
    [host] has a label, and takes in what comes. Both hosts have the same mail/host.secret, so that every mail that is
    out can be answered. History, people, words and mails that have not gone go along; the daemons work on meanwhile.
    Nobody is told. Letters that still come here are passed on, for good. Where this was interrupted, letters to the
    game wait, and the same command goes on with it.
    """
    with open_host(call) as service:
        settle_all(service.desk.services, service.desk.context)
        post = service.desk.services.moves.move(game, door)
    told = {"game": game, "to": post.door, "address": post.address, "moves": post.moves}
    says = f"{game} is at {post.door}; letters that come here go on to {post.address}"
    print_answer(told, lambda _: click.echo(says))
