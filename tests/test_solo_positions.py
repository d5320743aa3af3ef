"""What the rule positions of the solo game cover between them, by name (`test_positions` judges them)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.game import find_game
from engine.troyes.solo.solo_result import RESULT_BANDS
from tests.positions import TABLES, of_game

BY_ID = of_game("solo")

CHANGED = ("tax-collector", "tithe", "traveling-builders", "banquet")
"""The modified cards of the rulebook."""

RULINGS = ("D6", "D7", "D25", "A6", "A40", *(f"A{n}" for n in range(55, 65)))


def test_one_player_sits_at_a_solo_table() -> None:
    assert {1} == {scenario["players"] for scenario in BY_ID.values()}


@pytest.mark.parametrize("total", range(2, 13))
def test_row_of_the_table_has_a_position(total: int) -> None:
    """Each is played by a roll of that total."""
    assert any(sum(one.get("scripted", {}).get("le_roy_action", ())) == total for one in BY_ID.values())


@pytest.mark.parametrize("card", CHANGED)
def test_changed_card_has_a_position(card: str) -> None:
    assert any(card in repr(one) for one in BY_ID.values())


@pytest.mark.parametrize("ruling", RULINGS)
def test_solo_ruling_has_a_position(ruling: str) -> None:
    assert any(scenario.get("rule") == ruling for scenario in BY_ID.values())


def test_every_verdict_has_positions_at_both_its_ends() -> None:
    """D7: 0, 5, 10, 15 and 20 are the last of their bands."""
    reached = Counter(scenario["expected"].get("verdict") for scenario in BY_ID.values())
    assert all(reached[word] >= 2 for _, word, _ in RESULT_BANDS)


def test_a_position_that_is_wrong_fails() -> None:
    """The judge looks at le Roy too."""
    wrong = {**BY_ID["solo-roll-seven"], "expected": {"result": "ok", "delta": {"le_roy": {"vp": 3}}}}
    verdict = find_game("troyes").reference.rule_test(wrong, TABLES["solo_actions"]["defaults"])
    assert ("fail", ("delta.le_roy.vp: +3 expected, +2 found",)) == (verdict.outcome, verdict.differences)
    ended = {**BY_ID["solo-difference-5"], "expected": {"result": "ok", "verdict": "middling"}}
    assert "fail" == find_game("troyes").reference.rule_test(ended, TABLES["solo_scoring"]["defaults"]).outcome
