"""`pbem play`: a game against computers by real mail on this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine.game import games
from pbem.cli.kit.arguments import GameCommand, chosen_options, languages_by_name, rules_of
from pbem.cli.kit.call import USAGE, CommandEnd, json_option, print_answer
from pbem.cli.kit.game_summary import print_played, seats_for
from pbem.demo.demo_folder import earlier_settings, unfinished_table
from pbem.demo.demo_game import Plan, play_demo
from pbem.demo.progress import Progress
from pbem.desk.core.seat_controller import parse_level
from pbem.export.audience import Audience
from pbem.export.formats import make_export
from pbem.export.game_source import read_source
from pbem.host.people import People
from pbem.outbound.translation import language_catalogue
from pbem.store.game_store import GameStore
from pbem.store.private_text import open_private_text

FOLDER = Path("pbem-play")


@click.command("play", cls=GameCommand)
@click.argument("pairs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--game", "kind", default="", help="Which game; the first one there is, if left out.")
@click.option("--players", type=int, default=None, help="How many seats; 3, or as many as the options allow.")
@click.option("--level", default="steady", show_default=True, help="How well the others play.")
@click.option("--name", default="Me", show_default=True, help="What you are called.")
@click.option("--seed", default="", help="The same seed gives the same dice; drawn otherwise.")
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, show_default=True,
    help="Where everything is kept.",
)  # fmt: skip
@click.option("--language", default="", help="The language of your mails.", metavar="fr")
@json_option
@click.pass_context
def command(
    ctx: click.Context, /, pairs: tuple[str, ...], kind: str, players: int | None, level: str, name: str, seed: str,
    folder: Path, language: str, **flags: Any,
) -> None:  # fmt: skip
    """Play against computers, in the terminal or with any mail program.

    A table on this machine with a post office of its own (127.0.0.1): mails come and are answered in the terminal and
    in every mail program that looks into the mailbox, whose address is printed. Leave with «quit» or Ctrl-C; the same
    command goes on with the game, and begins another when that is over. It needs the extra troyes-by-mail[demo].
    """
    if not name.strip():
        raise CommandEnd("--name: a name is needed, such as Anna", USAGE)
    level, options, where = parse_level(level), chosen_options(flags, pairs), folder.absolute()
    before = unfinished_table(where)
    if before is not None and (said := _said(ctx)):
        raise CommandEnd(
            f"{before.game} in {where} is not over, and {', '.join(said)} would be for another game: leave that out to "
            "go on with this one, or name another folder with --dir",
            USAGE,
        )
    kind = before.kind if before is not None else kind or min(games())
    rules = rules_of(kind)
    count = len(before.seats) if before is not None else seats_for(rules, players, options)
    where.mkdir(parents=True, exist_ok=True)
    spoken = languages_by_name((f"{name}={language}",) if language else (), (name,))
    plan = Plan(kind, count, where, seed, name, level, options, kept=True, languages=spoken)
    try:
        found = asyncio.run(play_demo(plan, Progress()))
    except KeyboardInterrupt:
        found = {}  # before anybody could be asked
    print_answer(found, lambda found: _print(found, rules.title, where, folder))


def _said(ctx: click.Context) -> list[str]:
    """Options of the command line that describe a new game."""
    params = (one for one in ctx.command.get_params(ctx) if one.name not in ("folder", "json"))
    return [one.opts[0] for one in params if ctx.get_parameter_source(str(one.name)) is ParameterSource.COMMANDLINE]


def _print(found: dict[str, Any], title: str, where: Path, folder: Path) -> None:
    click.echo(err=True)
    again = "pbem play" if folder == FOLDER else f"pbem play --dir {folder}"
    if found:
        print_played(found, title)
    if found.get("scores"):
        click.echo(f"replay\t{_replay(found, where)}")
        click.echo(f"another\t{again}")
    else:
        click.echo(f"go on\t{again}")


def _replay(found: dict[str, Any], where: Path) -> Path:
    """Write the page that plays the game, in the player's language."""
    repo, settings = GameStore(Path(found["store"])).open(found["game"]), earlier_settings(where)
    assert settings is not None
    source = read_source(repo, words=open_private_text(settings.mail))
    people = People(settings.mail, usual=settings.host.language).holders(repo.name)
    language = next((one.language for one in people if one.language), settings.host.language)
    path = where / f"{found['game']}.html"
    path.write_bytes(make_export(source, Audience(full=True), "html", repo, None, language_catalogue(language)).data)
    return path
