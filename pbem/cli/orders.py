"""`pbem orders`: the door for turn files, for a seat that is played without mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pbem.cli.complete import GAME, SEAT
from pbem.cli.deed import carry_out, reason, why_option
from pbem.cli.outcome import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, json_option, print_json

if TYPE_CHECKING:
    from pbem.daemon.service import Service
    from pbem.desk import FromFile

NO_ANSWER = ("refused", "retry", "quarantined")


@click.command("orders")
@click.argument("game", type=GAME)
@click.argument("words", nargs=-1, required=True, metavar="[SEAT] FILE")
@click.option("--as", "for_seat", default="", type=SEAT, metavar="SEAT", help="As the moderator, for its holder.")
@click.option("--try", "trial", is_flag=True, help="Show what it would do, and play nothing.")
@why_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, game: str, words: tuple[str, ...], for_seat: str, trial: bool, why: str, as_json: bool
) -> None:
    """Play a turn file for a seat, or try it.

    FILE holds orders, one a line, as a letter would; - reads them from stdin. For a SEAT without an address the
    receipt is printed; everybody else is mailed as always. With --as SEAT and --why you give orders for somebody
    else: the holder gets the receipt, everybody is told, and nothing that only the seat may know is printed. Exit 1
    when nothing was played.
    """
    call: Call = ctx.obj
    call.game(game)
    if len(words) != (1 if for_seat else 2):
        wanted = "orders GAME --as SEAT FILE" if for_seat else "orders GAME SEAT FILE"
        raise CommandEnd(f"write it so: pbem {wanted}", USAGE, as_json)
    seat, lines = for_seat or words[0], _read(words[-1], as_json)
    with call.service() as service:
        try:
            holder = service.people.holder(game, seat)
        except LookupError as odd:
            raise CommandEnd(str(odd.args[0]), USAGE, as_json) from None
        own = call.config().moderator.seat.casefold() in (holder.seat, holder.name.casefold())
        if not for_seat and (own or not holder.addresses):
            played = service.desk.play_file(game, seat, lines, trial)
            _print(service, played, as_json)
            if played.handled.outcome in NO_ANSWER:
                ctx.exit(DIFFERS)
            return
    if not for_seat and not trial:
        raise CommandEnd(
            f"{seat} plays by mail; to give orders for the holder: pbem orders {game} --as {seat} FILE --why '…'",
            USAGE,
            as_json,
        )
    _moderated(ctx, game, seat, lines, trial, why, as_json)


def _read(name: str, as_json: bool) -> list[str]:
    try:
        with click.open_file(name, encoding="utf-8") as file:
            return str(file.read()).splitlines()
    except UnicodeDecodeError:
        raise CommandEnd(f"{name}: is no UTF-8 text", TROUBLE, as_json) from None
    except OSError as odd:
        raise CommandEnd(f"{name}: {odd.strerror}", USAGE, as_json) from None


def _moderated(
    ctx: click.Context, game: str, seat: str, lines: Sequence[str], trial: bool, why: str, as_json: bool
) -> None:
    """Orders for somebody else: only what everybody may know is printed."""
    from pbem.cli.try_ import command as try_
    from pbem.cli.try_ import data, print_lines
    from pbem.moderation import orders

    call: Call = ctx.obj
    if trial:
        ctx.invoke(try_, game=game, seat=seat, order=(" ; ".join(lines),), as_json=as_json)
        return
    text = reason(why, as_json)
    try:
        carry_out(call, game, lambda service: orders.given(seat, lines, text), as_json, "orders")
    except orders.Faulty as fault:
        if as_json:
            refused = [data(line) for line in fault.said]
            print_json({"game": game, "seat": seat, "outcome": "refused", "refused": refused})
        else:
            print_lines(fault.said)
            for note in fault.notes:
                click.echo(str(note))
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
    from pbem.outbound.render import DELIMITER

    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
