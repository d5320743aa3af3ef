"""`pbem cards`: the proof sheet, to be held against a real box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import click

from engine.game import games
from pbem.cli.kit import console
from pbem.cli.kit.arguments import rules_of
from pbem.cli.kit.call import USAGE, CommandEnd, json_option, print_answer

SURE = "seed"
"""Prefix of confidences that need no second look; all others are marked."""


@click.command("cards")
@click.argument("kind", required=False)
@click.option("--colour", "--color", "colours", multiple=True, help="Only this page: a colour, events, board, ….")
@click.option("--doubtful", is_flag=True, help="Only numbers that nobody has seen on a real card.")
@json_option
def command(kind: str | None, colours: tuple[str, ...], doubtful: bool) -> None:
    """Print every number of a game's box, to hold against the real one.

    One page per colour. A number marked ? was inferred or is unknown; a correction goes into a file for
    `pbem new --facts`.
    """
    kinds = (kind,) if kind else tuple(sorted(games()))
    rows = [{"game": name, **row} for name in kinds for row in rules_of(name).reference.facts()]
    pages = list(dict.fromkeys(str(row["group"]) for row in rows))
    wanted = {colour.lower() for colour in colours}
    if unknown := sorted(wanted - set(pages) - {str(row["color"]) for row in rows}):
        raise CommandEnd(f"there is no page {', '.join(unknown)}; there are: {', '.join(pages)}", USAGE)
    if wanted:
        rows = [row for row in rows if row["group"] in wanted or row["color"] in wanted]
    if doubtful:
        rows = [row for row in rows if not is_sure(row)]
    print_answer(rows, _print)


def _print(rows: Sequence[Mapping[str, Any]]) -> None:
    for number, (page, found) in enumerate(groupby(rows, lambda row: (row["game"], row["group"]))):
        if number:
            # A form feed begins a new sheet in a printer; on a screen a blank line is enough.
            click.echo("" if console.on_terminal() else "\f", nl=console.on_terminal())
        _print_page(page, list(found))


def is_sure(row: Mapping[str, Any]) -> bool:
    """Whether somebody has read this number on a card or in the rulebook."""
    return str(row["confidence"]).startswith(SURE)


def _print_page(page: tuple[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
    doubts = sum(not is_sure(row) for row in rows)
    console.title(f"{page[0]}: {page[1]} ({len(rows)} numbers, {doubts} to be checked)")
    for _, group in groupby(rows, lambda row: row["id"]):
        card = list(group)
        click.echo()
        console.title(f"{card[0]['name']}  [{card[0]['id']}]")
        if card[0]["text"]:
            click.echo(f"  {card[0]['text']}")
        for row in card:
            doubt = "" if is_sure(row) else console.colored("  ?", "doubt")
            click.echo(f"  {row['field']}: {value_text(row['value'])}  ({row['confidence']}){doubt}")
        if card[0]["source"]:
            click.echo(f"  from: {card[0]['source']}")


def value_text(value: object) -> str:
    """A number, word or list as on a card."""
    if isinstance(value, list | tuple):
        return ", ".join(value_text(one) for one in value) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_text(one)}" for name, one in value.items()) or "none"
    return str(value) if value != "" else "none"
