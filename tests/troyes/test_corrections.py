"""A host's corrections of card numbers, and what a game keeps of them."""



from __future__ import annotations

import copy
import json
import pickle
import tomllib
from typing import Any

import pytest

from engine.errors import NotAllowed, PositionError
from engine.kit.card_data import CorrectionsRefused
from engine.troyes.card_data import fields
from engine.troyes.card_data import troyes_box as box_module
from engine.troyes.card_data.corrections import check_corrections
from engine.troyes.card_data.proof import proof_rows
from engine.troyes.card_data.troyes_box import TroyesBox, load_box

CORRECTIONS = """
[activity.merchant]
divisor = 3
deniers = 1
[activity.tax-collector]
spaces = [4, 2, 1]
[event.brigands]
banners = 5
[event.brigands_b]
banners = 3
[event.marauding]
dice = ["red"]
first = 4
[character.henry_i]
thresholds = [2, 3, 4]
[board]
income = 9
neutral_palace = [1, 6]
neutral_bishopric = [[3, 1], [3, 2]]
"""


def read(text: str, path: str = "corrections.toml") -> dict[str, Any]:
    """The corrections of a file."""
    return check_corrections(tomllib.loads(text), path)



def test_corrections_change_what_they_name_and_nothing_else() -> None:
    """README of the facts: a host who owns the box must be able to correct each number."""
    box, shipped = load_box(read(CORRECTIONS)), load_box()
    assert (3, 1, 4) == (
        box.activities["merchant"].divisor,
        box.activities["merchant"].numbers["deniers"],
        box.activities["merchant"].hire,
    )
    assert (4, 2, 1) == box.activities["tax_collector"].spaces
    assert (5, 5, 3) == tuple(box.events[id_].banners for id_ in ("brigands_a", "brigands_a2", "brigands_b"))
    marauding = box.events["marauding"]
    assert (("red",), 4, 1) == (marauding.dice, marauding.first, marauding.second)
    assert (2, 3, 4) == box.characters["henry_i"].thresholds
    assert (9, (1, 6), ((3, 1), (3, 2))) == (box.board.income, box.board.neutral_palace, box.board.neutral_bishopric)
    touched = {"merchant", "tax_collector"}
    assert touched == {id_ for id_ in box.activities if box.activities[id_] != shipped.activities[id_]}


def test_every_uncertain_number_can_be_corrected() -> None:
    """README of the facts: numbers that are inferred or unknown are a host's to correct."""
    changes = {"spaces": [1, 1], "banners": 6, "calls": None, "dice": ["red"], "divisor": 4, "first": 5, "second": 0}
    for row in proof_rows():
        if row["confidence"] not in ("inferred", "unknown") or row["field"] in ("calls", "row_spaces"):
            continue
        if row["group"] in ("board", "solo"):
            assert check_corrections({row["group"]: {row["field"]: row["value"]}}), row
            continue
        kind = {"events": "event", "outdoor": "outdoor"}.get(row["group"], "activity")
        value = changes.get(row["field"], row["value"])
        box = load_box({kind: {row["id"]: {row["field"]: value}}})
        card: Any = {"event": box.events, "activity": box.activities, "outdoor": box.outdoor}[kind][row["id"]]
        found = card.numbers.get(row["field"], getattr(card, row["field"], None))
        assert (tuple(value) if isinstance(value, list) else value) == found, row


@pytest.mark.parametrize("name", ["black_dice", "more_black_dice"])
def test_a_number_that_no_rule_asks_for_is_not_corrected_and_games_that_keep_it_are_read(name: str) -> None:
    with pytest.raises(CorrectionsRefused, match="is not there to correct"):
        check_corrections({"board": {name: 5}})
    data = load_box().to_data()
    data["board"][name] = "5"
    box = load_box(data)
    assert (5, data) == (getattr(box.board, name), box.to_data())


