"""`pbem hold`, `resume`, `resend`, `end`, `abandon`, `remark`: whether a table goes on, and a word to it."""

from __future__ import annotations

import click

from pbem.cli.deed import carry_out, reason, sure, why_option, yes_option
from pbem.cli.kit.call import Call, json_option
from pbem.cli.kit.complete import GAME, SEAT


@click.command("hold")
@click.argument("game", type=GAME)
@why_option
@json_option
@click.pass_obj
def hold(call: Call, game: str, why: str) -> None:
    """Hold a game: nobody has to answer until `pbem resume`.

    Orders that come meanwhile are refused with the reason; questions and talk are answered.
    """
    from pbem.moderation import deeds

    text = reason(why)
    carry_out(call, game, lambda service: deeds.hold(text), "hold")


@click.command("resume")
@click.argument("game", type=GAME)
@why_option
@json_option
@click.pass_obj
def resume(call: Call, game: str, why: str) -> None:
    """Let a game go on that was held or given up.

    Whoever is asked is mailed again with the position and the options.
    """
    from pbem.moderation import deeds

    carry_out(call, game, lambda service: deeds.resume(why), "resume")


@click.command("resend")
@click.argument("game", type=GAME)
@click.argument("seat", type=SEAT, required=False, default="")
@json_option
@click.pass_obj
def resend(call: Call, game: str, seat: str) -> None:
    """Mail the present position again, to SEAT or to everybody.

    For a mail that was lost or deleted. The key in it is the newest.
    """
    from pbem.moderation.sending import resend as again

    carry_out(call, game, lambda service: again(seat), "resend")


@click.command("end")
@click.argument("game", type=GAME)
@why_option
@yes_option
@json_option
@click.pass_obj
def end(call: Call, game: str, why: str, yes: bool) -> None:
    """End a game here and now, without a result.

    The seed is published, so that everybody can check the dice; nothing can be played or taken back after that.
    """
    from pbem.moderation import deeds

    text = reason(why)
    sure(f"End {game} for good, without a result?", yes)
    carry_out(call, game, lambda service: deeds.end(text), "end")


@click.command("abandon")
@click.argument("game", type=GAME)
@why_option
@yes_option
@json_option
@click.pass_obj
def abandon(call: Call, game: str, why: str, yes: bool) -> None:
    """Give a game up.

    Nobody is asked any more; the seed stays secret, and `pbem resume` takes the game up again.
    """
    from pbem.moderation import deeds

    text = reason(why)
    sure(f"Give {game} up?", yes)
    carry_out(call, game, lambda service: deeds.abandon(text), "abandon")


@click.command("remark")
@click.argument("game", type=GAME)
@click.argument("text", nargs=-1, required=True)
@click.option("--now", is_flag=True, help="Mail it at once, instead of in everybody's next mail.")
@json_option
@click.pass_obj
def remark(call: Call, game: str, text: tuple[str, ...], now: bool) -> None:
    """Say a word to the table.

    It stands in the history, and in everybody's next mail.
    """
    from pbem.moderation import deeds

    carry_out(call, game, lambda service: deeds.remark(" ".join(text), now), "remark")
