"""`pbem set` and `pbem edit`: the position put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import paper
from pbem.cli.complete import GAME, PATH
from pbem.cli.deed import carry_out, reason, sure, why_option, yes_option
from pbem.cli.outcome import DIFFERS, TROUBLE, Call, CommandEnd, json_option, print_json

if TYPE_CHECKING:
    from pbem.desk.answering import Case
    from pbem.moderation.sheet import EditSheet
    from pbem.store.repo import GameRepo


@click.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("game", type=GAME)
@click.argument("path", type=PATH, required=False, default="")
@click.argument("value", required=False, default="")
@why_option
@json_option
@click.pass_obj
def put(call: Call, game: str, path: str, value: str, why: str, as_json: bool) -> None:
    """Put one value of a position right.

    PATH is a seat and what it has, such as anna.deniers, or a place on the board, such as palace.6; without VALUE the
    paths that begin so are listed. VALUE is what shall stand there; +2 and -2 count on from what does. The position
    must keep the laws of the game. Everybody is mailed what was changed and why.
    """
    from pbem.moderation import values

    if not value:
        _list(call, game, path, as_json)
        return
    text = reason(why, as_json)
    carry_out(call, game, lambda service: values.put(path, value, text), as_json, "set")


def _list(call: Call, game: str, path: str, as_json: bool) -> None:
    """The paths there are. Values of victory points are nobody's business, so that values are not shown."""
    from pbem.store.stored import Stored

    stored = Stored.read_public(call.game(game))
    if not stored.game:
        raise CommandEnd(f"{game} has not begun; there is no position to change", DIFFERS, as_json)
    rules = call.rules(stored.table.kind)
    found = [one for one in rules.moderation.settable(rules.load(stored.game, {})) if one.startswith(path)]
    if as_json:
        print_json(found)
        return
    for one in found:
        click.echo(one)
    if not found:
        raise CommandEnd(f"nothing that can be set begins with {path!r}; `pbem set {game}` lists all", DIFFERS)
    paper.warn(f"{len(found)} values; to change one: pbem set {game} {found[0]} VALUE --why '…'")


@click.command("edit")
@click.argument("game", type=GAME)
@click.option("--continue", "go_on", is_flag=True, help="Go on with the text that was not taken over the last time.")
@click.option("--anew", is_flag=True, help="Throw that text away and begin from the present position.")
@click.option("--reveal", is_flag=True, help="Edit the secrets, too; the table is told that you have looked.")
@click.option("--no-editor", is_flag=True, help="Take the waiting text as it lies there.")
@why_option
@yes_option
@json_option
@click.pass_obj
def edit(
    call: Call,
    game: str,
    go_on: bool,
    anew: bool,
    reveal: bool,
    no_editor: bool,
    why: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Put the position of a game right in your editor.

    Opens the position as TOML in $EDITOR, on a copy beside the store. What you change must be a position and keep the
    laws of the game; it is shown in words before it counts, and everybody is mailed it with the reason. A text that
    is not taken over is kept; --continue opens it again.
    """
    from pbem.moderation import sheet as sheets

    repo = call.game(game)
    sheet = _sheet(call, repo, go_on or no_editor, anew, reveal, as_json)
    if not no_editor:
        _open(sheet)
    if sheets.is_empty(sheet):
        sheets.finish(sheet)
        raise CommandEnd("the text is empty: given up, nothing was changed", DIFFERS, as_json)
    if sheets.is_unchanged(sheet, repo):
        sheets.finish(sheet)
        raise CommandEnd("Nothing differs in the text; nothing was changed, and no text is kept", DIFFERS, as_json)
    _check(call, game, sheet, as_json)
    try:
        text = reason(why, as_json)
        sure("Take this over?", yes, as_json)
        carry_out(call, game, lambda service: sheets.deed(sheet, text), as_json, "edit")
    except Exception:
        paper.warn(_kept(sheet))
        raise
    sheets.finish(sheet)


def _sheet(call: Call, repo: GameRepo, go_on: bool, anew: bool, reveal: bool, as_json: bool) -> EditSheet:
    from pbem.cli.show import look
    from pbem.moderation import sheet as sheets
    from pbem.store.stored import Stored

    mail = call.config().mail
    found = sheets.waiting(repo.name, mail)
    if found is not None and not anew:
        if go_on:
            return found
        raise CommandEnd(
            f"a text waits that was not taken over: {found.path}; --continue goes on with it, --anew throws it away",
            DIFFERS,
            as_json,
        )
    if go_on and found is None:
        raise CommandEnd(f"no text waits for {repo.name}; leave --continue out", DIFFERS, as_json)
    stored = look(call, repo) if reveal else Stored.read_public(repo)
    if not stored.game:
        raise CommandEnd(f"{repo.name} has not begun; there is no position to change", DIFFERS, as_json)
    return sheets.begin(repo, stored, mail, reveal)


def _open(sheet: EditSheet) -> None:
    try:
        click.edit(filename=str(sheet.path), extension=".toml")
    except click.ClickException as odd:
        raise CommandEnd(f"{odd.message}; set EDITOR, and go on with --continue", TROUBLE) from None


def _check(call: Call, game: str, sheet: EditSheet, as_json: bool) -> None:
    """Show what the text changes, in words. Ends the command when it cannot be taken over; the text is kept."""
    from engine.errors import OrderRefused, PositionError
    from pbem.moderation import sheet as sheets

    def see(case: Case) -> tuple[str, ...]:
        return tuple(str(one) for one in sheets.deed(sheet, "…")(case).told)

    try:
        with call.service() as service:
            told = service.desk.look(game, see)
    except OrderRefused as refusal:
        parts = "".join(f"\n  - {one}" for one in refusal.possible)
        raise CommandEnd(f"{refusal.reason}{parts}\n{_kept(sheet)}", DIFFERS, as_json) from None
    except PositionError as odd:
        raise CommandEnd(f"{odd}\n{_kept(sheet)}", DIFFERS, as_json) from None
    if not as_json:
        for one in told:
            click.echo(one.replace(" Reason: «…»", ""))


def _kept(sheet: EditSheet) -> str:
    return f"your text is kept in {sheet.path}; `pbem edit {sheet.game} --continue` opens it again"
