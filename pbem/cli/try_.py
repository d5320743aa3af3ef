"""`pbem try`: what orders would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from engine.catalog import Msg
from pbem.admin.actions.seat_orders import RejectedOrders, TrialResult, try_orders
from pbem.cli.kit import console
from pbem.cli.kit.call import DIFFERS, Call, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import GAME, SEAT, game_of
from pbem.outbound.mail import LineAnswer


@click.command("try")
@click.argument("game", type=GAME)
@click.argument("seat", type=SEAT)
@click.argument("order", nargs=-1, required=True)
@json_option
@click.pass_obj
def command(call: Call, game: str, seat: str, order: tuple[str, ...]) -> None:
    """Show what orders would do, without playing them.

    ORDER is one order in as many words as it has; «;» between two of them begins the next. The trial knows no secret
    and ends at the first thing that nobody can know. Exit 1 when an order is refused.
    """
    game_of(call, game)
    lines = [part.strip() for part in " ".join(order).split(";") if part.strip()]

    with open_host(call) as service:
        try:
            looked = service.desk.look(game, lambda context: try_orders(context, seat, lines), public=True)
        except RejectedOrders as fault:
            looked = TrialResult(fault.said, False, fault.notes)
    found = {"game": game, "seat": seat, "stands": looked.stands, "lines": [line_data(line) for line in looked.said]}
    found |= {"notes": [str(one) for one in looked.notes]} if looked.notes else {}
    print_answer(found, lambda _: _print(looked), 0 if looked.stands else DIFFERS)


def _print(looked: TrialResult) -> None:
    print_lines(looked.said, looked.notes)
    console.warn("Nothing was played.")


def line_data(line: LineAnswer) -> dict[str, Any]:
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


def print_lines(said: Sequence[LineAnswer], notes: Sequence[Msg]) -> None:
    """Print what each line did, or why not; then the notes."""
    for line in said:
        console.title(line.understood or line.written)
        for one in line.effects:
            click.echo(f"- {one}")
        for one in line.assumed:
            click.echo(f"  assumed: {one}")
        if line.reason is not None:
            click.echo(f"  not played: {line.reason}")
            for one in line.possible:
                click.echo(f"  possible: {one}")
    for note in notes:
        click.echo(str(note))
