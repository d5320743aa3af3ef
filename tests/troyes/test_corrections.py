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
    """A host who owns the box must be able to correct each number."""
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
    """Numbers that are inferred or unknown are a host's to correct."""
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


MERCHANT, BOARD = "[activity.merchant]\n", "[board]\n"
WRONG: tuple[tuple[str, str, str], ...] = (
    ("[activity.merchnat]\ndivisor = 3", "activity.merchnat", "did you mean activity.merchant?"),
    (f"{MERCHANT}divisr = 3", "activity.merchant.divisr", "did you mean activity.merchant.divisor?"),
    (f"{MERCHANT}divisor = 0", "activity.merchant.divisor is 0", "a whole number from 1 to 18"),
    (f'{MERCHANT}hire = "four"', 'activity.merchant.hire is "four"', "a whole number from 0 to 30"),
    (f"{MERCHANT}hire = true", "activity.merchant.hire is true", "a whole number from 0 to 30"),
    (f"{MERCHANT}spaces = [1, 2]", "activity.merchant.spaces is [1, 2]", "1–4 whole numbers from 0 to 12, dearest first"),
    (f"{MERCHANT}spaces = 2", "activity.merchant.spaces is 2", "1–4 whole numbers from 0 to 12, dearest first"),
    ("[activity]\nmerchant = 3", "activity.merchant is 3", "a table, such as [activity.merchant]"),
    ('[event.marauding]\ndice = ["green"]', "event.marauding.dice is ['green']", 'each once, out of "yellow", "white", "red"'),
    ('[event.war]\ncalls = "red"', 'event.war.calls is "red"', 'one of "yellow", "white"'),
    ('[event.heresy]\ncalls = "white"', "event.heresy.calls is not there", "did you mean event.heresy.dice?"),
    ("[character.henry_i]\nthresholds = [3, 3, 5]", "henry_i.thresholds is [3, 3, 5]", "3 rising whole numbers from 0 to 60"),
    ("[cards.merchant]\nhire = 3", "cards is not there", "did you mean board?"),
    (f"{BOARD}levels = 4", "board.levels is not there", "to correct"),
    (f"{BOARD}neutral_bishopric = [[1, 1], [1, 1]]", "[[1, 1], [1, 1]]", "0–6 different pairs of whole numbers from 1 to 3"),
    (f"{BOARD}neutral_palace = [1]", "with 2 players 6 spaces stay", "name 5"),
    (f"{BOARD}neutral_palace = [3, 3]", "board.neutral_palace", "a space twice"),
    (f"{BOARD}neutral_city_hall = [[1, 2], [2, 3]]", "board.neutral_city_hall", "a row has two spaces"),
    (f"{BOARD}rows = [[1, 6], [2, 5], [3, 3]]", "board.rows", "each die from 1 to 6 once"),
    (f"{BOARD}rounds = [4, 5, 5]", "with 4 players board.rounds is 5 and board.red_events 6", "must be equal"),
    (f"{BOARD}characters = [2, 1, 2]", "with 4 players board.characters is 2", "only 6 characters"),
    (f"{BOARD}start_citizens = [6, 5, 5]", "with 4 players board.start_citizens is 5", "the 18 spaces or into 12 citizens each"),
    (f"{BOARD}start_citizens = [6, 3, 4]", "with 3 players 9 spaces stay", "board.neutral_citizens is 8"),
    ("".join(f"[activity.{id}]\nlevel = 2\n" for id in ("sculptor", "journeyman", "goldsmith")), "no yellow activity of level 3", "one of each level"),
)


@pytest.mark.parametrize(("text", "wrong", "right"), WRONG, ids=[wrong for _, wrong, _ in WRONG])
def test_wrong_corrections_are_refused_with_what_would_be_right(text: str, wrong: str, right: str) -> None:
    """Errors say where it stands, what was read, and what would work."""
    with pytest.raises(CorrectionsRefused) as refused:
        read(text, "box.toml")
    (told,) = map(str, refused.value.problems)
    assert isinstance(refused.value, NotAllowed)
    assert told.startswith("box.toml: ") and wrong in told and right in told.partition(wrong)[2]


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
    """Running games keep the numbers they began with."""
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
