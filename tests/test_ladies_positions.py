"""What the rule positions of The Ladies of Troyes cover between them, by name (`test_positions` judges them)."""

from __future__ import annotations

import pytest

from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.phases.game_flow import ANSWERS
from tests.positions import REFUSED, of_game

BY_ID = of_game("ladies")

EXAMPLES = (
    "lumberjack-example-places-four",
    "lumberjack-example-sells-six",
    "viticulturist-example",
    "hermit-example-six-cubes",
    "guard-example-faye",
)
"""The worked examples of the rulebook."""

INTERACTIONS = {
    "outdoor cube and delayed cube in one action": "outdoor-and-delayed-cube-in-one-action",
    "exchange before pricing": "exchange-before-pricing",
    "flip of a bought die": "turnover-of-a-bought-die",
    "reroll tile with the purple die and its 2 deniers": "purple-die-again-for-two-deniers",
    "moving a cube from the extra-cube tile to Breeder": "extra-cube-to-breeder",
    "Augustine with a price of 4": "augustine-price-of-four",
    "Augustine with a price of 6": "augustine-price-of-six",
    "Chief Templar beside a second die of the same district": "chief-templar-second-die-of-a-district",
    "Support on Possession": "support-on-possession",
    "Uprising with citizens already lying": "uprising-with-citizens-already-lying",
    "fourth floor with Interrupted Work": "interrupted-work-takes-the-fourth-level-first",
    "Chief Outlaw with level I red cards": "chief-outlaw-no-chivalry",
    "purple die for the cathedral through Prior": "purple-die-builds-through-prior",
    "Executioner against zero influence": "executioner-against-zero-influence",
    "guard passing two gates in one action": "guard-passes-two-gates",
}
"""What is easy to get wrong."""

TILES = {
    "gain_influence_when_bought": ("dice-market-reacts", "dice-market-free-dice-are-not-bought"),
    "gain_deniers_when_activated": ("shared-trade-reacts", "shared-trade-not-there"),
    "influence_on_placement": ("welcome-on-placement", "welcome-not-for-farming"),
    "deniers_on_agriculture": ("harvest-five-more", "harvest-needs-a-cube"),
    "exchange_dice": ("exchange-with-each-opponent", "exchange-once-with-each"),
    "flip_bought_die": ("turnover-of-a-bought-die", "turnover-own-die"),
    "protection": ("protection-from-drought", "protection-not-spent-on-nothing"),
    "extra_delayed_cube": ("extra-cube-with-a-mixed-card", "extra-cube-not-with-an-immediate-card"),
    "reroll_yellow": ("yellow-die-before-the-action", "yellow-die-none-in-supply"),
    "reroll_white": ("white-die-before-the-action", "white-die-none-in-supply"),
    "reroll_red": ("red-die-before-the-action", "red-die-none-in-supply"),
    "reroll_purple": ("purple-die-again-for-two-deniers", "purple-die-never-two"),
    "vp_on_cube": ("renown-on-the-cathedral", "renown-no-cube-placed"),
    "gate_3vp_cube_1vp": ("gatehouse-on-arrival", "gatehouse-one-short"),
    "majority": ("majority-eight-four-two", "majority-tied-beyond-the-prizes"),
    "arrival_race": ("race-first-six", "race-takes-no-cubes"),
}
"""Each of the sixteen faces: a position in which it works, and one in which it does not."""

RULINGS = (
    *("A11", "A23", "A24", "A25", "A26", "A32", "A33", "A34", "A35", "A37", "A38", "A39", "A50", "A51", "A52", "A53"),
    *("A54", "A69", "A72", "A73", "A3", "A4", "A5", "A6", "A15", "A17", "A22", "A29", "A65", "A66"),
    *("D2", "D3", "D11", "D13", "D14", "D15", "D16", "D19"),
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_rulebooks_examples_are_there_by_name(name: str) -> None:
    assert "example" in BY_ID[name]["title"]


@pytest.mark.parametrize("what", INTERACTIONS)
def test_what_is_easy_to_get_wrong_has_a_position(what: str) -> None:
    assert BY_ID[INTERACTIONS[what]]["expected"]["result"] in ("ok", "asks", "illegal")


@pytest.mark.parametrize("tile", list(load_box().outdoor))
def test_tile_face_fires_and_does_not_fire(tile: str) -> None:
    fires, does_not = TILES[tile]
    assert tile.replace("_", "-") in repr(BY_ID[fires])
    assert tile.replace("_", "-") in repr(BY_ID[does_not])


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
