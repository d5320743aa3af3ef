"""`pbem undo`, `pbem rollback`, `pbem rollforward`: back to a position that was, and forward again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.deed import carry_out, reason, sure, why_option, yes_option
from pbem.cli.kit import paper
from pbem.cli.kit.call import USAGE, Call, CommandEnd, json_option, print_json, wants_json
from pbem.cli.kit.complete import GAME
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import game_of

if TYPE_CHECKING:
    from pbem.desk.context import Context
    from pbem.moderation.travel import Point

SHOWN = 20
"""Steps that are listed when none is named."""


@click.command("undo")
@click.argument("game", type=GAME)
@why_option
@yes_option
@json_option
@click.pass_obj
def undo(call: Call, game: str, why: str, yes: bool) -> None:
    """Take back the last orders of a game.

    Whoever gave them, with all that followed on them. What would be undone is shown first. Everybody is mailed where
    the game stands and why; the same dice return. `pbem rollforward` brings it back while nobody has acted.
    """
    from pbem.moderation import travel

    target = _preview(call, game, travel.before_last)
    text = reason(why)
    sure(f"Take this back, so that {game} stands at step {target.record} again?", yes)
    carry_out(call, game, lambda service: travel.undo(text), "undo")


@click.command("rollback")
@click.argument("game", type=GAME)
@click.option("--to", "to", default="", metavar="STEP", help="The step (see `pbem log`) or commit to go back to.")
@click.option("--redraw", is_flag=True, help="The dice that come are other ones; shows in `pbem verify`.")
@click.option("--preview", is_flag=True, help="Only show what would be undone.")
@why_option
@yes_option
@json_option
@click.pass_obj
def rollback(call: Call, game: str, to: str, redraw: bool, preview: bool, why: str, yes: bool) -> None:
    """Let a game stand again as it stood at a step.

    Without --to the last steps are listed. What would be undone is shown first. Keys and private plans of what is
    taken back are dead; everybody is mailed where the game stands and why. The dice stay as they were fixed at the
    start, so the same ones return, unless --redraw.
    """
    from pbem.moderation import travel

    if not to:
        _list(call, game)
        raise CommandEnd("name the step to go back to: --to STEP", USAGE)
    target = _preview(call, game, lambda context: _checked(context, to), only=preview)
    if preview:
        return
    text = reason(why)
    again = "Other dice will fall." if redraw else "The same dice will return."
    sure(f"Let {game} stand at step {target.record} again? {again}", yes)
    carry_out(call, game, lambda service: travel.rollback(str(target.record), text, redraw), "rollback")


def _checked(context: Context, to: str) -> Point:
    from pbem.moderation import travel

    target = travel.point(context, to)
    travel.rollback(str(target.record), "looking")(context)
    return target


@click.command("rollforward")
@click.argument("game", type=GAME)
@why_option
@json_option
@click.pass_obj
def rollforward(call: Call, game: str, why: str) -> None:
    """Bring back what was gone back from.

    As long as nobody has acted since `pbem undo` or `pbem rollback`. Everybody is mailed.
    """
    from pbem.moderation import travel

    carry_out(call, game, lambda service: travel.rollforward(why), "rollforward")


def _preview(call: Call, game: str, find: Any, only: bool = False) -> Point:
    """Show what would be undone; the step that the game would stand at."""
    from pbem.moderation.deeds import undone
    from pbem.store.stored import Stored

    game_of(call, game)

    def see(context: Context) -> tuple[Point, str, str, tuple[str, ...]]:
        target = find(context)
        # What is played is taken back; whether somebody holds the game is nothing that was played.
        then = Stored.read_public(context.repo, target.commit)
        where = str(context.game.heading(context.game.load(then.game, {}))) if then.game else "before the game"
        lost = tuple(str(one) for one in undone(context, target.record))
        return target, where, str(context.stored.table.status), lost

    with opened(call) as service:
        target, where, status, lost = service.desk.look(game, see)
    when = target.at.strftime("%Y-%m-%d %H:%M")
    if only and wants_json():
        told = {"game": game, "step": target.record, "commit": target.commit, "at": when, "where": where}
        print_json(told | {"status": status, "undoes": list(lost)})
    elif not wants_json():
        goes_on = "go on from there" if status == "running" else f"stay {status}"
        paper.title(
            f"{game} would stand at step {target.record} again, {where}, {when} UTC, and {goes_on}. Undone would be:"
        )
        for line in lost:
            click.echo(f"- {line}")
    found: Point = target
    return found


def _list(call: Call, game: str) -> None:
    from itertools import islice

    from pbem.moderation.travel import points

    if wants_json():
        return
    rows = [
        (str(one.record), one.at.strftime("%Y-%m-%d %H:%M"), one.commit[:10], one.says)
        for one in islice(points(game_of(call, game)), SHOWN)
    ]
    paper.print_table(("step", "time (UTC)", "commit", "what"), rows)
