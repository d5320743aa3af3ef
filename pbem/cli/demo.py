"""`pbem demo`: a whole game by real mail on this machine."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engine.game import games
from engine.levels import SEATED_LEVELS
from pbem.cli.kit.arguments import GameCommand, chosen_options, languages_by_name, rules_of
from pbem.cli.kit.call import json_option, print_answer
from pbem.cli.kit.game_summary import print_played, seats_for
from pbem.demo.demo_game import Plan, play_demo
from pbem.demo.progress import Progress
from pbem.desk.core.seat_controller import parse_level

BY_MAIL = "novice"
"""The level that plays from its mails alone."""


@click.command("demo", cls=GameCommand)
@click.argument("pairs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--game", "kind", default="", help="Which game; the first one there is, if left out.")
@click.option("--players", type=int, default=None, help="How many seats; 3, or as many as the options allow.")
@click.option("--seed", default="", help="The same seed gives the same game; drawn otherwise.")
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), help="Where everything is kept.")
@click.option("--seat", "person", default="", help="A seat that you play: `me`, or the name you want to have.")
@click.option("--level", default=BY_MAIL, show_default=True, help=f"How well they play: {', '.join(SEATED_LEVELS)}.")
@click.option("--language", "spoken", multiple=True, help="Somebody's language, or `all=fr`.", metavar="NAME=fr")
@json_option
def command(
    pairs: tuple[str, ...], kind: str, players: int | None, seed: str, folder: Path | None, person: str, level: str,
    spoken: tuple[str, ...], **flags: Any,
) -> None:  # fmt: skip
    """Play a whole game by real mail on this machine.

    A post office of our own (SMTP and IMAP on 127.0.0.1), the daemon, and a computer in every seat. Nothing leaves
    the machine and nothing has to be set up. Ends with the scores and where mails, position and history lie.
    A novice knows its mails alone and answers by mail; with another level the computers are seats of the host.
    It needs the extra troyes-by-mail[demo].
    """
    level = parse_level(level)
    kind = kind or min(games())
    rules, options = rules_of(kind), chosen_options(flags, pairs)
    players = seats_for(rules, players, options)
    where = folder.absolute() if folder else Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    where.mkdir(parents=True, exist_ok=True)
    who, by_host = "Me" if person.lower() == "me" else person, "" if level == BY_MAIL else level
    plan = Plan(kind, players, where, seed, who, by_host, options)
    plan = replace(plan, languages=languages_by_name(spoken, plan.names))
    found = asyncio.run(play_demo(plan, Progress()))
    print_answer(found, lambda found: print_played(found, rules.title))
