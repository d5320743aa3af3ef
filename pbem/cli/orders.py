"""`pbem orders`: plays a turn file for a seat without mail, or for somebody else as the moderator."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pbem.admin.actions.seat_orders import RejectedOrders, give_orders
from pbem.cli import try_
from pbem.cli.kit.action_command import ask_reason, run_action, why_option
from pbem.cli.kit.arguments import lookup_errors
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.host_access import open_host, without_delimiter
from pbem.cli.kit.stored import GAME, SEAT, config_of, game_of
from pbem.desk.core.outcome import FromFile
from pbem.outbound.render import PlainText

NO_ANSWER = ("refused", "retry", "quarantined")


@click.command("orders")
@click.argument("game", type=GAME)
@click.argument("words", nargs=-1, required=True, metavar="[SEAT] FILE")
@click.option("--as", "for_seat", default="", type=SEAT, metavar="SEAT", help="As the moderator, for its holder.")
@click.option("--try", "trial", is_flag=True, help="Show what it would do, and play nothing.")
@why_option
@json_option
@click.pass_context
def command(ctx: click.Context, game: str, words: tuple[str, ...], for_seat: str, trial: bool, why: str) -> None:
    """Play a turn file for a seat, or try it.

    FILE holds orders, one a line, as a letter would; - reads them from stdin. For a SEAT without an address the
    receipt is printed; everybody else is mailed as always. With --as SEAT and --why you give orders for somebody
    else: the holder gets the receipt, everybody is told, and nothing that only the seat may know is printed. Exit 1
    when nothing was played.
    """
    call: Call = ctx.obj
    game_of(call, game)
    if len(words) != (1 if for_seat else 2):
        wanted = "orders GAME --as SEAT FILE" if for_seat else "orders GAME SEAT FILE"
        raise CommandEnd(f"write it so: pbem {wanted}", USAGE)
    seat, lines = for_seat or words[0], _read(words[-1])
    with open_host(call) as service:
        with lookup_errors():
            holder = service.people.holder(game, seat)
        own = config_of(call).moderator.seat.casefold() in (holder.seat, holder.name.casefold())
        if not for_seat and (own or not holder.addresses):
            played = service.desk.play_file(game, seat, lines, trial)
            _tell(played, service.renderer.text(played.mail))
            return
    if not for_seat and not trial:
        way = f"pbem orders {game} --as {seat} FILE --why '…'"
        raise CommandEnd(f"{seat} plays by mail; to give orders for the holder: {way}", USAGE)
    _moderated(ctx, game, seat, lines, trial, why)


def _read(name: str) -> list[str]:
    try:
        with click.open_file(name, encoding="utf-8") as file:
            return str(file.read()).splitlines()
    except UnicodeDecodeError:
        raise CommandEnd(f"{name}: is no UTF-8 text", TROUBLE) from None
    except OSError as odd:
        raise CommandEnd(f"{name}: {odd.strerror}", USAGE) from None


def _moderated(ctx: click.Context, game: str, seat: str, lines: Sequence[str], trial: bool, why: str) -> None:
    """Give orders for somebody else, and print only what everybody may know."""
    if trial:
        ctx.invoke(try_.command, game=game, seat=seat, order=(" ; ".join(lines),))
        return
    text = ask_reason(why)
    try:
        run_action(ctx.obj, game, lambda service: give_orders(seat, lines, text), "orders")
    except RejectedOrders as odd:
        said, notes = odd.said, odd.notes
        found = {"game": game, "seat": seat, "outcome": "refused", "refused": [try_.line_data(line) for line in said]}
        print_answer(found, lambda _: try_.print_lines(said, notes), DIFFERS)


def _tell(played: FromFile, text: PlainText) -> None:
    """Print what became of a turn file, as the receipt or the refusal tells it."""
    mail, body = played.mail, without_delimiter(text.body)
    found = {
        "game": mail.game, "seat": mail.seat, "outcome": str(played.handled.outcome), "record": played.handled.record,
        "orders": [line.understood for line in mail.said if line.understood and line.reason is None],
        "refused": [{"line": line.written, "reason": str(line.reason)} for line in mail.said if line.reason],
        "subject": text.subject, "text": body,
    }  # fmt: skip
    failed = played.handled.outcome in NO_ANSWER
    print_answer(found, lambda _: click.echo(f"{text.subject}\n\n{body}"), DIFFERS if failed else 0)