def test_calls_can_be_swapped_but_not_outnumber_their_deck() -> None:
    """D18: four of each is what the decks of four can serve."""
    swap = {"event": {"brigands_a": {"calls": "white"}, "brigands_b": {"calls": "yellow"}}}
    assert "white" == load_box(swap).events["brigands_a"].calls
    with pytest.raises(CorrectionsRefused) as refused:
        load_box({"event": {"brigands_a": {"calls": "white"}}})
    assert "corrections: 5 red events call a white one, and there are 4; change another card's `calls` as well." == str(
        refused.value.reason
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[activity.merchnat]\ndivisor = 3",
            "box.toml: activity.merchnat is not there to correct; did you mean activity.merchant?",
        ),
        (
            "[activity.merchant]\ndivisr = 3",
            "box.toml: activity.merchant.divisr is not there to correct; did you mean activity.merchant.divisor?",
        ),
        (
            "[activity.merchant]\ndivisor = 0",
            "box.toml: activity.merchant.divisor is 0; it must be a whole number from 1 to 18.",
        ),
        (
            '[activity.merchant]\nhire = "four"',
            'box.toml: activity.merchant.hire is "four"; it must be a whole number from 0 to 30.',
        ),
        (
            "[activity.merchant]\nhire = true",
            "box.toml: activity.merchant.hire is true; it must be a whole number from 0 to 30.",
        ),
        (
            "[activity.merchant]\nspaces = [1, 2]",
            "box.toml: activity.merchant.spaces is [1, 2]; "
            "it must be a list of 1–4 whole numbers from 0 to 12, dearest first.",
        ),
        (
            "[activity.merchant]\nspaces = 2",
            "box.toml: activity.merchant.spaces is 2; "
            "it must be a list of 1–4 whole numbers from 0 to 12, dearest first.",
        ),
        (
            "[activity]\nmerchant = 3",
            "box.toml: activity.merchant is 3; it must be a table, such as [activity.merchant].",
        ),
        (
            '[event.marauding]\ndice = ["green"]',
            "box.toml: event.marauding.dice is ['green']; "
            'it must be a list of words, each once, out of "yellow", "white", "red".',
        ),
        ('[event.war]\ncalls = "red"', 'box.toml: event.war.calls is "red"; it must be one of "yellow", "white".'),
        (
            '[event.heresy]\ncalls = "white"',
            "box.toml: event.heresy.calls is not there to correct; did you mean event.heresy.dice?",
        ),
        (
            "[character.henry_i]\nthresholds = [3, 3, 5]",
            "box.toml: character.henry_i.thresholds is [3, 3, 5]; "
            "it must be a list of 3 rising whole numbers from 0 to 60.",
        ),
        ("[cards.merchant]\nhire = 3", "box.toml: cards is not there to correct; did you mean board?"),
        (
            "[board]\nlevels = 4",
            None,
        ),
        (
            "[board]\nneutral_bishopric = [[1, 1], [1, 1]]",
            "box.toml: board.neutral_bishopric is [[1, 1], [1, 1]]; "
            "it must be 0–6 different pairs of whole numbers from 1 to 3, such as [[1, 2], [2, 2]].",
        ),
        (
            "[board]\nneutral_palace = [1]",
            "box.toml: with 2 players 6 spaces stay for gray citizens, and the three lists board.neutral_… name 5.",
        ),
        (
            "[board]\nneutral_palace = [3, 3]",
            "box.toml: board.neutral_palace names a space twice.",
        ),
        (
            "[board]\nneutral_city_hall = [[1, 2], [2, 3]]",
            "box.toml: board.neutral_city_hall has a space above 2; a row has two spaces.",
        ),
        ("[board]\nrows = [[1, 6], [2, 5], [3, 3]]", "box.toml: board.rows must name each die from 1 to 6 once."),
        (
            "[board]\nrounds = [4, 5, 5]",
            "box.toml: with 4 players board.rounds is 5 and board.red_events 6; "
            "the red deck makes the rounds, so they must be equal.",
        ),
        (
            "[board]\ncharacters = [2, 1, 2]",
            "box.toml: with 4 players board.characters is 2; there are only 6 characters.",
        ),
        (
            "[board]\nstart_citizens = [6, 5, 5]",
            "box.toml: with 4 players board.start_citizens is 5, which does not fit on the 18 spaces "
            "or into 12 citizens each.",
        ),
        (
            "[board]\nstart_citizens = [6, 3, 4]",
            "box.toml: with 3 players 9 spaces stay for gray citizens, and board.neutral_citizens is 8.",
        ),
        (
            "[activity.sculptor]\nlevel = 2\n[activity.journeyman]\nlevel = 2\n[activity.goldsmith]\nlevel = 2",
            "box.toml: no yellow activity of level 3 is left; each colour needs one of each level.",
        ),
    ],
)
def test_wrong_corrections_are_refused_with_what_would_be_right(text: str, expected: str | None) -> None:
    """Errors say what was read, what is in the way with its numbers, and what would work."""
    with pytest.raises(CorrectionsRefused) as refused:
        read(text, "box.toml")
    assert isinstance(refused.value, NotAllowed)
    told = str(refused.value.reason)
    if expected is None:
        assert told.startswith("box.toml: board.levels is not there to correct")
    else:
        assert expected == told


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    """A host mends the file in one go."""
    with pytest.raises(CorrectionsRefused) as refused:
        read("[activity.merchant]\nhire = 99\n[activity.monc]\n[board]\nincome = 10.5\n", "b")
    assert 3 == len(refused.value.problems)
    assert all(str(problem) in str(refused.value.reason) for problem in refused.value.problems)
    assert "b: board.income is 10.5; it must be a whole number from 0 to 30." == str(refused.value.problems[2])


