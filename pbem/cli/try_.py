"""`pbem try`: what orders would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import paper
from pbem.cli.complete import GAME, SEAT
from pbem.cli.outcome import DIFFERS, Call, json_option, print_json

if TYPE_CHECKING:
    from pbem.desk.context import Context
    from pbem.moderation.orders import Tried
    from pbem.outbound.mail import Said


@click.command("try")
@click.argument("game", type=GAME)
@click.argument("seat", type=SEAT)
@click.argument("order", nargs=-1, required=True)
@json_option
@click.pass_context
def command(ctx: click.Context, game: str, seat: str, order: tuple[str, ...], as_json: bool) -> None:
    """Show what orders would do, without playing them.

    ORDER is one order in as many words as it has; «;» between two of them begins the next. The trial knows no secret
    and ends at the first thing that nobody can know. Exit 1 when an order is refused.
    """
    from pbem.moderation.orders import Faulty, tried

    call: Call = ctx.obj
    call.game(game)
    lines = [part.strip() for part in " ".join(order).split(";") if part.strip()]

    def see(context: Context) -> Tried:
        return tried(context, seat, lines)

    with call.service() as service:
        try:
            said, stands = (found := service.desk.look(game, see)).said, found.stands
        except Faulty as fault:
            said, stands = fault.said, False
    if as_json:
        print_json({"game": game, "seat": seat, "stands": stands, "lines": [data(line) for line in said]})
    else:
        print_lines(said)
        paper.warn("Nothing was played.")
    if not stands:
        ctx.exit(DIFFERS)


def data(line: Said) -> dict[str, Any]:
    """One line and what became of it."""
    found: dict[str, Any] = {
        "line": line.written,
        "understood": line.understood,
        "effects": [str(one) for one in line.effects],
        "assumed": [str(one) for one in line.assumed],
    }
    if line.reason is not None:
        found["reason"] = str(line.reason)
        found["possible"] = [str(one) for one in line.possible]
    return found


def print_lines(said: tuple[Said, ...]) -> None:
    """Each line with what it did, or why not."""
    for line in said:
        paper.title(line.understood or line.written)
        for one in line.effects:
            click.echo(f"- {one}")
        for one in line.assumed:
            click.echo(f"  assumed: {one}")
        if line.reason is not None:
            click.echo(f"  not played: {line.reason}")
            for one in line.possible:
                click.echo(f"  possible: {one}")
