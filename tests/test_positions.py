"""Every rule position under tests/rulebook, judged, and what those of the base game cover between them.

A card, event, character or ruling without a position is a defect of these files.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from engine.game import find_game
from engine.kit.words import kebab
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.phases.event_phase import EFFECTS
from tests.positions import REFUSED, TABLES, Scenario, of_game

BASE = {name for name in TABLES if not name.startswith(("ladies", "solo"))}
BY_ID = of_game(*BASE)
CASES = [(table["defaults"], scenario) for table in TABLES.values() for scenario in table["scenario"]]
GAME = find_game("troyes")

BOX = load_box()
EVERY = of_game("")
"""The positions of all games but Troyes Dice."""

NAMED = (
    *("en-merchant-sixteen", "merchant-rounds-down", "merchant-one-pip-too-few", "miller-a-building-each-time"),
    *("miller-hired-same-building-twice", "miller-not-city-hall", "artisan-two-influence-for-twelve"),
    *("artisan-hired-once", "artisan-no-influence-left", "militiaman-hired-two-cubes"),
    *("militiaman-yellow-dice-fight", "militiaman-no-red-die-beside", "innkeeper-denier-for-influence"),
    *("innkeeper-fewer-times", "innkeeper-purse-too-small", "blacksmith-hired-three-cubes"),
    *("blacksmith-five-once-per-group", "blacksmith-not-on-the-palace", "sculptor-hired-for-fifteen"),
    *("sculptor-rounds-down", "sculptor-fourteen-deniers", "journeyman-three-deniers-two-vp"),
    *("journeyman-five-deniers-not-twice", "goldsmith-vp-and-deniers", "goldsmith-three-pips-too-few"),
    *("monk-hired-two-cubes", "monk-one-white-as-three-yellow", "monk-no-second-white-die", "en-priest-three-cubes"),
    *("priest-three-for-each-die", "priest-not-in-city-hall", "tithe-hired-one-cube", "tithe-one-free-die-from-each"),
    *("tithe-no-second-cube", "apprenticeship-hired", "apprenticeship-every-die-is-five"),
    *("apprenticeship-no-mixing-elsewhere", "confession-hired", "confession-two-for-each-die"),
    *("confession-not-on-the-cathedral", "templar-hired", "templar-one-white-as-two-red"),
    *("templar-no-red-die-beside", "pilgrimage-three-colours", "pilgrimage-exactly-seven", "pilgrimage-six-too-few"),
    *("procession-used-dice-do-not-count", "procession-needs-a-die", "glassblower-full-pairs"),
    *("glassblower-single-cube", "glassblower-four-too-few", "archer-hits-on-three", "archer-asks-after-a-hit"),
    *("archer-two-is-a-miss", "chivalry-cube-per-red-die-left", "chivalry-surplus-is-lost", "chivalry-three-too-few"),
    *("diplomat-different-events", "diplomat-all-influence-first", "hunting-three-influence-each"),
    *("hunting-capped-at-twenty", "hunting-two-too-few", "mercenary-three-deniers-each", "mercenary-one-too-few"),
    *("tax-collector-everyone-pays", "tax-collector-short-purse", "tax-collector-four-too-few"),
    *("captain-counts-events-not-cubes", "captain-nowhere-present", "joust-hired-twice-alone"),
    *("joust-tied-with-faye", "joust-not-among-the-highest", "troubadour-three-influence-two-vp"),
    *("troubadour-five-influence-not-twice", "baker-counts-the-whole-square", "baker-no-yellow-left"),
    *("baker-two-too-few", "prior-hired-two-cubes", "prior-two-levels-of-one-column", "prior-one-level-left"),
    *("banquet-the-neutral-district-counts", "banquet-used-dice-are-gone", "banquet-three-too-few"),
    *("marauding-one-black-die", "en-marauding-open-again", "counter-marauding-with-white"),
    *("brigands-one-more-black-die", "counter-brigands-tie-for-second", "skirmishes-one-more-black-die"),
    *("counter-skirmishes-three-tied", "normans-attack-two-more-black-dice", "counter-normans-attack-alone"),
    *("war-two-more-black-dice", "counter-war-alone", "counter-war-one-pip-too-few", "conflict-of-succession-expels"),
    *("en-succession-tie-for-first", "drought-city-hall-pays", "drought-pays-in-part", "counter-drought-with-yellow"),
    *("support-two-events-to-its-left", "support-one-event-only", "counter-support-neutral-wins"),
    *("civil-war-three-each", "civil-war-vp-stop-at-zero", "counter-civil-war-second-shared"),
    *("wayfarers-push-the-row", "wayfarers-no-neutral-left", "counter-wayfarers-surplus-not-placed"),
    *("theological-conflict-expels", "theological-conflict-protected"),
    *("counter-theological-conflict-tied-with-earlier-gray", "heresy-two-influence-each"),
    *("counter-heresy-tied-with-later-gray", "traveling-builders-lowest-place", "traveling-builders-nothing-left"),
    *("counter-traveling-builders-first-and-second", "interrupted-work-highest-place"),
    *("interrupted-work-empty-cathedral", "counter-interrupted-work-gray-halves-the-second"),
    *("resistance-calls-a-red-card-from-the-box", "resistance-takes-the-newest-cube-of-each", "resistance-countered"),
    *("chretien-two-three-five-seven", "chretien-four-six-and-the-lying", "chretien-two-players-three-and-eight"),
    *("chretien-two-players-five-and-seven", "urbain-two-three-five-seven", "urbain-two-players-three-and-six"),
    *("urbain-two-players-four-and-eight", "thibaut-at-the-steps", "thibaut-below-the-steps", "hugues-at-the-steps"),
    *("hugues-below-the-steps", "florentin-one-two-four-six", "florentin-three-and-five"),
    *("henry-none-one-three-five", "henry-two-and-four"),
)
"""Per activity one at least where it works with its numbers and one at its boundary; per event what it does every round
and how it is countered; the steps of each character."""

RULINGS = (*range(1, 11), *range(12, 23), *range(27, 32), 36, *range(40, 50), *range(65, 69), 70, 71)
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


def about(word: str, names: Iterable[str]) -> list[str]:
    """The names in which a word stands whole."""
    return [name for name in names if f"-{word}-" in f"-{name}-"]


def test_the_named_positions_are_there() -> None:
    assert [] == [name for name in NAMED if name not in BY_ID]


@pytest.mark.parametrize("card", BOX.activities)
def test_activity_has_positions(card: str) -> None:
    """It changes something in one; each of the Ladies' is refused in another; the others lie on the table in each."""
    word, ladies = kebab(card), BOX.activities[card].set == "ladies"
    mine = [EVERY[name] for name in about(word, of_game("ladies") if ladies else NAMED)]
    expected = [one["expected"] for one in mine]
    assert any(one["result"] == "ok" and (one.get("delta") or {"after", "scores"} & set(one)) for one in expected)
    assert len(mine) >= 2 and (not ladies or any(one["result"] in REFUSED for one in expected))
    assert ladies or all(word in {laid["id"] for laid in one["position"]["cards"]} for one in mine)


