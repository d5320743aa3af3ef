"""What the rule positions of The Ladies of Troyes cover between them, by name (`test_positions` judges them)."""

from __future__ import annotations

import pytest

from engine.kit.words import kebab
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.phases.game_flow import ANSWERS
from tests.positions import REFUSED, of_game

BY_ID = of_game("ladies")

NAMED = (
    "lumberjack-example-places-four",
    "lumberjack-example-sells-six",
    "viticulturist-example",
    "hermit-example-six-cubes",
    "guard-example-faye",
    "outdoor-and-delayed-cube-in-one-action",
    "exchange-before-pricing",
    "turnover-of-a-bought-die",
    "purple-die-again-for-two-deniers",
    "extra-cube-to-breeder",
    "augustine-price-of-four",
    "augustine-price-of-six",
    "chief-templar-second-die-of-a-district",
    "support-on-possession",
    "uprising-with-citizens-already-lying",
    "interrupted-work-takes-the-fourth-level-first",
    "chief-outlaw-no-chivalry",
    "purple-die-builds-through-prior",
    "executioner-against-zero-influence",
    "guard-passes-two-gates",
)
"""The worked examples of the rulebook, and what is easy to get wrong."""

TILES = (
    *("dice-market-reacts", "dice-market-free-dice-are-not-bought", "shared-trade-reacts", "shared-trade-not-there"),
    *("welcome-on-placement", "welcome-not-for-farming", "harvest-five-more", "harvest-needs-a-cube"),
    *("exchange-with-each-opponent", "exchange-once-with-each", "turnover-of-a-bought-die", "turnover-own-die"),
    *("protection-from-drought", "protection-not-spent-on-nothing", "extra-cube-with-a-mixed-card"),
    *("extra-cube-not-with-an-immediate-card", "yellow-die-before-the-action", "yellow-die-none-in-supply"),
    *("white-die-before-the-action", "white-die-none-in-supply", "red-die-before-the-action"),
    *("red-die-none-in-supply", "purple-die-again-for-two-deniers", "purple-die-never-two"),
    *("renown-on-the-cathedral", "renown-no-cube-placed", "gatehouse-on-arrival", "gatehouse-one-short"),
    *("majority-eight-four-two", "majority-tied-beyond-the-prizes", "race-first-six", "race-takes-no-cubes"),
)
"""For each of the sixteen faces, in the order of the box, a position in which it works, and one in which it does not."""

RULINGS = (
    *("A11", "A23", "A24", "A25", "A26", "A32", "A33", "A34", "A35", "A37", "A38", "A39", "A50", "A51", "A52", "A53"),
    *("A54", "A69", "A72", "A73", "A3", "A4", "A5", "A6", "A15", "A17", "A22", "A29", "A65", "A66"),
    *("D2", "D3", "D11", "D13", "D14", "D15", "D16", "D19"),
)


@pytest.mark.parametrize("name", NAMED)
def test_what_is_easy_to_get_wrong_has_a_position(name: str) -> None:
    assert BY_ID[name]["expected"]["result"] in ("ok", "asks", "illegal")


@pytest.mark.parametrize(("tile", "fires", "does_not"), [*zip(load_box().outdoor, TILES[::2], TILES[1::2], strict=True)])
def test_tile_face_fires_and_does_not_fire(tile: str, fires: str, does_not: str) -> None:
    assert kebab(tile) in repr(BY_ID[fires]) and kebab(tile) in repr(BY_ID[does_not])
    assert BY_ID[fires]["expected"]["result"] in ("ok", "asks")
    assert BY_ID[fires]["expected"] != BY_ID[does_not]["expected"]


@pytest.mark.parametrize("ruling", RULINGS)
def test_ladies_ruling_has_a_position(ruling: str) -> None:
    """A ruling that no position names cannot be checked."""
    assert any(scenario.get("rule") == ruling for scenario in BY_ID.values())


def test_every_new_decision_is_waited_for_in_some_position() -> None:
    """What the game waits for next."""
    asked = {scenario["expected"]["asks"]["kind"] for scenario in BY_ID.values() if "asks" in scenario["expected"]}
    assert {"react", "give", "discard", "release", "turn", "target", "counter"} <= asked
    assert asked <= set(ANSWERS)


def test_refused_positions_expect_nothing_else() -> None:
    for name, scenario in BY_ID.items():
        if scenario["expected"]["result"] in REFUSED:
            assert {"result"} == set(scenario["expected"]), name
