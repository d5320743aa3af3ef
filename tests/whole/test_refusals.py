"""Every kind of bad letter gets the clear refusal of orders.md: the mails as they are read, golden.

`pytest tests/whole/test_refusals.py --golden` writes tests/golden/refusals.txt anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store.state_file import StoredGame
from tests.whole.room import Hall

FILE = Path(__file__).parents[1] / "golden" / "refusals.txt"
SQUARE = {
    "anna": ["Y5", "Y4", "W2", "R4"],
    "faye": ["Y2", "W6", "W1"],
    "geoffrey": ["Y5", "R2"],
    "gray": ["R2", "R2"],
}
QUEUE = [{"id": "marauding", "cubes": []}, {"id": "brigands_a", "cubes": []}, {"id": "brigands_b", "cubes": ["faye"]}]

LETTERS: dict[str, str] = {
    "unknown card": "activate merchnat with Y5 Y4",
    "a card that is not in play": "activate baker with Y5",
    "a die that is not there": "farm Y6",
    "a die that is not yours": "reroll faye:Y2",
    "too expensive": "farm Y5 Y4 geoffrey:Y5",
    "wrong colour": "build with R4",
    "unreadable line after an order": "farm Y4\nand then I would like to build",
    "two meanings": "fight brigands with R4",
    "no such option": "99",
    "empty letter": "",
    "a mistake of one letter": "pazs",
    "greeting and no order": "Hello everybody,\n\nwhat a game!\n",
    "influence spent, then a pass": "flip W2\npass",
    "a die and no verb": "white 4: catedral",
    "half a letter": "recruit 1\nfarm Y6",
}


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """Anna's turn at a table of three that was laid by hand."""
    hall = Hall(tmp_path)
    hall.seat_all(3, first="Anna")
    for _ in range(200):
        seat = hall.asked()
        assert seat is not None
        if hall.rules.waiting(hall.position())[0].kind == "turn":
            break
        hall.send(seat, "1")
    repo = hall.store.open(hall.table)
    with repo.lock():
        stored = StoredGame.read(repo)
        seats = [{**row, "deniers": 5, "influence": 4, "supply": row["supply"], "vp": 3} for row in stored.game["seats"]]
        game = {**stored.game, "dice": SQUARE, "queue": QUEUE, "seats": seats}
        game["agenda"] = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": "anna"}]
        game["asked"] = [{"seat": "anna", "kind": "turn", "number": stored.game["number"]}]
        hidden = {**stored.hidden}
        record = hall.record(stored.table.records, hall.table)
        files = StoredGame(stored.table, stored.secrets, game, hidden, stored.commit).files()
        repo.commit(files, record.message("laid by hand"))
    hall.restart()
    hall.send("anna", "status")
    return hall


def answer(hall: Hall, raw: bytes) -> str:
    """Subject and the part of the answer above the question."""
    before = len(hall.mails())
    hall.post(raw)
    mails = [got for got in hall.mails()[before:] if got.seat == "anna"]
    if len(mails) != 1:
        return f"{len(mails)} answers\n"
    return f"Subject: {mails[0].message['Subject']}\n" + mails[0].text.split("\nYou: ")[0].split("\nTo answer,")[0]


def test_refusals_read_as_they_should(hall: Hall, pytestconfig: pytest.Config) -> None:
    """One class each, with what was read, what is in the way, what would work, and what has happened."""
    parts = []
    first = hall.last("anna")
    for title, text in LETTERS.items():
        parts.append(f"##### {title}\n{answer(hall, hall.write('anna', text))}")
    parts.append(f"##### 1 MB letter\n{answer(hall, hall.write('anna', 'farm Y4 ' * 131072))}")
    parts.append(f"##### wrong seat (Faye answers)\n{answer_of(hall, 'faye', hall.write('faye', 'farm Y2'))}")
    other = hall.seat_all(2, seed=b"o" * 32)
    there = hall.last("anna")
    mixed = hall.write("anna", "farm Y4", to=there, fields={"In-Reply-To": str(first.message["Message-ID"])})
    parts.append(f"##### tokens of two games ({other})\n{answer(hall, mixed)}")
    answer(hall, hall.write("anna", "flip W2", to=newest(hall)))
    parts.append(f"##### old decision\n{answer(hall, hall.write('anna', 'farm Y4', to=first))}")
    stranger = hall.write("anna", "farm Y4", sender="Mallory <mallory@people.test>", to=newest(hall))
    parts.append(f"##### a stranger with a token\n{answer(hall, stranger)}")
    found = "\n".join(parts)
    assert "Traceback" not in found
    if pytestconfig.getoption("--golden"):
        FILE.write_text(found, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == found


@pytest.mark.parametrize("line", ["red 4", "red 4: catedral", "joue le blanc 4", "purple 3: gold", "4 rouge"])
def test_number_of_a_die_is_no_options(hall: Hall, line: str) -> None:
    """Whoever names a die wants that die, not the option of its number."""
    found = answer(hall, hall.write("anna", line))
    assert "among words" not in found
    assert "[1]" not in found.partition("Nearest to what you wrote:")[0]
    assert f"> {line}\nNot played: " in found


def newest(hall: Hall) -> object:
    """Anna's newest mail of the first table."""
    return next(got for got in reversed(hall.mails("anna")) if "[troyes-1]" in str(got.message["Subject"]))


def answer_of(hall: Hall, seat: str, raw: bytes) -> str:
    before = len(hall.mails())
    hall.post(raw)
    mails = [got for got in hall.mails()[before:] if got.seat == seat]
    return f"Subject: {mails[0].message['Subject']}\n" + mails[0].text.split("\nTo answer,")[0][:600]


