"""The mails as they are read, golden: one whole game alone, one half day of three, and every kind of bad letter.

`pytest tests/dice_mail/test_golden.py --golden` writes the files anew; look at the difference before you keep it.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from engine.game import Seat
from pbem.store.state_file import StoredGame
from tests.dice.games import GAME
from tests.dice_mail.table import EARLY, finish, missing, seated, with_choice
from tests.whole.room import Hall

FOLDER = Path(__file__).parents[1] / "golden"

PLAZAS = [
    *({"up": "yellow", "down": "red"}, {"up": "red", "down": "red", "tile": "knowledge", "side": "banquet"}),
    *({"up": "white", "down": "yellow"}, {"up": "red", "down": "white"}, {"up": "yellow", "down": "white"}),
    *({"up": "white", "down": "white", "tile": "work", "side": "raid"}, {"up": "yellow", "down": "red"}),
    *({"up": "red", "down": "white"}, {"up": "yellow", "down": "yellow", "tile": "price", "side": "banquet"}),
]
"""Day 4 in the afternoon takes the notches 8, 0, 1 and 2: yellow (free by its tile), yellow, red, white."""

LETTERS: dict[str, str] = {
    "unknown building": "red 4: catedral",
    "words of no game": "purple 3: gold",
    "a word near one of talk": "hire priest with white 4",
    "a die that is not there": "red 6: influence",
    "a die on a destroyed plaza": "white 5: knowledge",
    "two dice alike": "yellow 2: deniers",
    "no word on what pays": "yellow 2 plaza 2: deniers",
    "cannot pay": "red 4 as red 6: influence",
    "cannot pay for the colour": "red 4 as white 4: knowledge",
    "wrong colour for the building": "red 4: cathedral",
    "wrong resource for the die": "red 4: knowledge",
    "wrong column": "yellow 2 plaza 1: great-hall 5",
    "built already": "yellow 2 plaza 1: great-hall",
    "crossed out by the black die": "red 4: fortress",
    "beyond 6": "red 4 as red 7: fortress",
    "a number too many": "yellow 2 plaza 1: deniers 3",
    "paid with the wrong thing": "red 4: influence; pay knowledge",
    "a choice that nobody asked for": "yellow 2 plaza 1: deniers; bonus city-hall 3",
    "a choice alone, and none is open": "bonus city-hall 3",
    "numbering after the numbering": "numbering 4 up",
    "an order of another game": "activate merchant with Y5",
    "no use": "red 4",
    "no such option": "99",
    "two answers in one letter": "red 4: influence\nyellow 2 plaza 1: deniers",
    "unreadable line after an order": "red 4: influence\nand then the cathedral",
    "a mistake of one letter": "rad 4: influence",
    "greeting and no order": "Hello everybody,\n\nwhat a game!\n",
    "empty letter": "",
}


def check(name: str, found: str, config: pytest.Config) -> None:
    file = FOLDER / f"{name}.txt"
    assert "Traceback" not in found
    if config.getoption("--golden"):
        file.write_text(found, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == found


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """Anna and Faye on the fourth afternoon, laid by hand; Anna has little to pay with."""
    hall = seated(tmp_path, 2, options={"expansion": "yes"})
    while (hall.position().day, hall.position().half) != (4, "afternoon"):
        finish(hall)
    repo = hall.store.open(hall.table)
    with repo.lock():
        stored = StoredGame.read(repo)
        dice = [{"value": value, "black": value == 5, "gone": value == 5} for value in (2, 2, 4, 5)]
        sheet = {
            "built": {"fortress": [2], "counts_palace": [], "great_hall": [2, 6], "city_hall": [1]},
            "crossed": {"red": [1, 4], "yellow": [3], "white": [5]},
            "circled": {"influence": 5, "denier": 6, "knowledge": 4},
            "spent": {"influence": 4, "denier": 4, "knowledge": 4},
            "citizens": {"red": 3, "yellow": 4, "white": 0},
        }
        sheet["built"] |= {"cathedral": [], "bishopric": []}
        seats = [{**row, **(sheet if row["seat"] == "anna" else {})} for row in stored.game["seats"]]
        asked = dict.fromkeys(("anna", "faye"), "half-day")
        laid = {"dice": dice, "plazas": PLAZAS, "seats": seats, "asked": asked}
        changed = StoredGame(stored.table, stored.secrets, {**stored.game, **laid}, {"sealed": {}}, stored.commit)
        record = hall.record(stored.table.records, hall.table)
        repo.commit(changed.files(), record.message("laid by hand"))
    hall.restart()
    hall.send("anna", "options")
    return hall


def answer(hall: Hall, raw: bytes, seat: str = "anna") -> str:
    """Subject and the part of the answer above the question."""
    before = len(hall.mails())
    # A day has so many answers to letters that play nothing.
    hall.time += timedelta(hours=12)
    hall.post(raw)
    mails = [got for got in hall.mails()[before:] if got.seat == seat]
    if len(mails) != 1:
        return f"{len(mails)} answers\n"
    text = mails[0].text.split("\nYou: ")[0].split("\nYour answer is kept")[0].split("\nTo answer,")[0]
    return f"Subject: {mails[0].message['Subject']}\n{text}"


def test_refusals_read_as_they_should(hall: Hall, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """What was read, what is in the way with its numbers, what would work, and what has happened."""
    kept = GAME.dump(hall.position())
    parts = [f"##### {title}\n{answer(hall, hall.write('anna', text))}" for title, text in LETTERS.items()]
    assert kept == GAME.dump(hall.position()), "bad input changes nothing"
    old = hall.last("anna")
    hall.send("anna", "yellow 2 plaza 1: deniers")
    kept = GAME.dump(hall.position())
    parts.append(f"##### after an answer\n{answer(hall, hall.write('anna', 'red 9: influence'))}")
    assert kept == GAME.dump(hall.position())
    finish(hall)
    parts.append(f"##### an old half day\n{answer(hall, hall.write('anna', '1', to=old))}")
    parts.append(f"##### an order for an old half day\n{answer(hall, hall.write('anna', 'red 4: influence', to=old))}")
    parts.append(f"##### nothing to take back\n{answer(hall, hall.write('anna', 'undo'))}")
    check("dice_refusals", "\n".join(parts), pytestconfig)


def test_refusals_of_choices_and_numberings(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """While the columns are numbered, and while the choice of a bonus is open."""
    parts = []
    rolled = seated(tmp_path / "crier", 2, options={"numbering": "crier"}, first="Anna")
    for title, text in {
        "numbering with another first number": "numbering 2 up"
        if rolled.position().first_number != 2
        else "numbering 3 up",
        "numbering that goes neither up nor down": "numbering 1 3 5 2 4 6",
        "a half day before the numbering": "red 3: influence",
    }.items():
        parts.append(f"##### {title}\n{answer(rolled, rolled.write('anna', text))}")
    parts.append(f"##### not the crier\n{answer(rolled, rolled.write('faye', 'numbering 1 up'), 'faye')}")
    expert = seated(tmp_path / "expert", 2, options={"numbering": "expert"}, first="Anna")
    for title, text in {
        "a number twice": "numbering 4 5 6 1 2 2",
        "too few numbers": "numbering 4 5 6",
        "no number": "numbering",
    }.items():
        parts.append(f"##### {title}\n{answer(expert, expert.write('anna', text))}")
    hall = seated(tmp_path / "early", 2, facts=EARLY)
    asked = hall.last("anna")
    order, _ = with_choice(hall, "anna")
    hall.send("anna", order)
    for title, text in {
        "a choice that is not offered": "bonus city-hall 3",
        "a choice without its column": "bonus fortress",
        "a choice of nothing": "bonus",
        "a choice too many": "bonus fortress 3, cathedral 2",
    }.items():
        parts.append(f"##### {title}\n{answer(hall, hall.write('anna', text))}")
    parts.append(f"##### a number for the older list\n{answer(hall, hall.write('anna', '2', to=asked))}")
    check("dice_refusals_of_choices", "\n".join(parts), pytestconfig)


def test_a_golden_game_alone(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Every mail of a game alone with the Banquets and Raids, from the welcome to the achievements."""
    hall = seated(tmp_path, 1, options={"expansion": "yes"})
    while missing(hall):
        hall.send("anna", "1")
    parts = [f"##### {got.message['Subject']}\n{got.text}" for got in hall.mails()]
    assert 17 == len(parts)
    check("dice_mails_solo", "\n".join(parts), pytestconfig)


def test_a_golden_half_day(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Three on the third day, mails of all: a receipt, a trial, a replacement, an undo, and what the last one opens."""
    hall = seated(tmp_path, 3, options={"expansion": "yes", "numbering": "crier"})
    while missing(hall) and hall.position().day < 3:
        finish(hall)
    before = len(hall.mails())
    second = GAME.offers(hall.position(), Seat("anna"))[1].text
    for seat, text in (
        *(("anna", "Bonjour,\n1\nmerci"), ("anna", "try 3"), ("faye", "1"), ("anna", second), ("faye", "undo")),
        *(("faye", "2"), ("geoffrey", "1")),
    ):
        hall.send(seat, text)
    parts = [f"##### to {got.seat}: {got.message['Subject']}\n{got.text}" for got in hall.mails()[before:]]
    assert 9 == len(parts)
    check("dice_mails_half_day", "\n".join(parts), pytestconfig)
