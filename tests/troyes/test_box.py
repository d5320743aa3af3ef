"""The card box and its proof sheet against numbers typed by hand; house rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import NotAllowed, PositionError
from engine.troyes.card_data.house_rules import Rules, read_rules, rule_options
from engine.troyes.card_data.item_names import events_of
from engine.troyes.card_data.proof import proof_rows
from engine.troyes.card_data.troyes_box import load_box
from tests.troyes import games
from tests.troyes.games import GAME

BASE = load_box().with_modules(())
"""The base game and the bonus cards; the Ladies have tests of their own."""

# color, level, kind, hire, spaces, divisor: typed from the quick reference and the bonus card faces.
ACTIVITIES = {
    "merchant": ("yellow", 1, "immediate", 4, (2, 1), 2),
    "miller": ("yellow", 1, "immediate", 5, (2, 1), 4),
    "artisan": ("yellow", 1, "immediate", 5, (2, 1), 4),
    "militiaman": ("yellow", 2, "delayed", 6, (3, 2), 3),
    "innkeeper": ("yellow", 2, "immediate", 5, (3, 2), 1),
    "blacksmith": ("yellow", 2, "delayed", 5, (3, 2), 3),
    "sculptor": ("yellow", 3, "immediate", 15, (6, 5), 3),
    "journeyman": ("yellow", 3, "immediate", 5, (2, 1), 4),
    "goldsmith": ("yellow", 3, "immediate", 8, (3, 2), 4),
    "monk": ("white", 1, "delayed", 6, (3, 2), 3),
    "priest": ("white", 1, "delayed", 6, (3, 2), 3),
    "tithe": ("white", 1, "delayed", 6, (3, 2), 4),
    "apprenticeship": ("white", 2, "delayed", 6, (3, 2), 3),
    "confession": ("white", 2, "delayed", 7, (3, 2), 3),
    "templar": ("white", 2, "delayed", 7, (3, 2), 3),
    "pilgrimage": ("white", 3, "immediate", 0, (1, 1), 7),
    "procession": ("white", 3, "immediate", 5, (3, 2), 4),
    "glassblower": ("white", 3, "immediate", 7, (3, 2), 5),
    "archer": ("red", 1, "immediate", 6, (3, 2), 2),
    "chivalry": ("red", 1, "immediate", 6, (2, 1), 4),
    "diplomat": ("red", 1, "immediate", 6, (2, 1), 3),
    "hunting": ("red", 2, "immediate", 5, (3, 1), 3),
    "mercenary": ("red", 2, "immediate", 2, (1,), 2),
    "tax_collector": ("red", 2, "immediate", 6, (2, 1), 5),
    "captain": ("red", 3, "immediate", 7, (3, 2), 4),
    "joust": ("red", 3, "immediate", 5, (3, 2), 3),
    "troubadour": ("red", 3, "immediate", 7, (3, 2), 3),
    "baker": ("yellow", 1, "immediate", 5, (2, 1), 3),
    "prior": ("white", 2, "delayed", 8, (4, 3), 3),
    "banquet": ("red", 3, "immediate", 7, (3, 2), 4),
}

# color, calls, divisor, first, second, banners, black dice.
EVENTS = {
    "marauding": ("red", "", 3, 2, 1, 3, 1),
    "conflict_of_succession": ("red", "yellow", 4, 4, 2, 5, 0),
    "brigands_a": ("red", "yellow", 3, 3, 1, 4, 1),
    "brigands_a2": ("red", "yellow", 3, 3, 1, 4, 1),
    "brigands_b": ("red", "white", 3, 3, 1, 4, 1),
    "skirmishes_a": ("red", "yellow", 3, 2, 1, 3, 1),
    "skirmishes_b": ("red", "white", 3, 2, 1, 3, 1),
    "normans_attack": ("red", "white", 5, 4, 2, 5, 2),
    "war": ("red", "white", 2, 2, 1, 3, 2),
    "drought": ("yellow", "", 4, 3, 1, 4, 0),
    "support": ("yellow", "", 3, 3, 1, 4, 0),
    "civil_war": ("yellow", "", 4, 3, 2, 4, 0),
    "wayfarers": ("yellow", "", 3, 3, 1, 4, 0),
    "theological_conflict": ("white", "", 4, 3, 1, 4, 0),
    "heresy": ("white", "", 3, 3, 2, 4, 0),
    "traveling_builders": ("white", "", 4, 3, 2, 4, 0),
    "interrupted_work": ("white", "", 4, 3, 1, 4, 0),
    "resistance": ("red", "red", 6, 3, 2, 4, 0),
}

CHARACTERS = {
    "chretien_de_troyes": ((3, 5, 7), (4, 6, 8)),
    "urbain_iv": ((3, 5, 7), (4, 6, 8)),
    "thibaut_ii": ((6, 12, 18), (6, 12, 18)),
    "hugues_de_payns": ((5, 10, 15), (5, 10, 15)),
    "le_florentin": ((2, 4, 6), (2, 4, 6)),
    "henry_i": ((1, 3, 5), (1, 3, 5)),
}


def test_every_activity_has_the_numbers_of_its_card() -> None:
    """Quick reference and bonus card faces; D1 for the Priest's 6."""
    found = {
        card.id: (card.color, card.level, card.kind, card.hire, card.spaces, card.divisor) for card in BASE.activities.values()
    }
    assert ACTIVITIES == {id_: found[id_] for id_ in ACTIVITIES}
    # Bonus cards may be added (test_a_new_card.py); the box of the base game is closed.
    assert ACTIVITIES.keys() >= {card.id for card in BASE.activities.values() if card.set != "bonus"}


