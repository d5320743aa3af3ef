"""What the rule positions of the solo game cover between them, by name (`test_positions` judges them)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.game import find_game
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.solo.solo_result import RESULT_BANDS
from tests.positions import TABLES, of_game

BY_ID = of_game("solo")

ROWS = {
    2: ("solo-roll-two", "solo-pair-for-three-points", "solo-pair-without-dice-to-buy", "solo-pair-short-of-dice"),
    3: ("solo-roll-three", "solo-he-buys-after-a-pass"),
    4: ("solo-roll-four", "solo-worker-follows-the-value", "solo-worker-expels-whenever-he-can"),
    5: ("solo-roll-five", "solo-event-marauding-alone"),
    6: ("solo-roll-six", "solo-tradesman-cheapest", "solo-tradesman-red-first", "solo-tradesman-yellow-before-white"),
    7: ("solo-roll-seven", "solo-cathedral-next-level", "solo-cathedral-one-space", "solo-cathedral-full"),
    8: ("solo-roll-eight", "solo-character-blind-to-le-roy", "solo-character-none-left"),
    9: ("solo-roll-nine", "solo-event-tied"),
    10: ("solo-roll-ten", "solo-worker-to-the-bishopric"),
    11: ("solo-roll-eleven", "solo-deal-without-dice-to-buy"),
    12: ("solo-roll-twelve",),
}
"""Each row of the action table, its notes among them: the position that plays it first, then what it may come to."""

CHANGED = {
    "tax-collector": "solo-tax-collector",
    "tithe": "solo-tithe-three-dice",
    "traveling-builders": "solo-traveling-builders",
    "banquet": "solo-banquet-ignores-his-dice",
}
"""The modified cards of the rulebook."""

RULINGS = ("D6", "D7", "D25", "A6", "A40", *(f"A{n}" for n in range(55, 65)))


def test_one_player_sits_at_a_solo_table() -> None:
    assert {1} == {scenario["players"] for scenario in BY_ID.values()}


@pytest.mark.parametrize("total", range(2, 13))
def test_row_of_the_table_has_positions(total: int) -> None:
    """Each is played by a roll of that total, or by one whose action is the same."""
    actions = load_box().solo.actions
    first, *others = ROWS[total]
    assert total == sum(BY_ID[first]["scripted"]["le_roy_action"])
    for name in others:
        assert actions[total - 2] == actions[sum(BY_ID[name]["scripted"]["le_roy_action"]) - 2], name


@pytest.mark.parametrize("card", sorted(CHANGED))
def test_changed_card_has_a_position(card: str) -> None:
    assert card in repr(BY_ID[CHANGED[card]])


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
