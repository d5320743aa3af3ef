"""A demo or play game: its number of seats, and its scores in the end."""

from __future__ import annotations

from typing import Any

import click

from engine.errors import NotAllowed
from engine.game import AnyGame
from pbem.cli.kit import console
from pbem.cli.kit.call import USAGE, CommandEnd

USUAL = 3
"""Seats of a game for which no number was asked."""


def seats_for(rules: AnyGame, players: int | None, options: dict[str, str]) -> int:
    """The seats asked for; else the number nearest to the usual one that the options allow.

    Ends the command for a number that the game is not for.
    """
    if players is not None:
        if players not in rules.seats:
            least, most = rules.seats[0], rules.seats[-1]
            raise CommandEnd(f"{rules.kind} is for {least} to {most} players, not {players}", USAGE)
        return players
    for count in sorted(rules.seats, key=lambda seats: abs(seats - USUAL)):
        try:
            rules.settle_options(count, options)
        except NotAllowed:
            continue
        return count
    return USUAL


def print_played(found: dict[str, Any], title: str) -> None:
    """Print the scores if the game is over, and where everything lies."""
    rounds, waits = console.count_text(found["rounds"], "round"), console.count_text(found["serial_waits"], "wait")
    letters, mails = console.count_text(found["letters_in"], "letter"), console.count_text(found["mails_out"], "mail")
    console.title(f"{title}, {rounds}, {letters} in, {mails} out, {waits}")
    scores = found["scores"]
    ranked = sorted(scores.items(), key=lambda item: -item[1]["total"])
    parts = list(dict.fromkeys(part for row in scores.values() for part in row["components"]))
    if not console.on_terminal():
        for seat, row in ranked:
            told = "\t".join(f"{part} {n}" for part, n in row["components"].items())
            click.echo(f"{seat}\t{row['total']}\t{told}")
    elif ranked:
        rows = [(seat, row["total"], *(row["components"].get(part, "") for part in parts)) for seat, row in ranked]
        console.print_table(("seat", "total", *parts), rows)
    if ranked:
        click.echo(f"winner\t{', '.join(found['winners'])}")
        for note in found.get("notes", ()):
            click.echo(f"note\t{note}")
    else:
        click.echo("The game is not over.")
    game, store = found["game"], found["store"]
    click.echo(f"mails\t{found['mailbox']}")
    click.echo(f"position\t{store}/{game}/state.toml")
    click.echo(f"history\tgit -C {store}/{game} log")
    click.echo(f"dice\tpbem --store {store} verify {game}")
