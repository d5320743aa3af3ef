"""What the rule positions of The Ladies of Troyes cover between them, by name (`test_positions` judges them)."""

from __future__ import annotations

import pytest

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

RULINGS = (
    *("A11", "A23", "A24", "A25", "A26", "A32", "A33", "A34", "A35", "A37", "A38", "A39", "A50", "A51", "A52", "A53"),
    *("A54", "A69", "A72", "A73", "A3", "A4", "A5", "A6", "A15", "A17", "A22", "A29", "A65", "A66"),
    *("D2", "D3", "D11", "D13", "D14", "D15", "D16", "D19"),
)


@pytest.mark.parametrize("name", NAMED)
def test_what_is_easy_to_get_wrong_has_a_position(name: str) -> None:
    assert BY_ID[name]["expected"]["result"] in ("ok", "asks", "illegal")


@pytest.mark.parametrize("card", [id for id, card in load_box().activities.items() if card.set == "ladies"])
def test_ladies_activity_works_and_has_its_boundary(card: str) -> None:
    """All 27: a position with an effect, and one that is refused."""
    word = card.replace("_", "-")
    mine = [scenario for name, scenario in BY_ID.items() if name.startswith(word)]
    worked = [s for s in mine if s["expected"]["result"] == "ok" and (s["expected"].get("delta") or "after" in s["expected"])]
    refused = [s for s in mine if s["expected"]["result"] in REFUSED]
    assert len(worked) + sum("scores" in s["expected"] for s in mine) >= 1, card
    assert refused, card


@pytest.mark.parametrize(
    ("event", "beginning"),
    [
        ("wolves", "wolves"),
        ("harsh-winter", "harsh-winter"),
        ("chief-outlaw", "chief-outlaw"),
        ("uprising", "uprising"),
        ("monk", "monk-event"),
        ("possession", "possession"),
    ],
)
def test_ladies_event_takes_effect_and_is_countered(event: str, beginning: str) -> None:
    lines = [line for scenario in BY_ID.values() for line in scenario["action"]]
    # Chief Outlaw does nothing in the queue: he works when black dice are rolled.
    assert event == "chief-outlaw" or f"system> resolve {event}" in lines
    assert any(line.startswith(f"fight {event} ") for line in lines)
    assert len([name for name in BY_ID if beginning in name]) >= 2


@pytest.mark.parametrize("tile", list(load_box().outdoor))
def test_tile_face_fires_and_does_not_fire(tile: str) -> None:
    mine = [scenario["expected"] for scenario in BY_ID.values() if tile.replace("_", "-") in repr(scenario)]
    assert len(mine) >= 2 and any(expected["result"] in ("ok", "asks") for expected in mine)


@pytest.mark.parametrize("character", [id for id, card in load_box().characters.items() if card.set == "ladies"])
def test_lady_is_seen_at_every_step(character: str) -> None:
    word = character.replace("_", "-")
    reached = {
        parts[word]
        for scenario in BY_ID.values()
        for parts in scenario["expected"].get("scores", {}).values()
        if word in parts
    }
    assert {0, 1, 3, 6} == reached


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
