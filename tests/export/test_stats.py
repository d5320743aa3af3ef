"""Figures of a host: only games that are over count for wins and cards."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.export.game_statistics import GameStatistics, add_game, spread
from pbem.export.plots import NoPlots, plot
from tests.cli.conftest import Host
from tests.cli.conftest import host as host_fixture
from tests.export.tables import sample, table

host = host_fixture
PEOPLE = {"anna": "anna@people.test", "faye": "faye@people.test", "geoffrey": "g@people.test", "emily": "e@people.test"}


def counted(games: int) -> GameStatistics:
    figures = GameStatistics("troyes")
    for number in range(games):
        add_game(figures, sample("troyes", number), PEOPLE)
    return figures


def test_wins_are_counted_by_person_place_and_character() -> None:
    """Against the results themselves."""
    figures, wins, dealt = counted(3), 0, set()
    for number in range(3):
        source = sample("troyes", number)
        result = source.game.result(source.state())
        wins += len(result.winners)
        dealt |= {id for held in source.stored.hidden["characters"].values() for id in held}
    assert 2 + 3 + 4 == sum(one.games for one in figures.people.values())
    assert 2 + 3 + 4 == sum(one.games for one in figures.seats.values())
    assert wins == sum(one.wins for one in figures.people.values()) == sum(one.wins for one in figures.seats.values())
    assert dealt == set(figures.held)
    assert {"1", "2", "3", "4"} == set(figures.seats)
    assert 3 == len(figures.days)


def test_cards_are_counted_once_for_each_order_that_names_them() -> None:
    figures = counted(1)
    orders = [order for record in sample("troyes", 0).records for order in record.private.get("orders", ())]
    named = [order for order in orders if "marauding" in order.replace(":", "").replace(",", "").split()]
    assert len(named) == figures.cards["Marauding"]


def test_a_game_that_goes_on_is_not_looked_into() -> None:
    figures = GameStatistics("troyes")
    add_game(figures, table("troyes", 3, 8, stop=30), PEOPLE)
    assert GameStatistics("troyes") == figures


def test_a_spread_of_nothing_is_nothing() -> None:
    assert {} == spread([])
    assert {"least": 1, "median": 2, "most": 9} == spread([9, 1, 2])


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_figures_are_drawn(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"figures.{ending}"
    plot(counted(3), path)
    assert path.read_bytes()[:5] == (b"\x89PNG\r" if ending == "png" else b"<?xml")
    assert path.stat().st_size > 10_000


def test_without_matplotlib_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    true_import = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return true_import(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(NoPlots, match=r"pip install 'troyes-by-mail\[plots\]'"):
        plot(counted(1), tmp_path / "x.png")


def test_the_command_counts_a_host(host: Host) -> None:
    """A running game is counted as one, and no more is told of it; nothing to draw is a sentence."""
    host.read("new", "troyes", "--seat", "Anna", "--seat", "Faye", "--now")
    told = json.loads(host.run("stats", "--json").stdout)
    assert [("troyes", {"running": 1}, {})] == [(one["kind"], one["games"], one["people"]) for one in told]
    refused = host.run("stats", "--plot", str(host.folder / "x.svg"))
    assert (3, True) == (refused.exit_code, "nothing to draw" in refused.stderr)
    assert 2 == host.run("stats", "--plot", str(host.folder / "x.pdf")).exit_code
