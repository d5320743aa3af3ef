"""Standing orders said as a sentence, and orders that follow on each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from .mailed import Reader, table

EARLY, LATE = "twenty-fifth: an early turn", "twenty-fifth: a late turn for two"
BLACK = "twenty-fifth: black dice"


def _made(folder: Path, mail: str, written: str, language: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = Reader(table(folder, mail, language)).read(written)
    return found.orders, found.choices


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("Toujours passer pour moi quand je n'ai plus de dé", "auto: pass when I have no die, every round"),
        ("Always counter for me", "auto: counter, every round"),
    ],
)  # fmt: skip
def test_standing_order_said_as_a_sentence_is_kept(tmp_path: Path, written: str, order: str) -> None:
    assert _made(tmp_path, EARLY, written)[0] == (order,)


def test_choices_have_the_words_of_orders(tmp_path: Path) -> None:
    """Not those that were typed, in their reader's language."""
    _, choices = _made(tmp_path, EARLY, "Recruit two citizens please\nI'd like the Marauding gone")
    assert choices[0] == "recruit 2" and choices[-1].startswith("recruit 2\nfight marauding with ")
    _, choices = _made(tmp_path / "fr", EARLY, "Recruite deux citoyen\ncombat le maraudage avec geoffrey:B6", "fr")
    assert choices[0] == "recruter 2\ncombattre maraudage avec geoffrey:B6"


@pytest.mark.parametrize(
    ("mail", "written", "orders"),
    [
        (EARLY, "recruit 1\nThen Geoffrey's white 6 goes to the Marauding",
         ("recruit 1", "fight marauding with geoffrey:W6")),
        (EARLY, "flip W1 and Y2 / farm with gray Y5", ("flip W1 Y2", "farm gray:Y5")),
        (LATE, "recruter 1 / cultiver J3", ("recruit 1", "farm Y3")),
    ],
)  # fmt: skip
def test_two_orders_are_played(tmp_path: Path, mail: str, written: str, orders: tuple[str, ...]) -> None:
    assert _made(tmp_path, mail, written)[0] == orders


def test_two_orders_of_which_the_first_shows_or_ends_are_asked_back(tmp_path: Path) -> None:
    """The pair stands first; what ends the turn stands alone."""
    shows = _made(tmp_path / "shows", BLACK, "Relancer B2 / contrer 3 avec J3")
    assert shows == ((), ("reroll W2\ncounter 3 with Y3", "reroll W2"))
    ends = _made(tmp_path / "ends", LATE, "Farm with the yellow three; then build with the white four")
    assert ends == ((), ("farm Y3",))
