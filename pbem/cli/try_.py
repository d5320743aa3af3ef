"""`pbem try`: what orders would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from engine.catalog import Msg
from pbem.cli.kit import paper
from pbem.cli.kit.call import DIFFERS, Call, answer, json_option
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import GAME, SEAT, game_of
from pbem.moderation.orders import Faulty, Tried, tried
from pbem.outbound.mail import Said


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

    with opened(call) as service:
        try:
            looked = service.desk.look(game, lambda context: tried(context, seat, lines), public=True)
        except Faulty as fault:
            looked = Tried(fault.said, False, fault.notes)
    found = {"game": game, "seat": seat, "stands": looked.stands, "lines": [data(line) for line in looked.said]}
    found |= {"notes": [str(one) for one in looked.notes]} if looked.notes else {}
    answer(found, lambda _: _print(looked), 0 if looked.stands else DIFFERS)


def _print(looked: Tried) -> None:
    print_lines(looked.said, looked.notes)
    paper.warn("Nothing was played.")


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


def print_lines(said: Sequence[Said], notes: Sequence[Msg]) -> None:
    """Print what each line did, or why not; then the notes."""
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
    for note in notes:
        click.echo(str(note))