def test_only_pilgrimage_takes_dice_of_several_colours() -> None:
    """Appendix, Pilgrimage; every other card takes dice of its own colour."""
    for card in BASE.activities.values():
        expected = ("yellow", "white", "red") if card.id == "pilgrimage" else (card.color,)
        assert expected == card.dice, card.id


def test_delayed_cards_bar_the_buildings_of_the_rulings() -> None:
    """Rulings A10 and A36; A65 for the dice that stand for several."""
    cards, both = BASE.activities.values(), {"bishopric", "city_hall", "cathedral"}
    barred = {card.id: set(card.forbids) for card in cards if card.forbids}
    assert {"blacksmith": {"palace"}, "priest": {"city_hall"}, "apprenticeship": both, "confession": both} == barred
    becomes = {card.id: card.becomes for card in cards if card.becomes}
    assert {"monk": "yellow", "templar": "red", "prior": "white", "militiaman": "red"} == becomes
    assert {"monk", "templar", "prior"} == {card.id for card in cards if card.virtual}


def test_every_event_has_the_numbers_of_its_card() -> None:
    """Quick reference (divisor, first, second); D18 for the copies and calls, D26 for Marauding."""
    found = {
        card.id: (card.color, card.calls, card.divisor, card.first, card.second, card.banners, card.black_dice)
        for card in BASE.events.values()
    }
    assert EVENTS == found


def test_event_effects_have_the_numbers_of_the_appendix() -> None:
    """Appendix, event cards."""
    numbers = {card.id: card.numbers for card in BASE.events.values() if card.numbers}
    found = {"drought": {"deniers": 1}, "support": {"cubes": 2}, "civil_war": {"deniers": 3}, "heresy": {"influence": 2}}
    assert found == numbers


def test_marauding_alone_takes_any_colour_and_never_leaves() -> None:
    """D26."""
    box = load_box()
    for card in box.events.values():
        expected = ("yellow", "white", "red") if card.id == "marauding" else (card.color,)
        assert expected == card.dice, card.id
    assert ["marauding"] == [card.id for card in box.events.values() if card.permanent]


def test_decks_and_piles_have_the_sizes_of_the_box() -> None:
    """27 activities, three of each colour and level; 8 red, 4 white, 4 yellow events; one bonus card each way."""
    box = load_box()
    assert (8, 4, 4) == tuple(len(box.deck(color, {"base"})) for color in ("red", "white", "yellow"))
    assert 9 == len(box.deck("red", {"base", "bonus"}))
    for color in ("yellow", "white", "red"):
        for level in (1, 2, 3):
            assert 3 == len(box.pile(color, level, {"base"})), (color, level)
    grown = {(c, n) for c in ("yellow", "white", "red") for n in (1, 2, 3) if len(box.pile(c, n, {"base", "bonus"})) == 4}
    assert {("yellow", 1), ("white", 2), ("red", 3)} == grown
    assert ("brigands_a", "brigands_a2", "brigands_b") == events_of("brigands")
    assert ("skirmishes_a", "skirmishes_b") == events_of("skirmishes")


