"""What stands before a colon, what a standing order waits for, and what is done otherwise."""

from __future__ import annotations

import pytest

from pbem.reading.evidence import Head, alternatives, conditions
from pbem.reading.wants import Sentence


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
