"""`pbem stats`: what a host's games add up to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import paper
from pbem.cli.outcome import TROUBLE, USAGE, Call, CommandEnd, json_option, print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.export.figures import Figures, Wins

ENDINGS = (".png", ".svg")


@click.command("stats")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the figures to a .png or .svg file.")
@click.option("--game", "kind", help="Only this kind of game; needed for --plot where there are several.")
@json_option
@click.pass_obj
def command(call: Call, plot: Path | None, kind: str | None, as_json: bool) -> None:
    """Count games, people, wins and cards.

    Wins and cards are those of games that are over; a win is counted to each who shares it.
    """
    if plot is not None and plot.suffix.lower() not in ENDINGS:
        raise CommandEnd(f"{plot} ends in neither .png nor .svg", USAGE, as_json)
    every = _counted(call, kind)
    if plot is not None:
        from pbem.export.plots import NoPlots
        from pbem.export.plots import plot as draw

        if len(every) != 1:
            kinds = ", ".join(one.kind for one in every) or "none"
            raise CommandEnd(f"one kind of game is drawn at a time; name it with --game: {kinds}", USAGE, as_json)
        try:
            draw(every[0], plot)
        except NoPlots as odd:
            raise CommandEnd(str(odd), TROUBLE, as_json) from None
    if as_json:
        print_json([one.to_data() for one in every])
        return
    for one in every:
        _print(one)
    if not every:
        paper.warn("There are no games to count.")


def _counted(call: Call, kind: str | None) -> list[Figures]:
    from engine.errors import PositionError
    from pbem.export.figures import Figures, count
    from pbem.export.source import read
    from pbem.host.people import People
    from pbem.store.stored import Stored
    from pbem.store.table import Status
    from pbem.store.trouble import StoreError

    store, people = call.store(), People(call.config().mail)
    found: dict[str, Figures] = {}
    names: dict[str, str] = {}
    for name in store.names():
        repo = store.open(name)
        try:
            table = Stored.read_public(repo).table
            if kind and table.kind != kind:
                continue
            figures = found.setdefault(table.kind, Figures(table.kind))
            figures.status[str(table.status)] += 1
            if table.status is Status.ENDED:
                # One person is one address, whatever name was given at each table; only names are told.
                known = {str(one.seat): one.addresses[0] for one in people.holders(name) if one.addresses}
                who = {row.seat: known.get(row.seat, row.name) for row in table.seats}
                names |= {who[row.seat]: row.name for row in table.seats}
                count(figures, read(repo), who)
        except (PositionError, StoreError, LookupError) as odd:
            paper.warn(f"{name} is left out: {odd}")
    for figures in found.values():
        figures.people = _named(figures.people, names)
    return list(found.values())


def _named(people: Mapping[str, Wins], names: Mapping[str, str]) -> dict[str, Wins]:
    """The same by name; a number tells two people of one name apart."""
    found: dict[str, Wins] = {}
    for key, wins in people.items():
        shown, n = names[key], 2
        while shown in found:
            shown, n = f"{names[key]} ({n})", n + 1
        found[shown] = wins
    return found


def _print(one: Figures) -> None:
    told = one.to_data()
    paper.title(f"{one.kind}: {', '.join(f'{n} {status}' for status, n in one.status.items())}")
    for what in ("days", "letters"):
        if one_spread := told[what]:
            least, median, most = (one_spread[key] for key in ("least", "median", "most"))
            click.echo(f"{what} a game: {least} to {most}, half of them up to {median}")
    for title, rows, names in (
        ("player", one.people, {}),
        ("place from the start player", dict(sorted(one.seats.items())), {}),
        ("character", one.held, one.names),
    ):
        if rows:
            click.echo()
            cells = ((names.get(key, key), wins) for key, wins in rows.items())
            told_rows = [(name, str(wins.games), str(wins.wins), f"{100 * wins.rate:.0f} %") for name, wins in cells]
            paper.print_table((title, "games", "wins", "rate"), told_rows)
    if one.cards:
        click.echo()
        paper.print_table(("card", "orders"), [(name, str(n)) for name, n in one.cards.most_common()])