def test_every_character_has_its_thresholds_and_those_for_two() -> None:
    """Appendix and quick reference; 1, 3, 6 VP for all."""
    found = {card.id: (card.thresholds, card.two_player_thresholds) for card in BASE.characters.values()}
    assert CHARACTERS == found
    assert {(1, 3, 6)} == {card.points for card in BASE.characters.values()}


@pytest.mark.parametrize(
    ("count", "players", "expected"),
    [(2, 3, 0), (3, 3, 1), (4, 4, 1), (5, 3, 3), (7, 3, 6), (12, 4, 6), (3, 2, 0), (4, 2, 1), (7, 2, 3), (8, 2, 6)],
)
def test_a_character_pays_only_the_best_threshold_reached(count: int, players: int, expected: int) -> None:
    """Appendix, Chrétien de Troyes, with the numbers in brackets for two players."""
    assert expected == load_box().characters["chretien_de_troyes"].worth(count, players)


def test_the_board_has_the_numbers_of_the_rulebook() -> None:
    """Base rulebook: set-up, phases 1 to 5, influence, end of the game."""
    board = load_box().board
    expected: dict[str, Any] = {
        "start_deniers": 5,
        "start_influence": 4,
        "influence_max": 20,
        "income": 10,
        "salary": {"palace": 2, "bishopric": 1, "city_hall": 0},
        "unpaid_loss": 2,
        "unresolved_loss": 2,
        "unbeaten_loss": 2,
        "black_die_influence": 1,
        "cube_influence": 1,
        "black_dice": 6,
        "red_factor": 2,
        "pass_first": 2,
        "pass_later": 1,
        "citizens": 12,
        "neutral_citizens": 8,
        "start_citizens": {2: 6, 3: 5, 4: 4},
        "rounds": {2: 4, 3: 5, 4: 6},
        "red_events": {2: 4, 3: 5, 4: 6},
        "characters": {2: 2, 3: 1, 4: 1},
        "prices": (2, 4, 6),
        "group_max": 3,
        "reroll": 1,
        "recruit": 2,
        "flip": 4,
        "flip_dice": 3,
        "agriculture_divisor": 2,
        "presence_points": 1,
        "missing_level_loss": 2,
        "levels": 3,
        "columns": 6,
        "cathedral_points": 1,
        "cathedral_influence": (1, 1, 1, 2, 2, 2),
        "palace_spaces": 6,
        "row_spaces": 2,
        "rows": ((1, 6), (2, 5), (3, 4)),
        "neutral_palace": (1, 2),
        "neutral_city_hall": ((1, 2), (2, 2)),
        "neutral_bishopric": ((1, 2), (2, 2)),
        "ramparts": 20,
        "gates": (5, 10, 15, 20),
        "boost_price": 1,
        "boost_max": 6,
        "more_neutral_citizens": 2,
        "more_black_dice": 2,
    }
    assert expected == {name: getattr(board, name) for name in board.__slots__}
    assert [1, 2, 3, 3, 2, 1] == [board.row(die) for die in range(1, 7)]
    with pytest.raises(ValueError, match="no row has the die 7"):
        board.row(7)


# The proof sheet


def test_the_proof_sheet_has_every_number_of_every_card() -> None:
    """`pbem cards`: one page per colour, events, characters, board, solo."""
    rows = proof_rows(BASE)
    keys = {"group", "id", "name", "color", "field", "value", "confidence", "source", "text"}
    assert {frozenset(keys)} == {frozenset(row) for row in rows}
    groups = ["yellow", "white", "red", "events", "characters", "board", "solo"]
    assert groups == list(dict.fromkeys(r["group"] for r in rows))
    assert {*BASE.activities, *EVENTS, *CHARACTERS, "board", "solo"} == {row["id"] for row in rows}
    sheet = {(row["id"], row["field"]): row["value"] for row in rows}
    assert len(rows) == len(sheet)
    for id_, (_, level, kind, hire, spaces, divisor) in ACTIVITIES.items():
        assert [level, kind, hire, list(spaces), divisor] == [
            sheet[id_, field] for field in ("level", "kind", "hire", "spaces", "divisor")
        ]
        numbers = BASE.activities[id_].numbers
        assert numbers == {field: sheet[id_, field] for field in numbers}
    for id_, (_, _, *numbers) in EVENTS.items():
        assert numbers == [sheet[id_, field] for field in ("divisor", "first", "second", "banners", "black_dice")]
    assert [[1, 2], [2, 2]] == sheet["board", "neutral_city_hall"]
    json.dumps(rows)


