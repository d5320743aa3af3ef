"""`pbem demo`: a whole game by real mail on this machine."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import click

from engine.errors import NotAllowed
from engine.game import AnyGame, games
from engine.levels import SEATED
from pbem.cli.kit import paper
from pbem.cli.kit.call import USAGE, CommandEnd, answer, json_option
from pbem.cli.kit.given import rules_of
from pbem.cli.kit.options import GameCommand, chosen
from pbem.demo.playing import Plan, play
from pbem.demo.progress import Progress
from pbem.desk.seated import seated

BY_MAIL = "novice"
"""The level that needs no more than its mails."""


@click.command("demo", cls=GameCommand)
@click.argument("pairs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--game", "kind", default="", help="Which game; the first one there is, if left out.")
@click.option("--players", type=int, default=None, help="How many seats; 3, or as many as the options allow.")
@click.option("--seed", default="", help="The same seed gives the same game; drawn otherwise.")
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), help="Where everything is kept.")
@click.option("--seat", "person", default="", help="A seat that you play: `me`, or the name you want to have.")
@click.option("--level", default=BY_MAIL, show_default=True, help=f"How well they play: {', '.join(SEATED)}.")
@json_option
def command(
    pairs: tuple[str, ...],
    kind: str,
    players: int | None,
    seed: str,
    folder: Path | None,
    person: str,
    level: str,
    **flags: Any,
) -> None:
    """Play a whole game by real mail on this machine.

    A post office of our own (SMTP and IMAP on 127.0.0.1), the daemon, and a computer in every seat. Nothing leaves
    the machine and nothing has to be set up. Ends with the scores and where mails, position and history lie.
    A novice knows its mails alone and answers by mail; with another level the computers are seats of the host.
    """
    level = seated(level)
    kind = kind or min(games())
    rules, options = rules_of(kind), chosen(flags, pairs)
    if players is None:
        players = _seats(rules, options)
    if players not in rules.seats:
        seats = rules.seats
        raise CommandEnd(f"{kind} is for {seats[0]} to {seats[-1]} players, not {players}", USAGE)
    where = folder.absolute() if folder else Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    where.mkdir(parents=True, exist_ok=True)
    who, by_host = "Me" if person.lower() == "me" else person, "" if level == BY_MAIL else level
    plan = Plan(kind, players, where, seed, who, by_host, options)
    with Progress() as progress:
        found = asyncio.run(play(plan, progress))
    answer(found, lambda found: _print(found, rules.title))


USUAL = 3
"""Seats of a demo that asks for no number."""


def _seats(rules: AnyGame, options: dict[str, str]) -> int:
    """The usual number of seats, or the nearest that these options can be played with."""
    for players in sorted(rules.seats, key=lambda seats: abs(seats - USUAL)):
        try:
            rules.settle_options(players, options)
        except NotAllowed:
            continue
        return players
    return USUAL


def _print(found: dict[str, Any], title: str) -> None:
    waits, letters, mails = found["serial_waits"], found["letters_in"], found["mails_out"]
    paper.title(f"{title}, {found['rounds']} rounds, {letters} letters in, {mails} mails out, {waits} waits")
    scores = found["scores"]
    ranked = sorted(scores.items(), key=lambda item: -item[1]["total"])
    parts = list(dict.fromkeys(part for row in scores.values() for part in row["components"]))
    if not paper.on_terminal():
        for seat, row in ranked:
            told = "\t".join(f"{part} {n}" for part, n in row["components"].items())
            click.echo(f"{seat}\t{row['total']}\t{told}")
    elif ranked:
        rows = [(seat, row["total"], *(row["components"].get(part, "") for part in parts)) for seat, row in ranked]
        paper.print_table(("seat", "total", *parts), rows)
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