@pytest.mark.parametrize("event", BOX.events)
def test_event_has_positions(event: str) -> None:
    """It is fought in one, takes effect in another where it does more than send black dice, and is named in two."""
    word = BOX.events[event].word
    lines = [line for one in EVERY.values() for line in one["action"]]
    assert any(f"fight {word} " in line for line in lines)
    assert event not in EFFECTS or f"system> resolve {word}" in lines
    assert len(about(word, of_game("ladies") if BOX.events[event].set == "ladies" else BY_ID)) >= 2


@pytest.mark.parametrize("character", BOX.characters)
def test_character_has_positions_at_every_step(character: str) -> None:
    """Each of 0, 1, 3 and 6 VP is reached in some position."""
    scored = (parts for one in EVERY.values() for parts in one["expected"].get("scores", {}).values())
    assert {0, 1, 3, 6} == {parts[kebab(character)] for parts in scored if kebab(character) in parts}


@pytest.mark.parametrize("number", RULINGS)
def test_ruling_has_a_position(number: int) -> None:
    """A ruling that no position names cannot be checked."""
    assert any(scenario.get("rule") == f"A{number}" for scenario in BY_ID.values())


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


def test_an_unknown_phase_fails_the_position() -> None:
    scenario = BY_ID["merchant-rounds-down"] | {"phase": "acts"}
    verdict = GAME.reference.rule_test(scenario, TABLES["activities_yellow"]["defaults"])
    assert ("the position cannot be laid out: ValueError: no phase is called acts",) == verdict.differences
