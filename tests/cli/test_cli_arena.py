"""`pbem arena` and the levels of `pbem new` and `pbem demo`, as they are typed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pbem.cli import main
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
    "words",
    [
        ("--levels", "grandmaster,novice"),
        ("--levels", "novice:0,novice"),
        ("--levels", "novice,novice", "--games", "0"),
        ("--levels", "novice,novice", "--workers", "0"),
        ("--levels", ",".join(["novice"] * 5), "--game", "troyes"),
        ("--levels", "novice", "--game", "chess"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["arena", *words])
    assert 2 == result.exit_code, result.output
    assert "{" not in result.output
    assert "Traceback" not in result.output


def test_a_seat_of_a_new_table_may_be_a_computers(host: Host) -> None:
    """A person's may not, and a level must be one."""
    found = host.read("new", "troyes", "--seat", "Anna", "--seat", "Deck=computer:novice", "--now")
    assert {"deck": "novice"} == found["computers"]
    assert "Deck (level novice)" in host.run("show", found["game"]).stdout
    assert 1 == host.run("new", "troyes", "--seat", "Anna", "--seat", "Deck=computer:best").exit_code
    person = "Faye <faye@x.test>=computer:novice"
    assert 1 == host.run("new", "troyes", "--seat", "Anna", "--seat", person).exit_code


def test_an_unknown_level_of_a_demo_is_refused() -> None:
    result = CliRunner().invoke(main, ["demo", "--level", "grandmaster"])
    assert 1 == result.exit_code
    assert "novice, steady" in result.output
