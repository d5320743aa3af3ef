"""What speaks for what: each thing that people want has its words in both languages, and the heaviest is what is meant."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from pbem.desk import commands
from pbem.reading.evidence import ENOUGH, Head, alternatives, conditions, weighed
from pbem.reading.wants import Sentence

_ROWS: list[dict[str, Any]] = tomllib.loads(files("pbem.reading").joinpath("evidence.toml").read_text("utf-8"))["wish"]
_OF_GAMES = ("{}", "cancel {}")


def _heaviest(said: str) -> str:
    found = max(weighed(Sentence(said)), key=lambda one: one.weight, default=None)
    return found.line if found and found.weight >= ENOUGH else ""


@pytest.mark.parametrize("row", _ROWS, ids=[row["line"] for row in _ROWS])
def test_each_wish_has_words_in_both_languages(row: dict[str, Any]) -> None:
    """And is a command that there is, or an order that the games know."""
    assert {*row} <= {"line", "takes", "bare", "alone", "tells", "beside", "against"}
    assert {*row["alone"]} == {"en", "fr"}
    assert all(row["alone"].values())
    assert ("{}" in row["line"]) is bool(row.get("takes"))
    assert row["line"] in _OF_GAMES or commands.command_of(row["line"].replace("{}", "x")) or row["line"].split()[0] in (
        *("mail", "language", "again", "notes", "games"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Oops, wrong button, my last order was a mistake.", "undo"),
        ("J'ai cliqué trop vite, reprenez mon dernier ordre.", "undo"),
        ("We're in hospital all week, stop my clock.", "away {}"),
        ("Pas de réseau à la montagne, ne comptez pas ces jours-là.", "away {}"),
        ("Plus rien d'automatique, enlevez tout.", "cancel {}"),
        ("Je quitte la partie pour de bon.", "resign"),
        ("Who are we waiting for?", "status"),
        ("Une vue du plateau que je puisse montrer à mon frère ?", "board"),
        ("Il fait beau aujourd'hui.", ""),
        ("We had a lovely evening.", ""),
    ],
)
def test_the_heaviest_is_what_is_meant(said: str, line: str) -> None:
    assert _heaviest(said) == line


def test_what_speaks_against_it_counts() -> None:
    """A game of chess is none of ours."""
    weights = {one.line: one.weight for one in weighed(Sentence("annule mon coup aux échecs"))}
    assert weights.get("undo", 0.0) < ENOUGH <= max(one.weight for one in weighed(Sentence("annule mon coup")))


def test_a_word_counts_once() -> None:
    """«Reminders» said three times is one sign; a phrase takes its words with it."""
    once, thrice = (
        next(one.weight for one in weighed(Sentence(said)) if one.line == "remind {}") for said in ("nudge", "nudge nudge")
    )
    assert once < thrice <= 2 * once
    places = next(one.places for one in weighed(Sentence("a wrong button")) if one.line == "undo")
    assert places == {1, 2}


@pytest.mark.parametrize(
    ("head", "meaning"),
    [
        ("Message pour toute la table", "all"), ("A word to everybody", "all"), ("strictly between me and Faye", "apart"),
        ("Juste pour Faye", "one"), ("jot this down", "me"), ("à tous sauf Faye", "but"),
    ],
)  # fmt: skip
def test_a_head_says_whom_words_are_for(head: str, meaning: str) -> None:
    assert Head.of(head).says(meaning)
    assert not Head.of("Hier soir").says(meaning)


def test_when_a_standing_order_is_to_be_carried_out() -> None:
    assert conditions(Sentence("dès que je n'ai plus de dé, à toutes les manches").words) == (
        "when I have no die", "every round",
    )  # fmt: skip
    assert conditions(Sentence("pass now").words) == ()


@pytest.mark.parametrize(
    ("said", "ways"),
    [
        ("farm with the Y4, and if that no longer works, pass.", ["farm with the Y4", "pass"]),
        ("s'il y a un blanc à 5 ou plus, la cathédrale ; sinon du savoir, sans dépenser plus de 2.", ["blanc 5+, la cathédrale", "du savoir max 2"]),
        ("pass", ["pass"]),
    ],
)  # fmt: skip
def test_what_comes_in_place_of_what(said: str, ways: list[str]) -> None:
    """With its conditions as orders have them."""
    assert alternatives(said) == ways