def test_the_proof_sheet_flags_exactly_the_uncertain_numbers() -> None:
    """Fact tables: banners but one, calls but one, Marauding, the Mercenary's space, the rows, two-player grays."""
    unsure = [row for row in proof_rows(BASE) if row["confidence"] in ("inferred", "unknown")]
    flagged = {(row["id"], row["field"]): row["confidence"] for row in unsure}
    banners = {(id_, "banners"): "unknown" for id_ in EVENTS if id_ != "conflict_of_succession"}
    callers = [id_ for id_, (_, calls, *_) in EVENTS.items() if calls and id_ not in ("war", "resistance")]
    expected = {
        **banners,
        **{(id_, "calls"): "inferred" for id_ in callers},
        **dict.fromkeys((("marauding", "divisor"), ("marauding", "dice"), ("mercenary", "spaces")), "inferred"),
        **dict.fromkeys((("marauding", "first"), ("marauding", "second")), "unknown"),
        **{("board", name): "inferred" for name in ("rows", "row_spaces", "gates")},
        **{("board", f"neutral_{place}"): "unknown" for place in ("palace", "city_hall", "bishopric")},
        **{("solo", f"{place}_order"): "unknown" for place in ("palace", "city_hall", "bishopric")},
    }
    assert expected == flagged


def test_the_proof_sheet_marks_corrections_and_other_printings() -> None:
    """A host sees what was changed; D1: the French printing of the Priest asks 8."""
    rows = {(r["id"], r["field"]): r for r in proof_rows(load_box({"activity": {"merchant": {"divisor": 3}}}))}
    merchant, priest = rows["merchant", "divisor"], rows["priest", "hire"]
    assert (3, "corrected") == (merchant["value"], merchant["confidence"])
    assert merchant["source"].startswith("the host; shipped as 2")
    assert "another printing has 8" in priest["source"]
    assert "another printing" not in rows["priest", "divisor"]["source"]


# House rules


def test_house_rules_default_to_the_rulings() -> None:
    """A10, A17, A18; VP hidden as in the rulebook."""
    assert Rules("start-player", False, False, "hidden") == read_rules({"players": "3", "bonus": "yes"})
    chosen = {option.name: option.default for option in rule_options()}
    assert Rules() == read_rules(chosen)


def test_house_rules_are_read_from_options() -> None:
    """`rule.NAME=VALUE` with the names of the rulings, as they are typed; others are refused."""
    given = {
        "rule.support": "nearest-two",
        "rule.resistance-spares-itself": "yes",
        "rule.forbid_all_buildings": "yes",
        "rule.vp": "open",
    }
    assert Rules("nearest-two", True, True, "open") == read_rules(GAME.settle_options(3, given))
    for wrong, there in (({"rule.suport": "nearest-two"}, "rule.support"), ({"rule.vp": "shown"}, "hidden")):
        with pytest.raises(NotAllowed) as refused:
            GAME.settle_options(3, wrong)
        assert there in str(refused.value.reason)


def test_a_stored_house_rule_that_there_is_not_is_named() -> None:
    public, secret = GAME.dump(games.opening(2, 1).state)
    public["options"]["rule.vp"] = "foo"
    with pytest.raises(PositionError) as found:
        GAME.load(public, secret)
    assert "options.rule.vp" == found.value.where


def test_forbid_all_buildings_adds_the_palace_to_two_cards_only() -> None:
    """A10: the other reading concerns Apprenticeship and Confession."""
    box, strict = load_box(), Rules(forbid_all_buildings=True)
    added = {(c.id, place) for c in box.activities.values() for place in set(strict.forbids(c)) - set(c.forbids)}
    assert {("apprenticeship", "palace"), ("confession", "palace")} == added
    assert all(card.forbids == Rules().forbids(card) for card in box.activities.values())
