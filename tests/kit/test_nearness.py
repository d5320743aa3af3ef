"""Orders nearest to a line: slips are put right, the likest orders are tried, and all work is bounded."""

from __future__ import annotations

import pytest

from engine.kit.suggest import JUDGED, RIVAL, correct_spelling, rank_legal

WORDS = frozenset(("build", "farm", "palace", "y5", "y4", "with"))


def test_a_word_that_means_nothing_becomes_the_one_that_it_is_a_slip_of() -> None:
    def known(word: str) -> bool:
        return word in WORDS

    assert "build with the palace" == correct_spelling("biuld with the pallace", known, lambda: WORDS)
    assert "xyzzy with y5" == correct_spelling("xyzzy with y5", known, lambda: WORDS)
    assert "build" == correct_spelling("build", known, lambda: pytest.fail("no word is wrong"))


def test_the_likest_that_are_legal_come_first_and_none_that_is_not_like() -> None:
    likes = {"farm y5": 3.0, "farm y4": 3.0, "build": 5.0, "pass": 0.0, "flip": -1.0, "place": 3.0 * RIVAL}
    found = list(rank_legal(likes, likes.__getitem__, lambda order: order != "build"))
    assert ["farm y5", "farm y4"] == found, "«build» is illegal, «place» too little beside the best, «pass» nothing"
    assert ["build"] == list(rank_legal(["build", "place"], likes.__getitem__, lambda order: True))


def test_few_are_tried() -> None:
    """However many orders there are."""
    tried: list[int] = []
    assert [] == list(rank_legal(range(10**4), lambda order: 1.0 + order, lambda order: bool(tried.append(order))))
    assert JUDGED == len(tried)
