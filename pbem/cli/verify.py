"""`pbem verify`: the dice of a game, or of an export, held against what was published before it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import paper
from pbem.cli.outcome import DIFFERS, TROUBLE, Call, CommandEnd, json_option, print_json

if TYPE_CHECKING:
    from pbem.export.inquiry import Inquiry


@click.command("verify")
@click.argument("game")
@click.option("--reveal", is_flag=True, help="Check a game that goes on; its seed is read, the table is told.")
@json_option
@click.pass_context
def command(ctx: click.Context, game: str, reveal: bool, as_json: bool) -> None:
    """Check the dice of a game against its seed.

    Seed and host's word must have the hash that was published before any player's word was known; every word must be
    the one that was listed before anything was dealt; every recorded roll and shuffle must follow from seed, words
    and purpose; deal and positions must be what the entries say. GAME may also be an export (json or toml); one that
    is not full shows less to check. Exit 1 if anything differs, or if nothing could be checked.
    """
    found = _of_file(Path(game), as_json) if Path(game).is_file() else _of_game(ctx.obj, game, reveal, as_json)
    if as_json:
        print_json(_data(found))
    else:
        _print(found)
    if not found.holds:
        ctx.exit(DIFFERS)


def _of_file(file: Path, as_json: bool) -> Inquiry:
    from pbem.export.inquiry import NoSeed, inquire
    from pbem.export.writing import read_document

    try:
        return inquire(read_document(file))
    except NoSeed as odd:
        raise CommandEnd(str(odd), DIFFERS, as_json) from None
    except LookupError as odd:
        raise CommandEnd(str(odd.args[0]), TROUBLE, as_json) from None


def _of_game(call: Call, game: str, reveal: bool, as_json: bool) -> Inquiry:
    from pbem.export.proof import NotOver, check, is_running
    from pbem.store.words import words_in

    repo = call.game(game)
    running = is_running(repo)
    try:
        found = check(repo, reveal, words=words_in(call.config().mail))
    except NotOver as odd:
        raise CommandEnd(str(odd), DIFFERS, as_json) from None
    if running:
        from pbem.cli.show import look

        look(call, repo)
    return found


def _data(found: Inquiry) -> dict[str, object]:
    from pbem.export.verify_alone import CANNOT

    again = [{"step": step, "reason": why} for step, why in found.redraws]
    return {
        **asdict(found),
        "holds": found.holds,
        "redraws": again,
        "differences": list(found.differences),
        "cannot_show": CANNOT,
    }


def _print(found: Inquiry) -> None:
    from pbem.export.verify_alone import CANNOT

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
    for step, why in found.redraws:
        click.echo(f"the moderator had the dice drawn anew at step {step}: «{why}»")
    for difference in found.differences:
        click.echo(f"\t{difference}")
    click.echo(CANNOT)
