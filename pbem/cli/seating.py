"""`pbem replace`, `pbem rename`, `pbem computer`: who sits at a table."""

from __future__ import annotations

import click

from pbem.cli.deed import carry_out, reason, why_option
from pbem.cli.kit.call import Call, json_option
from pbem.cli.kit.complete import GAME, SEAT


@click.command("replace")
@click.argument("game", type=GAME)
@click.argument("seat", type=SEAT)
@click.argument("person", metavar="'NAME <ADDRESS>'")
@click.option("--language", default="en", show_default=True, help="The language of the new person's mails.")
@why_option
@json_option
@click.pass_obj
def replace(call: Call, game: str, seat: str, person: str, language: str, why: str) -> None:
    """Give a seat to another person.

    The keys of whoever held it are dead from then on; the new person is welcomed with the position and the secrets of
    the seat. The seat keeps its handle in orders. For a new address only, name the same person again.
    """
    from pbem.cli.kit.people import parsed
    from pbem.moderation import seats

    name, addresses = parsed(person)
    text = reason(why)
    carry_out(
        call, game, lambda service: seats.replaced(service.people, seat, name, addresses, text, language),
        "replace",
    )  # fmt: skip


@click.command("rename")
@click.argument("game", type=GAME)
@click.argument("seat", type=SEAT)
@click.argument("name", nargs=-1, required=True)
@why_option
@json_option
@click.pass_obj
def rename(call: Call, game: str, seat: str, name: tuple[str, ...], why: str) -> None:
    """Call the player of a seat otherwise.

    The handle in orders stays as it is.
    """
    from pbem.moderation import seats

    carry_out(call, game, lambda service: seats.rename(service.people, seat, " ".join(name), why), "rename")


@click.command("computer")
@click.argument("game", type=GAME)
@click.argument("seat", type=SEAT)
@click.option("--off", is_flag=True, help="The person plays again.")
@why_option
@json_option
@click.pass_obj
def computer(call: Call, game: str, seat: str, off: bool, why: str) -> None:
    """Let a computer play for a seat, or give it back.

    It answers at once with the first option of the list. Everybody is told; people are mailed when one of them is
    asked again.
    """
    from pbem.moderation import seats

    text = reason(why)
    carry_out(call, game, lambda service: seats.computer(seat, text, not off), "computer")
