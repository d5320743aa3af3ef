"""A card's numbers stand once, in its row. That they are right is held by rule positions: a number that was one more or
one less, where it may be that at all, would change what a position expects."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import find_game
from engine.kit.card_data import WrongValue
from engine.troyes.card_data.fields import card_fields
from engine.troyes.card_data.troyes_box import load_box
from tests.positions import TABLES

SCENARIOS = [(scenario, file["defaults"]) for file in TABLES.values() for scenario in file["scenario"]]
CARDS = load_box().activities
GAME = find_game("troyes")


@pytest.mark.parametrize(("card", "number"), [(card.id, number) for card in CARDS.values() for number in card.numbers])
def test_a_position_holds_every_number_of_an_effect(card: str, number: str) -> None:
    """Appendix of the rulebooks."""
    naming = [(scenario, usual) for scenario, usual in SCENARIOS if names(scenario, card)]
    others = [value for by in (1, -1) if may_be(card, number, value := CARDS[card].numbers[number] + by)]
    assert others
    for value in others:
        assert any(fails(scenario, usual, card, number, value) for scenario, usual in naming), value


def names(scenario: dict[str, Any], card: str) -> bool:
    """Whether a position is about the card."""
    text = repr(scenario)
    return card in text or card.replace("_", "-") in text


def may_be(card: str, number: str, value: int) -> bool:
    """Whether a correction may give the card this number."""
    try:
        card_fields("activity", card)[number].read(value)
    except WrongValue:
        return False
    return True


def fails(scenario: dict[str, Any], usual: dict[str, Any], card: str, number: str, value: int) -> bool:
    """Whether the position does not pass any more with another number on the card."""
    corrections = {**scenario.get("facts", usual.get("facts", {}))}
    activities = {**corrections.get("activity", {})}
    corrections["activity"] = {**activities, card: {**activities.get(card, {}), number: value}}
    return GAME.reference.rule_test({**scenario, "facts": corrections}, usual).outcome == "fail"
