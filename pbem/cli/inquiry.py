"""`pbem verify` of an export: a file instead of a stored game."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from pbem.cli import paper
from pbem.cli.outcome import DIFFERS
from pbem.cli.outcome import TROUBLE
from pbem.cli.outcome import Outcome
from pbem.cli.outcome import print_json


def check_export(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Check an export and say what was found; exit 1 if anything differs or there is no seed to check with."""
    from pbem.export.inquiry import NoSeed
    from pbem.export.inquiry import inquire
    from pbem.export.writing import read_document

    try:
        found = inquire(read_document(file))
    except NoSeed as odd:
        raise Outcome(str(odd), DIFFERS, as_json) from None
    except LookupError as odd:
        raise Outcome(str(odd.args[0]), TROUBLE, as_json) from None
    if as_json:
        print_json({**asdict(found), "holds": found.holds, "differences": list(found.differences)})
    else:
        word = paper.mark("holds", "well") if found.holds else paper.mark("DIFFERS", "bad")
        click.echo(f"{found.game}\t{word}")
        fits = "is that of the seed" if found.seed_fits else "is NOT that of the seed"
        click.echo(f"published hash {found.published} {fits}")
        click.echo(f"{found.rolls} rolls and {found.shuffles} shuffles checked")
        if found.positions:
            click.echo(f"the deal and {found.positions} positions checked")
        else:
            click.echo(f"the view {found.view} shows no deck and no hand, so shuffles and positions stay unchecked")
        for difference in found.differences:
            click.echo(f"\t{difference}")
    if not found.holds:
        ctx.exit(DIFFERS)
