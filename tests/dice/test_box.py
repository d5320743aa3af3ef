"""The box: facts with how sure they are, a host's corrections, words explained, both languages."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from engine.errors import PositionError
from engine.kit.card_data import CorrectionsRefused
from engine.troyes_dice import card_data
from engine.troyes_dice.card_data.tables import shipped_tables
from tests.dice.games import GAME, begin
from tests.tools.language import boxed


def test_the_box_is_whole() -> None:
    """4 places of a half day, 9 plazas, 6 columns, 9 links, 8 tiles."""
    found = card_data.load_box()
    assert (("free", 0), ("any", 1), ("denier", 1), ("denier", 2)) == found.slots
    assert 3 == sum(front == back for front, back in found.plazas)
    assert Counter({"red": 6, "yellow": 6, "white": 6}) == Counter(side for plaza in found.plazas for side in plaza)
    assert (6, 6, 6, 9, 8) == tuple(
        len(part) for part in (found.fortress, found.great_hall, found.cathedral, found.links, found.banquets)
    )
    assert (1, 1, 2, 2, 3, 3) == found.multipliers
    assert (18, 3, (6, 12, 18), 20) == (found.track, found.start, found.citizen_places, found.crowd)
    assert ((3,), (6, 11)) == (found.resources_at, found.work_at)


def test_proof_rows_are_complete() -> None:
    """Every fact of every table, with its confidence; the doubtful ones can be found."""
    rows = GAME.reference.facts()
    keys = {"group", "id", "name", "color", "field", "value", "confidence", "source", "text"}
    assert all(keys == set(row) for row in rows)
    doubtful = {(row["group"], row["id"]) for row in rows if not row["confidence"].startswith("seed")}
    assert {("slot", "2"), *(("plaza", str(n)) for n in range(1, 10))} == doubtful
    assert {row["id"] for row in rows if row["group"] == "banquet"} == set(card_data.load_box().banquets)


def test_corrected_facts_are_marked() -> None:
    rows = card_data.proof_rows(card_data.load_box({"slot": {"2": {"kind": "denier"}}}))
    row = next(row for row in rows if (row["group"], row["id"], row["field"]) == ("slot", "2", "kind"))
    assert ("denier", "corrected") == (row["value"], row["confidence"])
    assert "shipped as any" in row["source"]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"slot": {"2": {"kind": "gold"}}}, 'slot.2.kind is "gold"; it must be one of "free", "any"'),
        ({"slot": {"2": {"amount": 7}}}, "slot.2.amount is 7; it must be a whole number from 0 to 6"),
        ({"slot": {"2": {"amount": True}}}, "slot.2.amount is true"),
        ({"slot": {"5": {"amount": 1}}}, "slot.5 is not there"),
        ({"slots": {}}, "did you mean slot?"),
        ({"slot": 3}, "slot is 3; it must be a table"),
        ({"plaza": {"1": {"back": "white"}}}, "2 plazas have one colour on both sides; there must be 3"),
        ({"resources": {"all": {"citizens": [6, 6, 12]}}}, "a list of 3 rising whole numbers"),
        ({"resources": {"all": {"length": 9}}}, "a resource track of 9 is shorter"),
        ({"citizens": {"all": {"length": 15}}}, "has no place 20"),
        ({"multiplier": {"all": {"by_order": [1, 2]}}}, "a list of 6 whole numbers"),
        ({"track_bonus": {"red": {"prestige": ["palace", "cathedral"]}}}, 'a list of 2 out of "fortress"'),
        ({"wheel": {"days": {"days": 9}}}, "wheel.days.days is not there to correct"),
    ],
)
def test_corrections_that_do_not_fit(facts: dict[str, Any], said: str) -> None:
    """What stands there and what would be right; nothing is taken."""
    with pytest.raises(CorrectionsRefused) as refused:
        begin(1, facts=facts)
    assert said in str(refused.value.reason)


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(CorrectionsRefused) as refused:
        card_data.load_box({"slot": {"2": {"kind": "gold"}, "3": {"amount": -1}}, "link": {"x": {}}})
    assert 3 == len(refused.value.problems)


def test_stored_facts_are_one_object() -> None:
    found = card_data.load_box({"work": {"all": {"citizens": 3}}})
    assert found is card_data.load_box(found.to_data())
    assert card_data.load_box() is card_data.load_box({"version": 1}), "what older data lacks is as shipped"
    short = card_data.load_box({"version": 1, "resources": {"all": {"length": 6}}})
    assert 6 == short.track, "what was allowed once still loads"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("version", 2),
        ("x", {}),
        ("wheel", [1]),
        ("wheel.days", 3),
        ("work.all.citizens", "x"),
        ("track_bonus.red.prestige-at", 3),
        ("Track Bonus", {}),
    ],
)
def test_damage_is_told_with_its_place(place: str, value: object) -> None:
    *heads, last = place.split(".")
    table: dict[str, Any] = {"version": 1} if place != "version" else {}
    damaged = table
    for head in heads:
        table = table.setdefault(head, {})
    table[last] = value
    with pytest.raises(PositionError) as found:
        card_data.load_box(damaged)
    assert f"box.{place}" == found.value.where


@pytest.mark.parametrize("word", card_data.known_names())
def test_every_word_is_explained(word: str) -> None:
    """`card NAME` finds each; its sentences carry this game's numbers."""
    text = GAME.reference.explain(word)
    assert text is not None
    for line in (text.title, *text.lines):
        assert str(line) and not re.search(r"[{}]", str(line))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("Great Hall", "3 influence for each red die"),
        ("hôtel de ville", "2 yellow citizens"),
        ("Urbain IV", "Urbain IV: Cathedral"),
        ("price-tile", "1 denier more"),
        ("wheel", "1 resource of any kind"),
        ("liens", "Fortress 1-2: 1 red citizen"),
        ("citizens", "red at 15: Great Hall or Cathedral"),
        ("score", "45, 55, 65"),
        ("crowd", "40 citizens"),
        ("bish", "2 white citizens"),
    ],
)
def test_explanations_have_the_numbers(word: str, said: str) -> None:
    text = GAME.reference.explain(word)
    assert text is not None
    assert said in " ".join(map(str, text.lines))


def test_explanations_follow_the_game() -> None:
    state = begin(1, facts={"work": {"all": {"citizens": 3}}}).state
    text = GAME.reference.explain("city-hall", state)
    assert text is not None and "3 yellow citizens" in str(text.lines[0])
    assert GAME.reference.explain("nothing like it") is None


def test_french_is_complete_and_fills_in_the_same_numbers() -> None:
    """Every name and text has its French, with the same numbers in it."""
    for english, french in boxed(shipped_tables(), "fr").items():
        assert french.strip()
        assert sorted(re.findall(r"{(\w+)}", english)) == sorted(re.findall(r"{(\w+)}", french)), english
    for group, tables in shipped_tables().items():
        for id_, table in tables.items():
            assert {"en", "fr"} <= set(table), (group, id_)
            assert all(key[:-3] + "_fr" in table for key in table if key.endswith("_en")), (group, id_)


def test_no_word_means_two_things() -> None:
    """`meanings` raises when one does; and ids of tiles have their own words."""
    assert ("banquet", "fortress") == card_data.find_meaning("fortress-tile")
    assert ("rule", "fortress") == card_data.find_meaning("fortress")
