"""`pbem arena` and the levels of `pbem new`, as they are typed."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from engine.game import find_game
from pbem import tournament
from pbem.cli import main
from pbem.tournament import Contest, NoCluster, SeatScore, connect_cluster, play_contest, play_on_cluster
from tests.cli.conftest import Host


def test_the_arena_counts_in_seat_order_before_rotation() -> None:
    """The JSON is what tables of results are made from."""
    words = ("arena", "--game", "troyes-dice", "--levels", "first,random", "--games", "2", "--seed", "4", "--workers", "1")
    result = CliRunner().invoke(main, [*words, "--json"])
    assert 0 == result.exit_code, result.output
    found = json.loads(result.stdout)
    assert (2, 4) == (found["games"], found["seed"])
    assert ["first", "random"] == [row["level"] for row in found["levels"]]
    for row in found["levels"]:
        assert {"level", "wins", "low", "high", "mean", "margin", "seconds_per_decision"} == set(row)
        assert 0 <= row["low"] <= row["wins"] <= row["high"] <= 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--levels", "grandmaster,novice"), "No level is called «grandmaster»; there are: first, random, novice"),
        (("--levels", "novice,,novice"), "No level is called «»"),
        (("--levels", "strong:0,novice"), "0»"),
        (("--levels", "novice,novice", "--games", "0"), "0 is not in the range x>=1"),
        (("--levels", "novice,novice", "--workers", "0"), "0 is not in the range x>=1"),
        (("--levels", "novice,novice", "--workers", "2", "--scheduler", "tcp://127.0.0.1:9"), "none plays here"),
        (("--levels", ",".join(["novice"] * 5), "--game", "troyes"), "1 to 4 players"),
        (("--levels", "novice", "--game", "chess"), "no game is called 'chess'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: tuple[str, ...], says: str) -> None:
    """Before a game is played: what was read, and what there is."""
    result = CliRunner().invoke(main, ["arena", *words])
    assert 2 == result.exit_code, result.output
    assert says in result.output
    assert "{" not in result.output
    assert "Traceback" not in result.output


SHORT = Contest("troyes-dice", find_game("troyes-dice").settle_options(1, {}), ("novice",), 2, 7)


def untimed(games: Iterator[tuple[SeatScore, ...]]) -> list[list[SeatScore]]:
    return [[replace(part, seconds=0.0) for part in game] for game in games]


def test_a_cluster_plays_the_same_games() -> None:
    """The same results for the same seeds, whoever plays."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None) as local,
        connect_cluster(local.scheduler_address) as client,
    ):
        assert untimed(play_contest(SHORT, 1)) == untimed(play_on_cluster(SHORT, client))


class Workers:
    """A client of a cluster, as much of one as is asked."""

    def __init__(self, answers: Callable[[], dict[str, str]]) -> None:
        self.answers = answers

    def __call__(self, address: str, **settings: Any) -> Workers:
        return self

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *odd: object) -> None:
        pass

    def run(self, what: Callable[[], str]) -> dict[str, str]:
        return self.answers()


def not_installed() -> dict[str, str]:
    raise ModuleNotFoundError("No module named 'pbem'")


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (dict, "has no workers"),
        (lambda: {"a": tournament.program_hash(), "b": "0123"}, "another version of this program"),
        (not_installed, "No module named 'pbem'"),
    ],
)
def test_workers_that_would_play_otherwise_are_refused(
    answers: Callable[[], dict[str, str]], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", type(sys)("distributed"))
    monkeypatch.setattr(sys.modules["distributed"], "Client", Workers(answers), raising=False)
    with listening(b"?") as address, pytest.raises(NoCluster, match=says), connect_cluster(address):
        raise AssertionError("a game would be played")


@contextmanager
def listening(greeting: bytes) -> Iterator[str]:
    """A door on this machine that says one thing to the first who knocks."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        knocking = socket.create_connection
        port = door.getsockname()[1]

        def knock(*words: Any) -> socket.socket:
            caller = knocking(*words)
            heard, _ = door.accept()
            heard.sendall(greeting)
            heard.close()
            return caller

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tournament, "create_connection", knock)
            yield f"tcp://127.0.0.1:{port}"


@pytest.mark.parametrize("address", ["", " ", "nonsense", "tcp://127.0.0.1:99999"])
def test_a_scheduler_that_is_not_there_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way to one, and at once; the first address is one where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        free = f"tcp://127.0.0.1:{door.getsockname()[1]}"
    monkeypatch.setitem(sys.modules, "distributed", type(sys)("distributed"))
    monkeypatch.setattr(sys.modules["distributed"], "Client", None, raising=False)
    result = CliRunner().invoke(main, ["arena", "--levels", "novice,novice", "--scheduler", address or free])
    assert 3 == result.exit_code, result.output
    assert "no Dask scheduler answers" in result.output
    assert "dask scheduler" in result.output


def test_something_else_that_listens_is_no_scheduler() -> None:
    with listening(b"") as address, pytest.raises(NoCluster, match="something else listens"), connect_cluster(address):
        raise AssertionError("a game would be played")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = CliRunner().invoke(main, ["arena", "--levels", "novice,novice", "--scheduler", "tcp://127.0.0.1:9"])
    assert 3 == result.exit_code
    assert "troyes-by-mail[arena]" in result.output


def test_a_seat_of_a_new_table_may_be_a_computers(host: Host) -> None:
    """A person's may not, and a level must be one."""
    found = host.read("new", "troyes", "--seat", "Anna", "--seat", "Deck=computer:novice", "--now")
    assert {"deck": "novice"} == found["computers"]
    assert "Deck (level novice)" in host.run("show", found["game"]).stdout
    assert 1 == host.run("new", "troyes", "--seat", "Anna", "--seat", "Deck=computer:best").exit_code
    person = "Faye <faye@x.test>=computer:novice"
    assert 1 == host.run("new", "troyes", "--seat", "Anna", "--seat", person).exit_code
