"""`pbem stats`: counts over a host's games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from engine.errors import PositionError
from pbem.cli.kit import console
from pbem.cli.kit.call import USAGE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.stored import config_of, store_of
from pbem.export.game_source import read_source
from pbem.export.game_statistics import GameStatistics, add_game, spread
from pbem.export.plots import plot as draw
from pbem.host.people import People
from pbem.store.errors import StoreError
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame

ENDINGS = (".png", ".svg")


@click.command("stats")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the figures to a .png or .svg file.")
@click.option("--game", "kind", help="Only this kind of game; needed for --plot where there are several.")
@json_option
@click.pass_obj
def command(call: Call, plot: Path | None, kind: str | None) -> None:
    """Count games, people, wins and cards.

    Wins and cards are those of games that are over; a win is counted to each who shares it.
    """
    if plot is not None and plot.suffix.lower() not in ENDINGS:
        raise CommandEnd(f"{plot} ends in neither .png nor .svg", USAGE)
    every = _counted(call, kind)
    if plot is not None:
        if len(every) != 1:
            kinds = ", ".join(one.kind for one in every) or "none"
            raise CommandEnd(f"one kind of game is drawn at a time; name it with --game: {kinds}", USAGE)
        draw(every[0], plot)
    print_answer(every, _print)


def _counted(call: Call, kind: str | None) -> list[GameStatistics]:
    store, people = store_of(call), People(config_of(call).mail)
    found: dict[str, GameStatistics] = {}
    names: dict[str, str] = {}
    for name in store.names():
        repo = store.open(name)
        try:
            table = StoredGame.read_public(repo).table
            if kind and table.kind != kind:
                continue
            figures = found.setdefault(table.kind, GameStatistics(table.kind))
            figures.status[str(table.status)] += 1
            if table.status is Status.ENDED:
                # An address is a person, whatever name it has at each table.
                known = {str(one.seat): one.addresses[0] for one in people.holders(name) if one.addresses}
                who = {row.seat: known.get(row.seat, row.name) for row in table.seats}
                names |= {who[row.seat]: row.name for row in table.seats}
                add_game(figures, read_source(repo), who)
        except (PositionError, StoreError, LookupError) as odd:
            console.warn(f"{name} is left out: {odd}")
    for figures in found.values():
        shown = _shown(figures.people, names)
        figures.people = {shown[key]: wins for key, wins in figures.people.items()}
        figures.answers = {shown[key]: one for key, one in figures.answers.items()}
    return list(found.values())


def _shown(people: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """The names to print; a number distinguishes people of the same name."""
    found: dict[str, str] = {}
    for key in people:
        shown, n = names[key], 2
        while shown in found.values():
            shown, n = f"{names[key]} ({n})", n + 1
        found[key] = shown
    return found


def _print(every: list[GameStatistics]) -> None:
    for one in every:
        _print_kind(one)
    if not every:
        console.warn("There are no games to count.")


def _print_kind(one: GameStatistics) -> None:
    told = one.to_data()
    console.title(f"{one.kind}: {', '.join(f'{n} {status}' for status, n in one.status.items())}")
    for what in ("days", "letters"):
        if told[what]:
            click.echo("{} a game: {least} to {most}, half of them up to {median}".format(what, **told[what]))
    held = [(one.names.get(id, id), wins) for id, wins in one.held.items()]
    tables = {"player": one.people.items(), "place from the start player": sorted(one.seats.items()), "character": held}
    for title, found in tables.items():
        if found:
            click.echo()
            rows = [(name, wins.games, wins.wins, f"{100 * wins.rate:.0f} %") for name, wins in found]
            console.print_table((title, "games", "wins", "rate"), rows)
    if one.answers:
        click.echo()
        waits = [
            (name, len(who.hours), spread(who.hours).get("median", ""), who.reminders, who.defaults)
            for name, who in one.answers.items()
        ]
        console.print_table(("player", "answers", "hours, half of them", "reminders", "defaults"), waits)
    if one.cards:
        click.echo()
        console.print_table(("card", "orders"), one.cards.most_common())
