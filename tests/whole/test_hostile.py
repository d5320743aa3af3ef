"""Hostile and broken letters through the whole desk: no crash, no traceback to a player, no order taken."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from engine.errors import OrderRefused
from engine.troyes import GAME, Troyes
from engine.troyes.notation.lexicon import WordToken
from pbem.desk.core.outcome import Outcome
from pbem.inbound.incoming_letter import MAX_LINE_LENGTH
from pbem.store.state_file import StoredGame
from tests.hostile import HAND_MADE, hostile
from tests.whole.room import Hall

WORDS = ("farm", "pass", "settle", "place", "build", "recruit", "flip", "fight", "activate", "counter", "reroll")


def harmless(raw: bytes) -> bool:
    """Whether a broken letter holds no word that orders something; a broken letter with an order is a letter."""
    lowered = raw.lower()
    return not any(word.encode() in lowered for word in WORDS) and b"\n1" not in raw and b"\n3" not in raw


def bombard(folder: Path, seed: int, count: int) -> None:
    """Each letter as it is, and once with a player's name and token before it."""
    hall = Hall(folder)
    hall.seat_all(3)
    reply = hall.last("anna").reply_to
    position = StoredGame.read(hall.store.open(hall.table)).game
    rng = random.Random(seed)
    for raw in hostile(seed, count):
        outcomes = [hall.post(raw)]
        disguised = f"From: Anna <anna@people.test>\r\nTo: <{reply}>\r\n".encode() + raw
        if harmless(raw):
            outcomes.append(hall.post(disguised))
        for handled in outcomes:
            assert handled.outcome not in (Outcome.PLAYED, Outcome.RETRY), handled
        if rng.random() < 0.02:
            hall.restart()
    assert position == StoredGame.read(hall.store.open(hall.table)).game, "an order was taken"
    for got in hall.mails():
        assert "Traceback" not in got.raw.decode(errors="replace")
    waiting = hall.spool.waiting()
    assert not waiting, "letters are left over"
    assert hall.asked() is not None
    hall.send(str(hall.asked()), "1")
    assert position != StoredGame.read(hall.store.open(hall.table)).game, "the game goes on"


def test_hostile_letters_cost_nothing(tmp_path: Path) -> None:
    """All hand-made ones and some mutations."""
    bombard(tmp_path, 1, HAND_MADE + 7)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 5))
def test_five_hundred_hostile_letters_cost_nothing(tmp_path: Path, seed: int) -> None:
    """The full number of the issue, three times."""
    bombard(tmp_path, seed, 500)


@pytest.mark.parametrize("said", ["1, ", "1/", "W6/W5/", "two of Faye ", "je "])
def test_reading_a_line_grows_with_its_length_and_no_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """Four times the words are looked at four times as often, and sixteen times where work is quadratic."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    state, seat, looks, true_of = hall.position(), hall.asked(), [0], WordToken.of
    assert seat is not None

    def of(word: WordToken, *more: Any) -> Any:
        looks[0] += 1
        return true_of(word, *more)

    monkeypatch.setattr(WordToken, "of", of)
    counts = []
    for length in (200, 800):
        looks[0] = 0
        line = said * (length // len(said))
        with suppress(OrderRefused):
            GAME.read(state, seat, line)
        GAME.reference.repairs(state, seat, line)
        counts.append(looks[0])
    assert 0 < counts[1] < 7 * counts[0]


def test_lines_are_put_together_as_programs_break_them_and_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two lines are read as one where that is no longer than a line may be."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    true_read, lengths = Troyes.read, [0]

    def read(game: Troyes, state: Any, seat: Any, line: str) -> Any:
        lengths.append(len(line))
        return true_read(game, state, seat, line)

    monkeypatch.setattr(Troyes, "read", read)
    seat = hall.asked()
    assert seat is not None
    for length in (300, 700):
        hall.send(seat, "\n".join(["1/" * (length // 2)] * 3))
    assert 601 in lengths
    assert max(lengths) <= MAX_LINE_LENGTH
