"""Whole games with their mails, word for word: what a change does to what people read is seen at once.

`pytest tests/whole/test_golden.py --golden` plays them anew and writes the files; look at the difference before you
keep it. The first option is always taken, so a change of the ranking changes the game.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.whole.room import Hall

FOLDER = Path(__file__).parents[1] / "golden"
GAMES: dict[str, tuple[int, dict[str, str]]] = {
    "mails_two_players": (2, {"bonus": "yes"}),
    "mails_solo": (1, {"solo": "yes"}),
}


def transcript(folder: Path, players: int, options: dict[str, str]) -> str:
    """Every mail to the first seat in full; of each mail to another its subject and a mark of its bytes."""
    hall = Hall(folder)
    hall.seat_all(players, options=options)
    for _ in range(400):
        seat = hall.asked()
        if seat is None:
            break
        hall.send(seat, "1")
    assert hall.asked() is None
    parts = []
    for got in hall.mails():
        head = f"##### to {got.seat}: {got.message['Subject']}"
        if got.seat == "anna":
            parts.append(f"{head}\n{got.text}")
        else:
            parts.append(f"{head}\n{hashlib.sha256(got.raw).hexdigest()[:16]}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_and_all_its_mails(name: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """The mails of a seeded game are what they were."""
    found = transcript(tmp_path, *GAMES[name])
    file = FOLDER / f"{name}.txt"
    if pytestconfig.getoption("--golden"):
        file.write_text(found, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == found
