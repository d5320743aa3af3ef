"""`pbem verify`: checks the dice of a game or export against what was published before it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from pbem.cli.kit import console
from pbem.cli.kit.arguments import lookup_errors
from pbem.cli.kit.call import DIFFERS, TROUBLE, Call, json_option, print_answer
from pbem.cli.kit.host_access import read_with_secrets
from pbem.cli.kit.stored import GAME, config_of, game_of
from pbem.export.document_reader import read_document
from pbem.export.verify_alone import CANNOT, ONLY_VERIFY
from pbem.export.verify_export import Verification, is_running, verify_document, verify_game
from pbem.store.private_text import open_private_text


@click.command("verify")
@click.argument("game", type=GAME)
@click.option("--reveal", is_flag=True, help="Check a game that goes on; its seed is read, the table is told.")
@json_option
@click.pass_obj
def command(call: Call, game: str, reveal: bool) -> None:
    """Check the dice of a game against its seed.

    Seed and host's word must have the hash that was published before any player's word was known; every word must be
    the one that was listed before anything was dealt; every recorded roll and shuffle must be the one that the rules
    make on the position before it, and follow from seed, words and purpose; deal and positions must be what the
    entries say. GAME may also be an export (json or toml); one that is not full shows less to check. Exit 1 if
    anything differs, or if nothing could be checked.
    """
    found = _of_file(Path(game)) if Path(game).is_file() else _of_game(call, game, reveal)
    again = [{"step": step, "reason": why} for step, why in found.redraws]
    told = asdict(found) | {"holds": found.holds, "redraws": again, "cannot_show": CANNOT}
    print_answer(told, lambda _: _print(found), 0 if found.holds else DIFFERS)


def _of_file(file: Path) -> Verification:
    with lookup_errors(TROUBLE):
        return verify_document(read_document(file))


def _of_game(call: Call, game: str, reveal: bool) -> Verification:
    repo = game_of(call, game)
    running = is_running(repo)
    found = verify_game(repo, reveal, words=open_private_text(config_of(call).mail))
    if running:
        read_with_secrets(call, repo)
    return found


def _print(found: Verification) -> None:
    word = console.colored("holds", "well") if found.holds else console.colored("DIFFERS", "bad")
    click.echo(f"{found.game}\t{word}")
    fits = "are those that were published" if found.seed_fits else "are NOT those that were published"
    click.echo(f"seed and words {fits}")
    click.echo(f"hash over seed and host's word, in every invitation: {found.commitment}")
    click.echo(f"hash over all words, in every welcome: {found.words_hash or 'none'}")
    click.echo(f"{found.rolls} rolls and {found.shuffles} shuffles checked")
    if found.positions:
        click.echo(f"the deal and {found.positions} positions checked")
    else:
        click.echo(f"the view {found.view} shows no deck and no hand, so deal and positions stay unchecked")
        click.echo(ONLY_VERIFY)
    for step, why in found.redraws:
        click.echo(f"the moderator had the dice drawn anew at step {step}: «{why}»")
    for difference in found.differences:
        click.echo(f"\t{difference}")
    click.echo(CANNOT)
