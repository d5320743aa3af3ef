"""Every rule position of Troyes Dice under tests/rulebook_dice passes, and together they cover the box."""

from __future__ import annotations

import copy
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.troyes_dice.card_data import load_box
from engine.troyes_dice.card_data.sheet import COLOURS, ROWS
from tests.dice.games import GAME

FOLDER = Path(__file__).parent.parent / "rulebook_dice"
FILES = ("examples", "halfday", "bonuses", "banquets")

GOLDEN = (
    "dice-example-laying-the-dice",
    "dice-example-modified-die",
    "dice-example-fortress-and-link",
    "dice-example-great-hall",
    "dice-example-third-cathedral",
    "dice-example-city-hall",
    "dice-example-attack-on-the-fourth-day",
    "dice-example-final-score",
)
"""Section 10 of the rulings; the ninth number is in test_wheel."""

RULINGS = (1, *range(3, 20), 21)
"""The rulings of section 9 that a position can show; A2 is a fact of the box, A20 and others are in test_wheel."""


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


CASES = [(table["defaults"], scenario) for name in FILES for table in (read(name),) for scenario in table["scenario"]]
BY_ID = {scenario["id"]: scenario for _, scenario in CASES}
PARAMS = [pytest.param(defaults, scenario, id=scenario["id"]) for defaults, scenario in CASES]


@pytest.mark.parametrize(("defaults", "scenario"), PARAMS)
def test_position(defaults: dict[str, Any], scenario: dict[str, Any]) -> None:
    """Each position passes; what differs is shown with both values."""
    expected = scenario["expected"]
    assert (len(expected) == 1) == (expected["result"] in ("illegal", "unclear", "unreadable")), "a refusal changes nothing"
    verdict = GAME.reference.rule_test(scenario, defaults)
    assert (scenario["id"], "pass") == (verdict.id, verdict.outcome), "\n".join(verdict.differences)


def test_every_file_of_the_folder_is_read() -> None:
    assert set(FILES) == {path.stem for path in FOLDER.glob("*.toml")}


def test_ids_are_unique_and_kebab_case() -> None:
    counted = Counter(scenario["id"] for _, scenario in CASES)
    assert [] == [name for name, times in counted.items() if times > 1]
    assert [] == [name for name in counted if name != name.lower() or not name.replace("-", "").isalnum()]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_number_has_its_position(name: str) -> None:
    """Rulings, section 10."""
    assert "ok" == BY_ID[name]["expected"]["result"]


@pytest.mark.parametrize("side", ["banquet", "raid"])
@pytest.mark.parametrize("tile", list(load_box().banquets))
def test_tile_side_has_a_position(tile: str, side: str) -> None:
    """Rulings, section 7: all eight tiles, both sides, each with a position that changes something."""
    shown = [
        scenario
        for _, scenario in CASES
        for laid in scenario.get("position", {}).get("tiles", {}).values()
        if (laid["id"], laid["side"]) == (tile, side)
    ]
    assert len(shown) >= 2
    assert any(scenario["expected"]["result"] == "ok" for scenario in shown)


@pytest.mark.parametrize("number", range(1, 9))
def test_expansion_ruling_has_a_position(number: int) -> None:
    assert any(scenario.get("rule") == f"E{number}" for _, scenario in CASES)


@pytest.mark.parametrize("number", RULINGS)
def test_ruling_has_a_position(number: int) -> None:
    """A11 … are named where a position rests on them; those that only say «settled» too."""
    assert any(scenario.get("rule") == f"A{number}" for _, scenario in CASES)


@pytest.mark.parametrize("link", load_box().links, ids=lambda link: link.id)
def test_link_has_a_position(link: Any) -> None:
    first, second = link.columns
    name = f"dice-link-{link.row.replace('_', '-')}-{first}-{second}"
    assert link.row in repr(BY_ID[name]["expected"]["delta"])


@pytest.mark.parametrize("row", ROWS)
def test_every_prestige_building_has_a_position_for_each_column(row: str) -> None:
    """What a work building brings does not depend on its column."""
    built = {
        column
        for _, scenario in CASES
        for changed in scenario["expected"].get("delta", {}).values()
        for column in changed.get("built", {}).get(row, [])
    }
    assert built == set(range(1, 7)) or (row in ("counts_palace", "city_hall", "bishopric") and len(built) >= 3)


@pytest.mark.parametrize("colour", COLOURS)
def test_track_bonuses_have_positions(colour: str) -> None:
    """Both buildings of the 15th, and the 20th."""
    for row in load_box().prestige[colour]:
        assert f"dice-fifteenth-{colour}-{row.replace('_', '-')}" in BY_ID
    assert f"dice-twentieth-{colour}" in BY_ID


def test_a_wrong_expectation_is_found() -> None:
    """The runner can fail: every compared part of a good position, made wrong, is reported."""
    wrong = {
        "dice-example-laying-the-dice": {"slots": [1, 3, "black 3", 6]},
        "dice-example-fortress-and-link": {"delta": {"anna": {"built": {"fortress": [1]}, "citizens": {"red": 1}}}},
        "dice-example-third-cathedral": {"after": {"multipliers": {"anna": {"fortress": 1}}}},
        "dice-example-attack-on-the-fourth-day": {"after": {"lost": {"anna": ["bishopric 3"]}}},
        "dice-example-final-score": {"scores": {"anna": {"total": 53}}},
        "dice-plaza-turns-over": {"after": {"plazas": ["red", "red", "yellow", "white"]}},
        "dice-tie-is-shared": {"winner": "anna"},
        "dice-column-6-asks": {"asks": {"seat": "anna", "kind": "bonus", "choices": ["city-hall 4"]}},
        "banquet-turns-with-its-plaza": {"after": {"tiles": {"1": {"id": "price", "side": "banquet"}}}},
    }
    for defaults, scenario in CASES:
        if scenario["id"] in wrong:
            spoilt = {**scenario, "expected": {**scenario["expected"], **wrong[scenario["id"]]}}
            verdict = GAME.reference.rule_test(spoilt, defaults)
            assert ("fail", True) == (verdict.outcome, bool(verdict.differences)), scenario["id"]


def test_another_game_is_unsupported() -> None:
    verdict = GAME.reference.rule_test({"id": "x", "game": "base", "expected": {"result": "ok"}}, {})
    assert "unsupported" == verdict.outcome


@pytest.mark.parametrize(
    ("path", "value", "near"),
    [
        ("positions", {}, "position"),
        ("position.sheets", {}, "sheet"),
        ("position.sheet.ana", {}, "anna"),
        ("position.roll.cleer", [1], "clear"),
        ("expected.slot", [1], "slots"),
        ("expected.delta.ann", {}, "anna"),
        ("expected.after.lots", {}, "lost"),
        ("scripted.dise", [1], "dice"),
    ],
)
def test_a_misspelt_word_fails_the_position(path: str, value: Any, near: str) -> None:
    """It would silently not be compared; the verdict names it by its path."""
    defaults, scenario = copy.deepcopy(next(case for case in CASES if case[1]["id"] == GOLDEN[1]))
    place = scenario
    *heads, last = path.split(".")
    for head in heads:
        place = place.setdefault(head, {})
    place[last] = value
    verdict = GAME.reference.rule_test(scenario, defaults)
    assert ("fail", (f"{path} is no word of a position; did you mean {near}?",)) == (verdict.outcome, verdict.differences)
