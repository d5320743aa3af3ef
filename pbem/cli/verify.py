"""`pbem verify`: the dice of a game held against its published seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import click

from pbem.cli import paper
from pbem.cli.outcome import DIFFERS
from pbem.cli.outcome import Call
from pbem.cli.outcome import Outcome
from pbem.cli.outcome import json_option
from pbem.cli.outcome import print_json

if TYPE_CHECKING:
    from pbem.proof import Proof


@click.command("verify")
@click.argument("game")
@click.option("--reveal", is_flag=True, help="Check a game that goes on; its seed is read, the table is told.")
@json_option
@click.pass_context
def command(ctx: click.Context, game: str, reveal: bool, as_json: bool) -> None:
    """Check the dice of a game against its seed.

    The seed must have the hash that was published before anybody's word was known, and every recorded roll and
    shuffle must follow from seed, words and purpose. GAME may also be an export (json or toml): then its dice are
    checked, and of a full one the deal and every position, too. Exit 1 if anything differs.
    """
    if Path(game).is_file():
        from pbem.cli.inquiry import check_export

        check_export(ctx, Path(game), as_json)
        return
    from pbem.proof import NotOver
    from pbem.proof import check

    call: Call = ctx.obj
    repo = call.game(game)
    try:
        proof = check(repo, reveal)
    except NotOver as odd:
        raise Outcome(str(odd), DIFFERS, as_json) from None
    if reveal and proof.running:
        from pbem.cli.show import look

        look(call, repo)
    if as_json:
        print_json(_data(proof))
    else:
        _print(proof)
    if not proof.holds:
        ctx.exit(DIFFERS)


def _data(proof: Proof) -> dict[str, Any]:
    return {
        "game": proof.game,
        "holds": proof.holds,
        "seed_hash": proof.published,
        "seed_fits": proof.seed_fits,
        "epoch": proof.epoch,
        "rolls": proof.rolls,
        "shuffles": proof.shuffles,
        "redraws": [{"step": step, "reason": why} for step, why in proof.redraws],
        "differences": list(proof.differences),
    }


def _print(proof: Proof) -> None:
    word = paper.mark("holds", "well") if proof.holds else paper.mark("DIFFERS", "bad")
    click.echo(f"{proof.game}\t{word}")
    fits = "is that of the seed" if proof.seed_fits else "is NOT that of the seed"
    click.echo(f"published hash {proof.published} {fits}")
    click.echo(f"{proof.rolls} rolls and {proof.shuffles} shuffles checked")
    for step, why in proof.redraws:
        click.echo(f"the moderator had the dice drawn anew at step {step}: «{why}»")
    for difference in proof.differences:
        click.echo(f"\t{difference}")
