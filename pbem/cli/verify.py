"""`pbem verify`: checks the dice of a game or export against what was published before it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from pbem.cli.kit import paper
from pbem.cli.kit.call import DIFFERS, TROUBLE, Call, answer, json_option
from pbem.cli.kit.given import known
from pbem.cli.kit.services import look
from pbem.cli.kit.stored import GAME, config_of, game_of
from pbem.export.inquiry import Inquiry, inquire, is_running, verify_game
from pbem.export.reading import read_document
from pbem.export.verify_alone import CANNOT, ONLY_VERIFY
from pbem.store.words import words_in


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
    answer(told, lambda _: _print(found), 0 if found.holds else DIFFERS)


def _of_file(file: Path) -> Inquiry:
    with known(TROUBLE):
        return inquire(read_document(file))


def _of_game(call: Call, game: str, reveal: bool) -> Inquiry:
    repo = game_of(call, game)
    running = is_running(repo)
    found = verify_game(repo, reveal, words=words_in(config_of(call).mail))
    if running:
        look(call, repo)
    return found


def _print(found: Inquiry) -> None:
    word = paper.mark("holds", "well") if found.holds else paper.mark("DIFFERS", "bad")
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
