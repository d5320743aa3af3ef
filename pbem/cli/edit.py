"""`pbem edit`: corrects a position in an editor."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from engine.errors import OrderRefused, PositionError
from pbem.admin.actions import position_text as sheets
from pbem.admin.actions.position_text import PositionText
from pbem.cli.kit import console
from pbem.cli.kit.action_command import action_command, ask_confirmation, ask_reason, run_action
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, wants_json
from pbem.cli.kit.host_access import open_host, read_with_secrets
from pbem.cli.kit.stored import config_of, game_of
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import StoredGame


def _edit(call: Call, game: str, given: Mapping[str, Any]) -> None:
    repo = game_of(call, game)
    if not given["no_editor"] and not sys.stdin.isatty() and not any(map(os.environ.get, ("VISUAL", "EDITOR"))):
        raise CommandEnd("there is no terminal for an editor: set EDITOR, or take a waiting text by --no-editor", USAGE)
    sheet = _sheet(call, repo, given["go_on"] or given["no_editor"], given["anew"], given["reveal"])
    if not given["no_editor"]:
        _open(sheet)
    if sheets.is_empty(sheet):
        sheets.finish_edit(sheet)
        raise CommandEnd("the text is empty: given up, nothing was changed", DIFFERS)
    if sheets.is_unchanged(sheet, repo):
        sheets.finish_edit(sheet)
        raise CommandEnd("Nothing differs in the text; nothing was changed, and no text is kept", DIFFERS)
    _check(call, game, sheet)
    try:
        why = ask_reason(given["why"])
        ask_confirmation("Take this over?", given["yes"])
        run_action(call, game, lambda service: sheets.edit(sheet, why), "edit")
    except Exception:
        console.warn(_kept(sheet))
        raise
    sheets.finish_edit(sheet)


def _sheet(call: Call, repo: GameRepo, go_on: bool, anew: bool, reveal: bool) -> PositionText:
    mail = config_of(call).mail
    found = sheets.waiting_edit(repo.name, mail)
    if found is not None and not anew and go_on:
        return found
    if found is not None and not anew and not sheets.is_unchanged(found, repo):
        raise CommandEnd(
            f"a text waits that was not taken over: {found.path}; --continue goes on with it, --anew throws it away",
            DIFFERS,
        )
    if go_on and found is None:
        raise CommandEnd(f"no text waits for {repo.name}; leave --continue out", DIFFERS)
    stored = read_with_secrets(call, repo) if reveal else StoredGame.read_public(repo)
    if not stored.game:
        raise CommandEnd(f"{repo.name} has not begun; there is no position to change", DIFFERS)
    return sheets.begin_edit(repo, stored, mail, reveal)


def _open(sheet: PositionText) -> None:
    try:
        with _beside_json():
            click.edit(filename=str(sheet.path), extension=".toml")
    except click.ClickException as odd:
        raise CommandEnd(f"{odd.message}; set EDITOR, and go on with --continue", TROUBLE) from None


@contextmanager
def _beside_json() -> Iterator[None]:
    """With --json, an editor's screen goes to stderr, since stdout holds one value."""
    if not wants_json():
        yield
        return
    kept = os.dup(1)
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _check(call: Call, game: str, sheet: PositionText) -> None:
    """Show the changes in words. Ends the command where they cannot be made; the text is kept."""
    try:
        with open_host(call) as service:
            told = service.desk.look(game, lambda context: sheets.edit(sheet, "…")(context).told)
    except OrderRefused as refusal:
        parts = "".join(f"\n  - {one}" for one in refusal.possible)
        raise CommandEnd(f"{refusal.reason}{parts}\n{_kept(sheet)}", DIFFERS) from None
    except PositionError as odd:
        raise CommandEnd(f"{odd}\n{_kept(sheet)}", DIFFERS) from None
    if not wants_json():
        console.title("Everybody would read:")
        for one in told:
            click.echo(str(one).replace(" Reason: «…»", ""))


def _kept(sheet: PositionText) -> str:
    return f"your text is kept in {sheet.path}; `pbem edit {sheet.game} --continue` opens it again"


GO_ON = "Go on with the text that was not taken over the last time."
command = action_command(
    sheets.edit,
    _edit,
    click.option("--continue", "go_on", is_flag=True, help=GO_ON),
    click.option("--anew", is_flag=True, help="Throw that text away and begin from the present position."),
    click.option("--reveal", is_flag=True, help="Edit the secrets, too; the table is told that you have looked."),
    click.option("--no-editor", is_flag=True, help="Take the waiting text as it lies there."),
)
