"""`pbem orders`: the door for turn files, for a seat that is played without mail."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import TextIO

import click

from pbem.cli.outcome import DIFFERS
from pbem.cli.outcome import TROUBLE
from pbem.cli.outcome import USAGE
from pbem.cli.outcome import Call
from pbem.cli.outcome import Outcome
from pbem.cli.outcome import json_option
from pbem.cli.outcome import print_json

if TYPE_CHECKING:
    from pbem.desk import FromFile
    from pbem.service import Service

NO_ANSWER = ("refused", "retry", "quarantined")


@click.command("orders")
@click.argument("game")
@click.argument("seat")
@click.argument("file", type=click.File("r", encoding="utf-8"))
@click.option("--try", "trial", is_flag=True, help="Show what it would do, and play nothing.")
@json_option
@click.pass_context
def command(ctx: click.Context, game: str, seat: str, file: TextIO, trial: bool, as_json: bool) -> None:
    """Play a turn file for a seat, or try it.

    FILE holds orders, one a line, as a letter would; - reads them from stdin. The receipt is printed; everybody else
    is mailed as always. Exit 1 when nothing was played.
    """
    call: Call = ctx.obj
    call.game(game)
    try:
        lines = file.read().splitlines()
    except UnicodeDecodeError:
        raise Outcome(f"{file.name}: is no UTF-8 text", TROUBLE, as_json) from None
    with call.service() as service:
        try:
            service.people.holder(game, seat)
        except LookupError as odd:
            raise Outcome(str(odd.args[0]), USAGE, as_json) from None
        played = service.desk.play_file(game, seat, lines, trial)
        _print(service, played, as_json)
    if played.handled.outcome in NO_ANSWER:
        ctx.exit(DIFFERS)


def _print(service: Service, played: FromFile, as_json: bool) -> None:
    mail = played.mail
    text = service.renderer.text(mail)
    body = without_delimiter(text.body)
    if not as_json:
        click.echo(f"{text.subject}\n\n{body}")
        return
    print_json(
        {
            "game": mail.game,
            "seat": mail.seat,
            "outcome": str(played.handled.outcome),
            "record": played.handled.record,
            "orders": [line.understood for line in mail.said if line.understood and line.reason is None],
            "refused": [{"line": line.written, "reason": str(line.reason)} for line in mail.said if line.reason],
            "subject": text.subject,
            "text": body,
        }
    )


def without_delimiter(body: str) -> str:
    """A mail's text without its first line, which tells where to answer."""
    from pbem.render import DELIMITER

    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