def test_a_game_keeps_its_box_exactly() -> None:
    """`load_box(to_data())` restores it; equal numbers are one object, through TOML-like data, copies and pickles."""
    for box in (load_box(), load_box(read(CORRECTIONS))):
        data = json.loads(json.dumps(box.to_data()))
        assert load_twice(data) is box
        assert copy.deepcopy(box) is box
        assert pickle.loads(pickle.dumps(box)) is box
    assert load_box() is load_box({}) is load_box({"activity": {"merchant": {"hire": 4}}})


def load_twice(data: dict[str, Any]) -> TroyesBox:
    first, second = load_box(data), load_box(dict(reversed(data.items())))
    assert first is second
    return first


def test_stored_numbers_are_plain_toml_and_readable() -> None:
    """State files are read and mended by people."""
    data = load_box().to_data()
    assert "level 1, hire 4, spaces 2 1, divisor 2, deniers 2" == data["activities"]["merchant"]
    assert "calls white, divisor 2, dice red, banners 3, first 2, second 1, black_dice 2" == data["events"]["war"]
    assert "1/2 2/2" == data["board"]["neutral_city_hall"]
    lines = [f"{name} = {json.dumps(line)}" for name, line in data["activities"].items()]
    assert data["activities"] == tomllib.loads("\n".join(lines))


def test_a_change_of_shipped_numbers_does_not_reach_a_running_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The issue: running games keep the numbers they began with."""
    kept = json.dumps(load_box().to_data(), sort_keys=True)
    board = {**fields.single_defaults("board"), "income": 99}
    changed = {"divisor": 17, "hire": 17, "banners": 12, "deniers": 17}

    def later(kind: str, id_: str) -> fields.Numbers:
        return {name: changed.get(name, value) for name, value in fields.card_defaults(kind, id_).items()}

    monkeypatch.setattr(box_module, "card_defaults", later)
    defaults = {"board": board, "solo": fields.single_defaults("solo")}
    monkeypatch.setattr(box_module, "single_defaults", defaults.__getitem__)

    def numbers(box: TroyesBox) -> tuple[int, ...]:
        merchant = box.activities["merchant"]
        return merchant.divisor, merchant.hire, box.events["war"].banners, box.board.income

    assert (2, 4, 3, 10) == numbers(box_module._stored.__wrapped__(kept))
    assert (17, 17, 12, 99) == numbers(box_module._corrected.__wrapped__("{}")), "a new game has what is shipped now"


@pytest.mark.parametrize(
    ("plural", "key", "line", "expected"),
    [
        ("activities", "merchant", "hire four", "facts.activities.merchant: hire is 'four' and must be a whole number"),
        ("activities", "merchant", "hier 4", "facts.activities.merchant: 'hier' is no number of it; it has level,"),
        ("activities", "windmill", "hire 4", "facts.activities.windmill: no activity is called 'windmill'"),
        ("board", "income", "ten", "facts.board.income: it is 'ten' and must be a whole number from 0 to 30"),
        ("board", "levels", "3", "facts.board.levels: the board has no number 'levels'"),
    ],
)
def test_damaged_stored_numbers_are_told_with_their_path(plural: str, key: str, line: str, expected: str) -> None:
    """PositionError names the path of the value that is wrong."""
    data = load_box().to_data()
    data[plural][key] = line
    with pytest.raises(PositionError) as error:
        load_box(data)
    assert str(error.value).startswith(expected)


def test_stored_numbers_of_a_newer_program_are_refused() -> None:
    """An older program does not guess."""
    with pytest.raises(PositionError, match=r"facts\.version: the card box has version 99; this program reads 1 to 1"):
        load_box({**load_box().to_data(), "version": 99})
    with pytest.raises(PositionError, match=r"facts\.events: it is 3 and must be a table"):
        load_box({**load_box().to_data(), "events": 3})
