"""Every rule position under tests/rulebook, judged, and what those of the base game cover between them.

A card, event, character or ruling without a position is a defect of these files, so the coverage is listed by name.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from engine.game import find_game
from tests.positions import REFUSED, TABLES, Scenario, of_game

BASE = {name for name in TABLES if not name.startswith(("ladies", "solo"))}
BY_ID = of_game(*BASE)
CASES = [(table["defaults"], scenario) for table in TABLES.values() for scenario in table["scenario"]]
GAME = find_game("troyes")

ACTIVITIES: dict[str, tuple[str, ...]] = {
    "merchant": ("en-merchant-sixteen", "merchant-rounds-down", "merchant-one-pip-too-few"),
    "miller": ("miller-a-building-each-time", "miller-hired-same-building-twice", "miller-not-city-hall"),
    "artisan": ("artisan-two-influence-for-twelve", "artisan-hired-once", "artisan-no-influence-left"),
    "militiaman": ("militiaman-hired-two-cubes", "militiaman-yellow-dice-fight", "militiaman-no-red-die-beside"),
    "innkeeper": ("innkeeper-denier-for-influence", "innkeeper-fewer-times", "innkeeper-purse-too-small"),
    "blacksmith": ("blacksmith-hired-three-cubes", "blacksmith-five-once-per-group", "blacksmith-not-on-the-palace"),
    "sculptor": ("sculptor-hired-for-fifteen", "sculptor-rounds-down", "sculptor-fourteen-deniers"),
    "journeyman": ("journeyman-three-deniers-two-vp", "journeyman-five-deniers-not-twice"),
    "goldsmith": ("goldsmith-vp-and-deniers", "goldsmith-three-pips-too-few"),
    "monk": ("monk-hired-two-cubes", "monk-one-white-as-three-yellow", "monk-no-second-white-die"),
    "priest": ("en-priest-three-cubes", "priest-three-for-each-die", "priest-not-in-city-hall"),
    "tithe": ("tithe-hired-one-cube", "tithe-one-free-die-from-each", "tithe-no-second-cube"),
    "apprenticeship": (
        "apprenticeship-hired",
        "apprenticeship-every-die-is-five",
        "apprenticeship-no-mixing-elsewhere",
    ),
    "confession": ("confession-hired", "confession-two-for-each-die", "confession-not-on-the-cathedral"),
    "templar": ("templar-hired", "templar-one-white-as-two-red", "templar-no-red-die-beside"),
    "pilgrimage": ("pilgrimage-three-colours", "pilgrimage-exactly-seven", "pilgrimage-six-too-few"),
    "procession": ("procession-used-dice-do-not-count", "procession-needs-a-die"),
    "glassblower": ("glassblower-full-pairs", "glassblower-single-cube", "glassblower-four-too-few"),
    "archer": ("archer-hits-on-three", "archer-asks-after-a-hit", "archer-two-is-a-miss"),
    "chivalry": ("chivalry-cube-per-red-die-left", "chivalry-surplus-is-lost", "chivalry-three-too-few"),
    "diplomat": ("diplomat-different-events", "diplomat-all-influence-first"),
    "hunting": ("hunting-three-influence-each", "hunting-capped-at-twenty", "hunting-two-too-few"),
    "mercenary": ("mercenary-three-deniers-each", "mercenary-one-too-few"),
    "tax-collector": ("tax-collector-everyone-pays", "tax-collector-short-purse", "tax-collector-four-too-few"),
    "captain": ("captain-counts-events-not-cubes", "captain-nowhere-present"),
    "joust": ("joust-hired-twice-alone", "joust-tied-with-faye", "joust-not-among-the-highest"),
    "troubadour": ("troubadour-three-influence-two-vp", "troubadour-five-influence-not-twice"),
    "baker": ("baker-counts-the-whole-square", "baker-no-yellow-left", "baker-two-too-few"),
    "prior": ("prior-hired-two-cubes", "prior-two-levels-of-one-column", "prior-one-level-left"),
    "banquet": ("banquet-the-neutral-district-counts", "banquet-used-dice-are-gone", "banquet-three-too-few"),
}
"""Per activity at least one position where it works with its numbers and one at its boundary."""

EVENTS: dict[str, tuple[str, ...]] = {
    "marauding": ("marauding-one-black-die", "en-marauding-open-again", "counter-marauding-with-white"),
    "brigands": ("brigands-one-more-black-die", "counter-brigands-tie-for-second"),
    "skirmishes": ("skirmishes-one-more-black-die", "counter-skirmishes-three-tied"),
    "normans-attack": ("normans-attack-two-more-black-dice", "counter-normans-attack-alone"),
    "war": ("war-two-more-black-dice", "counter-war-alone", "counter-war-one-pip-too-few"),
    "conflict-of-succession": ("conflict-of-succession-expels", "en-succession-tie-for-first"),
    "drought": ("drought-city-hall-pays", "drought-pays-in-part", "counter-drought-with-yellow"),
    "support": ("support-two-events-to-its-left", "support-one-event-only", "counter-support-neutral-wins"),
    "civil-war": ("civil-war-three-each", "civil-war-vp-stop-at-zero", "counter-civil-war-second-shared"),
    "wayfarers": ("wayfarers-push-the-row", "wayfarers-no-neutral-left", "counter-wayfarers-surplus-not-placed"),
    "theological-conflict": (
        "theological-conflict-expels",
        "theological-conflict-protected",
        "counter-theological-conflict-tied-with-earlier-gray",
    ),
    "heresy": ("heresy-two-influence-each", "counter-heresy-tied-with-later-gray"),
    "traveling-builders": (
        "traveling-builders-lowest-place",
        "traveling-builders-nothing-left",
        "counter-traveling-builders-first-and-second",
    ),
    "interrupted-work": (
        "interrupted-work-highest-place",
        "interrupted-work-empty-cathedral",
        "counter-interrupted-work-gray-halves-the-second",
    ),
    "resistance": (
        "resistance-calls-a-red-card-from-the-box",
        "resistance-takes-the-newest-cube-of-each",
        "resistance-countered",
    ),
}
"""Per event what it does every round and how it is countered; copies of one name share a row."""

CHARACTERS: dict[str, tuple[str, ...]] = {
    "chretien-de-troyes": (
        "chretien-two-three-five-seven",
        "chretien-four-six-and-the-lying",
        "chretien-two-players-three-and-eight",
        "chretien-two-players-five-and-seven",
    ),
    "urbain-iv": (
        "urbain-two-three-five-seven",
        "urbain-two-players-three-and-six",
        "urbain-two-players-four-and-eight",
    ),
    "thibaut-ii": ("thibaut-at-the-steps", "thibaut-below-the-steps"),
    "hugues-de-payns": ("hugues-at-the-steps", "hugues-below-the-steps"),
    "le-florentin": ("florentin-one-two-four-six", "florentin-three-and-five"),
    "henry-i": ("henry-none-one-three-five", "henry-two-and-four"),
}

RULINGS = (
    *range(1, 11),
    *range(12, 23),
    *range(27, 32),
    36,
    *range(40, 50),
    *range(65, 69),
    70,
    71,
)
"""The rulings of part A that concern the base game and the bonus cards."""

RESULTS = {"ok", "illegal", "asks", "unclear", "unreadable"}


@pytest.mark.parametrize(
    ("defaults", "scenario"), [pytest.param(defaults, scenario, id=scenario["id"]) for defaults, scenario in CASES]
)
def test_position(defaults: dict[str, Any], scenario: Scenario) -> None:
    """Each position passes; what differs is shown with both values."""
    verdict = GAME.reference.rule_test(scenario, defaults)
    assert verdict.outcome == "pass", f"{scenario['title']}\n" + "\n".join(verdict.differences)
    assert scenario["id"] == verdict.id


def test_files_hold_positions_of_their_game_under_ids_of_their_own() -> None:
    """A position is named by its id everywhere."""
    games = {"base": {"base", "base+bonus"}, "ladies": {"ladies", "ladies+bonus"}, "solo": {"solo", "solo+bonus"}}
    for name, table in TABLES.items():
        kind = name.partition("_")[0] if name not in BASE else "base"
        assert {scenario["game"] for scenario in table["scenario"]} <= games[kind], name
    ids = Counter(scenario["id"] for _, scenario in CASES)
    assert [name for name, times in ids.items() if times > 1] == []
    assert [name for name in ids if name != name.lower() or not name.replace("-", "").isalnum()] == []


def test_there_are_enough_positions() -> None:
    """The worked examples and at least eighty of our own; both printings are there by name."""
    assert len(of_game("examples")) >= 35
    assert len(BY_ID) >= 130


@pytest.mark.parametrize("card", sorted(ACTIVITIES))
def test_activity_has_positions(card: str) -> None:
    """All 27 activities and the three bonus ones: one that works, one at the boundary, each naming the card."""
    covered = [BY_ID[name] for name in ACTIVITIES[card]]
    assert any(scenario["expected"]["result"] == "ok" and worth(scenario) for scenario in covered)
    assert len(covered) >= 2
    for scenario in covered:
        on_the_table = {laid["id"] for laid in scenario["position"].get("cards", [])}
        assert card in on_the_table, scenario["id"]


def worth(scenario: dict[str, Any]) -> bool:
    """Whether the position says what changed."""
    expected = scenario["expected"]
    return bool(expected.get("delta")) or "after" in expected


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_event_has_positions(event: str) -> None:
    """The sixteen cards of the base game (copies together), Marauding and Resistance."""
    assert len(EVENTS[event]) >= 2
    for name in EVENTS[event]:
        text = repr(BY_ID[name])
        default_queue = event == "marauding" and "events" not in BY_ID[name]["position"]
        assert default_queue or event in text or event.replace("-", "_") in text, name


@pytest.mark.parametrize("character", sorted(CHARACTERS))
def test_character_has_positions_at_every_step(character: str) -> None:
    """Each of 0, 1, 3 and 6 VP is reached in some position."""
    reached = {
        components[character]
        for name in CHARACTERS[character]
        for components in BY_ID[name]["expected"]["scores"].values()
    }
    assert {0, 1, 3, 6} == reached


@pytest.mark.parametrize("number", RULINGS)
def test_ruling_has_a_position(number: int) -> None:
    """A ruling that no position names cannot be checked."""
    assert any(scenario.get("rule") == f"A{number}" for scenario in BY_ID.values())


def test_tables_hold_the_whole_box() -> None:
    """27 activities and 3 bonus ones; 14 names on 16 cards with Marauding and Resistance; 6 characters."""
    assert len(ACTIVITIES) == 30
    assert len(EVENTS) == 15
    assert len(CHARACTERS) == 6


@pytest.mark.parametrize("result", sorted(RESULTS))
def test_every_outcome_occurs(result: str) -> None:
    """Legal, refused, asked back, two meanings, not understood."""
    assert any(scenario["expected"]["result"] == result for scenario in BY_ID.values())


@pytest.mark.parametrize("scenario", [pytest.param(one, id=name) for name, one in BY_ID.items()])
def test_structures_have_their_shape(scenario: Scenario) -> None:
    """Rows have two places, the Palace and each cathedral level six; a refusal changes nothing. The judge itself
    refuses words that it does not know."""
    expected = scenario["expected"]
    owners = {*("anna", "faye", "geoffrey", "emily")[: scenario["players"]], "gray", ""}
    for structure in (scenario.get("position", {}), expected.get("after", {})):
        rows = [*structure.get("cathedral", {}).values(), *([structure["palace"]] if "palace" in structure else [])]
        assert {len(row) for row in rows} <= {6}
        for building in ("city_hall", "bishopric"):
            if building in structure:
                assert [len(row) for row in structure[building]] == [2, 2, 2]
                rows += structure[building]
        rows += [event["cubes"] for event in structure.get("events", [])]
        rows += [card["spaces"] for card in structure.get("cards", [])]
        assert {owner for row in rows for owner in row} <= owners
    assert ("asks" in expected) == (expected["result"] == "asks")
    assert expected["result"] not in REFUSED or {"result"} == set(expected)


def test_every_die_that_goes_was_there() -> None:
    """`gone` names dice of the position, each no more often than it lies there (no die was changed before)."""
    for scenario in BY_ID.values():
        lying = Counter(
            f"{owner}:{die}" for owner, dice in scenario.get("position", {}).get("dice", {}).items() for die in dice
        )
        assert Counter() == Counter(scenario["expected"].get("gone", [])) - lying, scenario["id"]


@pytest.mark.parametrize(
    ("path", "value", "near"),
    [
        ("positon", {}, "position"),
        ("position.palase", [""] * 6, "palace"),
        ("position.dice.fay", ["Y1"], "faye"),
        ("position.cards.1.cube", {}, "cubes"),
        ("position.lying.palais", [], "palace"),
        ("position.decks.reds", [], "red"),
        ("scripted.blak", [1], "black"),
        ("expected.change", {"anna": {"vp": 1}}, ""),
        ("expected.delta.geofrey", {"vp": 1}, "geoffrey"),
        ("expected.delta.anna.deniere", 1, "deniers"),
        ("expected.after.pasace", [""] * 6, "palace"),
        ("expected.asks.seats", "anna", "seat"),
    ],
)
def test_a_misspelt_word_fails_the_position(path: str, value: Any, near: str) -> None:
    """It would silently not be compared; the verdict names it by its path."""
    scenario = copy.deepcopy(BY_ID["merchant-rounds-down"])
    assert "pass" == GAME.reference.rule_test(scenario, TABLES["activities_yellow"]["defaults"]).outcome
    place: Any = scenario
    *heads, last = path.split(".")
    for head in heads:
        place = place[int(head) - 1] if head.isdecimal() else place.setdefault(head, {})
    place[last] = value
    verdict = GAME.reference.rule_test(scenario, TABLES["activities_yellow"]["defaults"])
    says = f"{path} is no word of a position" + (f"; did you mean {near}?" if near else "")
    assert ("fail", (says,)) == (verdict.outcome, verdict.differences)


def test_a_misspelt_default_fails_the_position() -> None:
    verdict = GAME.reference.rule_test(BY_ID["merchant-rounds-down"], TABLES["activities_yellow"]["defaults"] | {"denirs": 5})
    assert ("defaults.denirs is no word of a position; did you mean deniers?",) == verdict.differences
